// The legend's entries and which of them is on.
import { describe, expect, it } from 'vitest'
import { isEmphasised, legendOf } from './legend.ts'

const name = (nameId: number, slot: number) => ({ nameId, text: `name ${nameId}`, count: 2, totalNs: 100 - nameId, slot })
const category = (categoryId: number, count: number) => ({
  categoryId,
  kind: 'other',
  text: 'kernel',
  count,
  totalNs: 5,
  slot: 1 + categoryId,
})
const tracks = { names: [name(7, 1), name(3, 2), name(9, 3)], nameCount: 40, categories: [category(0, 3), category(1, 0)] }

describe('legend', () => {
  it('lists the first names and says how many there are', () => {
    const { entries, count } = legendOf(tracks, 'name', 2)
    expect(entries.map(({ id, slot }) => [id, slot])).toEqual([
      [7, 1],
      [3, 2],
    ])
    expect(count).toBe(40)
  })

  it('leaves out categories without slices', () => {
    expect(legendOf(tracks, 'category', 12)).toMatchObject({ entries: [{ id: 0, slot: 1 }], count: 1 })
  })

  it('marks the one name that is searched for, not one among others', () => {
    const [first] = legendOf(tracks, 'name', 1).entries
    if (!first) throw new Error('no entry')
    expect(isEmphasised(first, undefined, { text: '', names: [7], sliceCount: 2 })).toBe(true)
    expect(isEmphasised(first, undefined, { text: '', names: [7, 3], sliceCount: 4 })).toBe(false)
    expect(isEmphasised(first, [1], undefined)).toBe(false)
  })

  it('marks a category by its colour', () => {
    const [first] = legendOf(tracks, 'category', 1).entries
    if (!first) throw new Error('no entry')
    expect(isEmphasised(first, [1], undefined)).toBe(true)
    expect(isEmphasised(first, [2], undefined)).toBe(false)
  })
})
