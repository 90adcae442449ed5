// The notes of a capture in the side bar: number, text and place; a click goes there, Delete takes one away.
import { Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { registerCommands } from '../commands/registry.ts'
import { editNote, goToNote, removeNote } from '../focus/note-actions.ts'
import { noteText, useTexts } from '../i18n/part-texts.ts'
import { NoteFlag } from '../panels/note-flag.tsx'
import { type Note, notesOf, useNotes } from '../state/notes.ts'
import { placeWords } from './place-words.ts'

/** Where a note of the list has the focus: its place in the list. */
function focusedAt(list: HTMLElement | null): number {
  const item = document.activeElement?.closest('li')
  return list && item?.parentElement === list ? [...list.children].indexOf(item) : -1
}

/** The section; nothing while there are no notes. */
export function NotesSection({ capture }: { readonly capture: CaptureSummary }) {
  const t = useTexts(noteText)
  const { captureId } = capture
  const notes = useNotes(captureId, (state) => state.notes)
  const list = useRef<HTMLOListElement>(null)
  const focusNext = useRef<number>(undefined)
  useEffect(
    () =>
      registerCommands({
        'edit.deleteNote': {
          when: () => focusedAt(list.current) >= 0,
          run: () => {
            const at = focusedAt(list.current)
            const note = notesOf(captureId)[at]
            focusNext.current = at
            if (note) removeNote(captureId, note)
          },
        },
      }),
    [captureId],
  )
  // The focus stays in the list: on the note that took the place of the one deleted.
  useEffect(() => {
    const at = focusNext.current
    focusNext.current = undefined
    if (at === undefined) return
    const item = list.current?.children[Math.min(at, notes.length - 1)]
    item?.querySelector('button')?.focus()
  }, [notes])
  if (notes.length === 0) return null
  return (
    <section className='panel-section' aria-labelledby='notes-title'>
      <h2 id='notes-title'>{t('title')}</h2>
      <ol ref={list} className='notes'>
        {notes.map((note, index) => (
          <NoteItem key={note.id} capture={capture} note={note} number={index + 1} />
        ))}
      </ol>
    </section>
  )
}

interface NoteItemProps {
  readonly capture: CaptureSummary
  readonly note: Note
  readonly number: number
}

function NoteItem({ capture, note, number }: NoteItemProps) {
  const t = useTexts(noteText)
  const place = placeWords(capture, note.place)
  const text = note.text || t('noText')
  return (
    <li>
      <button type='button' className='note-go' title={`${text}\n${place}`} onClick={() => void goToNote(capture, note)}>
        <NoteFlag number={number} />
        <span className='visually-hidden'>{t('spoken', { number })} </span>
        <span className='note-words'>
          <span className='t1 truncate'>{text} </span>
          <span className='weak truncate'>{place}</span>
        </span>
      </button>
      <button
        type='button'
        className='icon-button'
        aria-label={t('editOf', { number })}
        title={t('editOf', { number })}
        onClick={() => editNote(note)}
      >
        <Pencil aria-hidden='true' size={14} />
      </button>
      <button
        type='button'
        className='icon-button'
        aria-label={t('deleteOf', { number })}
        title={t('deleteOf', { number })}
        onClick={() => removeNote(capture.captureId, note)}
      >
        <Trash2 aria-hidden='true' size={14} />
      </button>
    </li>
  )
}
