// What the read-out says about a flag of the ruler.
import { noteText as t } from '../i18n/part-texts.ts'
import type { Flag } from '../plot/note-flags.ts'
import type { Words } from './pointer-overlay.ts'

const mostRows = 6
const mostLetters = 120

const cut = (text: string): string => (text.length > mostLetters ? `${text.slice(0, mostLetters)}…` : text)

/** The notes that share it. */
export function flagWords({ marks }: Flag): Words {
  const [first, ...others] = marks
  if (first.noteId === undefined) return { title: t('markOfMoment') }
  if (others.length === 0) return { title: t('number', { number: first.number }), rows: [{ label: cut(first.text), value: '' }] }
  const rows = marks.slice(0, mostRows).map(({ number, text }) => ({ label: cut(text), value: String(number) }))
  return { title: t('several', { count: marks.length }), rows }
}
