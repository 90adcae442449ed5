// A part of a page that is to be shown once the page is there.
import { create } from 'zustand'

/** tried: the settings of the allocator that were tried. */
type PagePart = 'tried'

const useWanted = create<{ readonly part: PagePart | undefined }>(() => ({ part: undefined }))

/** The part that waits to be shown, in React. */
export const useWantedPart = (): PagePart | undefined => useWanted(({ part }) => part)

/** Has the page in front show a part of itself. */
export const wantPart = (part: PagePart): void => useWanted.setState({ part })

/** Nothing waits any more. */
export const forgetPart = (): void => useWanted.setState({ part: undefined })
