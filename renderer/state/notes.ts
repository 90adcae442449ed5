// Notes and the mark of the moment: places in a capture that the user wants to come back to. Edits of notes are undone apart from the view
// history: undo never moves the view.

import { z } from 'zod'
import { useStore } from 'zustand'
import { axisSchema } from '../../preload/contract/queries.ts'
import { mostNotes } from '../../preload/contract/session.ts'
import { captureStores } from '../data/capture-stores.ts'

export const mostNoteText = 2000 // characters
const mostName = 300
const mostEdits = 100

const device = z.number().int().min(-1)

const notePlaceSchema = z.discriminatedUnion('kind', [
  /** A stretch of an axis, half-open and in its units; a moment is that of its event alone. */
  z.object({ kind: z.literal('range'), device, axis: axisSchema, x0: z.number(), x1: z.number() }).refine(({ x0, x1 }) => x1 >= x0),
  /** name: what the allocation is called in lists. */
  z.object({
    kind: z.literal('allocation'),
    device,
    allocationId: z.number().int().nonnegative(),
    name: z.string().max(mostName),
  }),
])
export type NotePlace = Readonly<z.infer<typeof notePlaceSchema>>

const noteSchema = z.object({
  id: z.string().min(1).max(64),
  text: z.string().max(mostNoteText),
  place: notePlaceSchema,
  made: z.number(), // Unix time in milliseconds
})
export type Note = Readonly<z.infer<typeof noteSchema>>

type Notes = readonly Note[]

interface NotesState {
  readonly notes: Notes // in the order in which they were made: a note's number is its place here, from 1
  readonly mark: NotePlace | undefined // of the moment: the next one replaces it
  readonly undone: readonly Notes[] // what redo brings, next first
  readonly done: readonly Notes[] // what undo brings, next last
}

/** The store of a capture. */
export const noteStates = captureStores<NotesState>({ notes: [], mark: undefined, undone: [], done: [] })

/** Part of it in React. */
export const useNotes = <T>(captureId: string, pick: (state: NotesState) => T): T => useStore(noteStates(captureId), pick)

/** The notes of a capture. */
export const notesOf = (captureId: string): Notes => noteStates(captureId).getState().notes

/** Enters the notes of a capture that was just opened: there is nothing to undo. */
export const setNotes = (captureId: string, notes: Notes): void =>
  noteStates(captureId).setState({ notes, mark: undefined, undone: [], done: [] })

/** The notes among what was kept; what is none is left out, and so is one of an id that has come before. */
export function readNotes(kept: readonly unknown[]): Notes {
  const byId = new Map<string, Note>()
  for (const each of kept.slice(0, mostNotes)) {
    const { data } = noteSchema.safeParse(each)
    if (data && !byId.has(data.id)) byId.set(data.id, data)
  }
  return [...byId.values()]
}

function edit(captureId: string, change: (notes: Notes) => Notes): void {
  const { notes, done } = noteStates(captureId).getState()
  noteStates(captureId).setState({ notes: change(notes), done: [...done, notes].slice(-mostEdits), undone: [] })
}

/** Adds a note; answers its id, undefined when there are as many as are kept. The mark of the moment has done its duty. */
export function addNote(captureId: string, place: NotePlace, text: string): string | undefined {
  if (notesOf(captureId).length >= mostNotes) return undefined
  const named = place.kind === 'allocation' ? { ...place, name: place.name.slice(0, mostName) } : place
  const note: Note = { id: crypto.randomUUID(), text: text.slice(0, mostNoteText), place: named, made: Date.now() }
  edit(captureId, (notes) => [...notes, note])
  noteStates(captureId).setState({ mark: undefined })
  return note.id
}

/** Changes what a note says. */
export function changeNote(captureId: string, id: string, text: string): void {
  const note = notesOf(captureId).find((each) => each.id === id)
  if (note && note.text !== text)
    edit(captureId, (notes) => notes.map((each) => (each.id === id ? { ...each, text: text.slice(0, mostNoteText) } : each)))
}

export function deleteNote(captureId: string, id: string): void {
  if (notesOf(captureId).some((each) => each.id === id)) edit(captureId, (notes) => notes.filter((each) => each.id !== id))
}

/** Marks a place for the moment; undefined takes the mark away. */
export const setMark = (captureId: string, mark: NotePlace | undefined): void => noteStates(captureId).setState({ mark })

export const canUndo = (captureId: string): boolean => noteStates(captureId).getState().done.length > 0
export const canRedo = (captureId: string): boolean => noteStates(captureId).getState().undone.length > 0

/** Takes the last edit of notes back. */
export function undo(captureId: string): void {
  const { notes, done, undone } = noteStates(captureId).getState()
  const before = done.at(-1)
  if (before) noteStates(captureId).setState({ notes: before, done: done.slice(0, -1), undone: [notes, ...undone] })
}

/** Makes the edit again that was taken back last. */
export function redo(captureId: string): void {
  const { notes, done, undone } = noteStates(captureId).getState()
  const [after, ...rest] = undone
  if (after) noteStates(captureId).setState({ notes: after, done: [...done, notes], undone: rest })
}
