// Notes on the selected allocation, and the way to another.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../preload/contract/queries.ts'
import { askAllocationNote, editNote } from '../focus/note-actions.ts'
import { noteText, useTexts } from '../i18n/part-texts.ts'
import { useNotes } from '../state/notes.ts'
import { NoteFlag } from './note-flag.tsx'

interface AllocationNotesProps {
  readonly capture: CaptureSummary
  readonly details: AllocationDetails
}

/** The notes with their flags; a click on one changes it. */
export function AllocationNotes({ capture, details }: AllocationNotesProps) {
  const t = useTexts(noteText)
  const notes = useNotes(capture.captureId, (state) => state.notes)
  const own = notes.flatMap((note, index) =>
    note.place.kind === 'allocation' && note.place.allocationId === details.allocationId ? [{ note, number: index + 1 }] : [],
  )
  return (
    <section className='panel-section' aria-labelledby='allocation-notes-title'>
      <div className='panel-head'>
        <h3 id='allocation-notes-title'>{t('title')}</h3>
        <button type='button' className='link-button' onClick={() => askAllocationNote(capture, details)}>
          {t('add')}
        </button>
      </div>
      {own.map(({ note, number }) => (
        <button key={note.id} type='button' className='note-go' title={t('editOf', { number })} onClick={() => editNote(note)}>
          <NoteFlag number={number} />
          <span className='t1 note-full'>{note.text || t('noText')}</span>
        </button>
      ))}
    </section>
  )
}
