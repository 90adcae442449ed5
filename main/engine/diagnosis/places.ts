// Where the window shows what a number speaks of: a view at the moment of the diagnosis, and a filter in the filter language (preload/contract/filter/).
import type { Category, EvidencePlace } from '../../../preload/contract/queries.ts'

/** What a diagnosis is about: the state of a device after an event. */
export interface Instant {
  readonly device: number
  readonly event: number
}

/** Null without a capture. */
export function placeAt(instant: Instant, view: EvidencePlace['view'], filter?: string): EvidencePlace
export function placeAt(instant: Instant | null, view: EvidencePlace['view'], filter?: string): EvidencePlace | null
export function placeAt(instant: Instant | null, view: EvidencePlace['view'], filter = ''): EvidencePlace | null {
  return instant && { view, device: instant.device, event: instant.event, filter }
}

/** Of any of the categories. */
export const categoryTerm = (...categories: readonly Category[]): string => `category:${categories.join(',')}`

/** What the program still had in use at the moment; for views that show all of a capture's allocations. */
export const heldTerm = ({ event }: Instant): string => `alive_at:${event}`

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`

/** A filter text has room for so many ids. */
const mostIds = 150

/** All stacks through the function and the file that a title names: of one that holds nothing itself, those like it. */
export function namesTerm(title: string): string {
  const [, name = '', file = ''] = /^(.*) \((.*?)(?::\d+)?\)$/.exec(title) ?? []
  const texts = name === '' ? [title] : [name, file]
  return texts
    .filter((text) => text !== '')
    .map((text) => `stack:${quoted(text)}`)
    .join(' ')
}

/** Stacks of one title: by their ids, or where these are too many by what the title names. Those without frames have none. */
export function stackTerm({ stackIds, title }: { readonly stackIds: readonly number[]; readonly title: string }): string {
  if (title === '') return 'is:no_stack'
  return stackIds.length <= mostIds ? `stack_id:${stackIds.join(',')}` : namesTerm(title)
}

export const oneStackTerm = ({ stackId, title }: { readonly stackId: number; readonly title: string }): string =>
  stackTerm({ stackIds: [stackId], title })
