// Where the window shows what a number speaks of: a view at the moment of the diagnosis, and a filter in the filter language (renderer/state/filter-language.ts).
import type { Category, EvidencePlace } from '../../../preload/contract/queries.ts'

/** What a diagnosis is about: the state of a device after an event. */
export interface Instant {
  readonly device: number
  readonly event: number
}

/** Null without a capture. */
export const placeAt = (instant: Instant | null, view: EvidencePlace['view'], filter = ''): EvidencePlace | null =>
  instant && { view, device: instant.device, event: instant.event, filter }

/** Of any of the categories. */
export const categoryTerm = (...categories: readonly Category[]): string => `category:${categories.join(',')}`

/** What the program still had in use at the moment; for views that show all of a capture's allocations. */
export const heldTerm = ({ event }: Instant): string => `alive_at:${event}`

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`

/**
 * The stack by the function and the file that it is named by. The filter language has no term for one stack: others through both pass too, and a recorded
 * stack without frames (the backward pass) has none, which is ''.
 */
export function stackTerm({ stackId, title }: { readonly stackId: number; readonly title: string }): string {
  if (stackId < 0) return 'is:no_stack'
  const [, name = '', file = ''] = /^(.*) \((.*?)(?::\d+)?\)$/.exec(title) ?? []
  const texts = name === '' ? [title] : [name, file]
  return texts
    .filter((text) => text !== '')
    .map((text) => `stack:${quoted(text)}`)
    .join(' ')
}
