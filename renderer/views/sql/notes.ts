// What relations and columns mean, in a few words.
import { english } from '../../i18n/language.ts'
import type { SqlKey, Translate } from './texts.ts'

const relations: Readonly<Record<string, string>> = english.sql.relation

/** '' where nothing is known, as of relations that came later. */
export const relationNote = (name: string, t: Translate): string => (Object.hasOwn(relations, name) ? t(`relation.${name}` as SqlKey) : '')

const durations: ReadonlySet<string> = new Set(['dur_ns', 'busy_ns', 'duration_ns'])

const notes: readonly (readonly [pattern: RegExp, key: SqlKey])[] = [
  [/(^|_)bytes$/, 'note.bytes'],
  [/_ns$/, 'note.ns'],
  [/(^|_)event$/, 'note.event'],
  [/(^|_)address$/, 'note.address'],
  [/^stack_id$/, 'note.stack'],
  [/^frame_id$/, 'note.frame'],
  [/^allocation_id$/, 'note.allocation'],
  [/^(is_.*|exact|.*_is_of_free|alloc_known|freed_in_capture)$/, 'note.flag'],
  [/^device$/, 'note.device'],
  [/^args$/, 'note.args'],
]

/** Unit or meaning of a column; '' where its name says all. */
export function columnNote(column: string, t: Translate): string {
  if (durations.has(column)) return t('note.duration')
  const key = notes.find(([pattern]) => pattern.test(column))?.[1]
  return key ? t(key) : ''
}
