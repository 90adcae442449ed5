import { beforeEach, describe, expect, it } from 'vitest'
import {
  addNote,
  canRedo,
  canUndo,
  changeNote,
  deleteNote,
  mostNoteText,
  type NotePlace,
  noteStates,
  notesOf,
  readNotes,
  redo,
  setMark,
  setNotes,
  undo,
} from './notes.ts'

const range: NotePlace = { kind: 'range', device: 0, axis: 'event', x0: 10, x1: 20 }
const texts = (): string[] => notesOf('c').map(({ text }) => text)
const add = (text: string): string => addNote('c', range, text) ?? ''

describe('notes', () => {
  beforeEach(() => setNotes('c', []))

  it('are undone and redone edit by edit: added, changed, deleted', () => {
    const first = add('first')
    add('second')
    changeNote('c', first, 'first, better')
    deleteNote('c', first)
    expect(texts()).toEqual(['second'])
    const seen = []
    for (; canUndo('c'); undo('c')) seen.push(texts())
    expect(seen).toEqual([['second'], ['first, better', 'second'], ['first', 'second'], ['first']])
    expect(texts()).toEqual([])
    for (; canRedo('c'); redo('c'));
    expect(texts()).toEqual(['second'])
  })

  it('lose what was undone with the next edit, and count no edit that changes nothing', () => {
    const first = add('first')
    undo('c')
    const second = add('second')
    expect(canRedo('c')).toBe(false)
    changeNote('c', second, 'second')
    deleteNote('c', first)
    undo('c')
    expect(texts()).toEqual([])
    expect(canUndo('c')).toBe(false)
  })

  it('are cut to a length and a number that can be kept', () => {
    add('a'.repeat(mostNoteText + 1))
    expect(texts()[0]).toHaveLength(mostNoteText)
    const note = notesOf('c')[0]
    setNotes('c', Array(500).fill(note))
    expect(addNote('c', range, 'one too many')).toBeUndefined()
    expect(notesOf('c')).toHaveLength(500)
  })

  it('take the place of the mark of the moment', () => {
    setMark('c', range)
    undo('c')
    expect(noteStates('c').getState().mark).toEqual(range)
    add('kept')
    expect(noteStates('c').getState().mark).toBeUndefined()
  })

  it('come back as they were, and what is none among what was kept is left out', () => {
    const good = { id: 'a', text: 'here', place: range, made: 5 }
    const held = { id: 'b', text: '', place: { kind: 'allocation', device: 0, allocationId: 7, name: 'forward' }, made: 6 }
    const bad = [
      null,
      7,
      { ...good, id: '' },
      { ...good, id: 'c', text: 5 },
      { ...good, id: 'd', text: 'a'.repeat(mostNoteText + 1) },
      { ...good, id: 'e', place: { ...range, x0: 30 } },
      { ...good, id: 'f', place: { ...range, x1: null } },
      { ...good, id: 'g', place: { ...held.place, allocationId: -1 } },
      { ...good, text: 'an id that has come before' },
    ]
    expect(readNotes([good, ...bad, held])).toEqual([good, held])
    expect(readNotes(JSON.parse(JSON.stringify([good, held])))).toEqual([good, held])
  })
})
