// What a partner is called: as its tab.
import { tabName, useCaptures } from '../state/captures.ts'

/** The name of a capture's tab; '' when it is closed. */
export const usePartnerName = (captureId: string): string =>
  useCaptures(({ tabs }) => {
    const tab = tabs.find((each) => each.status === 'ready' && each.capture.captureId === captureId)
    return tab ? tabName(tab, tabs) : ''
  })
