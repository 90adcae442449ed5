import { describe, expect, it } from 'vitest'
import type { LifetimeRaster } from '../../../preload/contract/queries.ts'
import { foldedGrid, foldRaster, foldSpace, toEngineY, toShownY, unitsLeft } from './row-fold.ts'

const fold = [1, 4, 5]

describe('rows folded away by the filter', () => {
  it('leave the others one after the other, and both y are told from each other', () => {
    expect([0, 0.5, 1, 2.25].map((y) => toEngineY(fold, y))).toEqual([1, 1.5, 4, 5.25])
    expect([1, 2, 3].map((y) => toEngineY(fold, y, true))).toEqual([2, 5, 6])
    expect([1, 4.5, 5, 3].map((y) => toShownY(fold, y))).toEqual([0, 1.5, 2, undefined])
    expect(toEngineY(undefined, 2.5)).toBe(2.5)
  })

  it('lose their names with them', () => {
    const rows = Array.from({ length: 6 }, (_, unit) => ({ y0: unit, y1: unit + 1, stackId: unit, count: 1, title: `stack ${unit}` }))
    const folded = foldSpace({ y1: 6, rows }, fold)
    expect(folded.y1).toBe(3)
    expect(folded.rows.map(({ y0, title }) => [y0, title])).toEqual([
      [0, 'stack 1'],
      [1, 'stack 4'],
      [2, 'stack 5'],
    ])
  })

  it('are those in which a raster of the filtered shows nothing', () => {
    // One column, six rows, the lowest first: units 5, 4, 3, 2, 1, 0.
    expect(unitsLeft({ columns: 1, rows: 6, cells: new Uint8Array([2, 65, 0, 0, 63, 0]) }, 6)).toEqual(fold)
  })

  it('are cut out of the raster, which keeps the others in their order', () => {
    const grid = foldedGrid(fold, { y0: 0.4, y1: 2.6 }, 12, 2, 4096)
    expect(grid).toEqual({ y: { y0: 1, y1: 6 }, shown: { y0: 0, y1: 3 }, rows: 20, perUnit: 4 })
    const unitOf = (row: number) => 5 - Math.floor(row / 4)
    const cells = new Uint8Array(40).map((_, at) => 10 * Math.floor(at / 20) + unitOf(at % 20))
    const folded = foldRaster({ columns: 2, rows: 20, cells } as LifetimeRaster, fold, grid)
    expect(folded.rows).toBe(12)
    expect([...folded.cells]).toEqual([5, 4, 1, 15, 14, 11].flatMap((cell) => [cell, cell, cell, cell]))
  })
})
