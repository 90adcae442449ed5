// Asks what a note says: a new one about a place, or one that is changed.
import { type FormEvent, useState } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { noteText, useTexts } from '../../i18n/part-texts.ts'
import { addNote, changeNote, mostNoteText, type Note, type NotePlace } from '../../state/notes.ts'
import { showDialog, showMessage } from '../../state/shell.ts'
import { announce } from '../../widgets/announce.ts'
import { Modal } from '../../widgets/modal.tsx'
import { placeWords } from '../place-words.ts'

interface NoteDialogProps {
  readonly capture: CaptureSummary
  readonly about: NotePlace | Note
}

/** The dialog: Enter keeps the text, Esc leaves all as it was. */
export function NoteDialog({ capture, about }: NoteDialogProps) {
  const t = useTexts(noteText)
  const known = 'id' in about ? about : undefined
  const place = 'id' in about ? about.place : about
  const [text, setText] = useState(known?.text ?? '')
  const close = () => showDialog(undefined)
  const keep = (event: FormEvent) => {
    event.preventDefault()
    close()
    if (known) changeNote(capture.captureId, known.id, text.trim())
    else if (addNote(capture.captureId, place, text.trim()) === undefined) showMessage(t('tooMany'), 'error')
    else announce(t('added'))
  }
  return (
    <Modal label={t(known ? 'edit' : 'new')} className='small-dialog' onClose={close}>
      <form className='note-form' onSubmit={keep}>
        <h1>{t(known ? 'edit' : 'new')}</h1>
        <p className='weak'>{placeWords(capture, place)}</p>
        <input
          type='text'
          aria-label={t('text')}
          placeholder={t('text')}
          maxLength={mostNoteText}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <div className='actions end'>
          <button type='button' className='button' onClick={close}>
            {t('cancel')}
          </button>
          <button type='submit' className='button primary'>
            {t('keep')}
          </button>
        </div>
      </form>
    </Modal>
  )
}
