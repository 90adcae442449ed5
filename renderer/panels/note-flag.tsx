// The flag of a note in lists and panels: its number, as on the ruler.
import { noteText, useTexts } from '../i18n/part-texts.ts'
import { useNotes } from '../state/notes.ts'

/** A note's flag. */
export const NoteFlag = ({ number }: { readonly number: number }) => (
  <span className='note-flag' aria-hidden='true'>
    {number}
  </span>
)

interface AllocationFlagProps {
  readonly captureId: string
  readonly allocationId: number
}

/** The flag of the first note on an allocation, with its text as a tooltip; nothing without one. */
export function AllocationFlag({ captureId, allocationId }: AllocationFlagProps) {
  const t = useTexts(noteText)
  const at = useNotes(captureId, ({ notes }) =>
    notes.findIndex(({ place }) => place.kind === 'allocation' && place.allocationId === allocationId),
  )
  const text = useNotes(captureId, ({ notes }) => notes[at]?.text)
  if (text === undefined) return null
  return (
    <span title={text}>
      <NoteFlag number={at + 1} />
      <span className='visually-hidden'>{t('spokenFlag', { number: at + 1, text })}</span>
    </span>
  )
}
