import { describe, expect, it } from 'vitest'
import { maxSidePx } from '../../../preload/contract/queries.ts'
import {
  cachedOf,
  externalOf,
  measuresAt,
  measuresOf,
  partOf,
  parts,
  pendingOf,
  returnableOf,
  roundingOf,
  strandedOf,
} from '../../space/measures.ts'
import { tilesOf } from '../../space/tiles.ts'
import { isMeanExact, rangeColumns, rangeStats } from './range-stats.ts'
import { curves, mebi, report } from './test-answers.ts'
import { fragmentationText as t } from './texts.ts'

describe('measures', () => {
  it('follow from the curves by the formulas of native/README.md', () => {
    const measures = measuresAt(curves, 3)
    expect(cachedOf(measures)).toBe(10 * mebi)
    expect(pendingOf(measures)).toBe(4 * mebi)
    expect(roundingOf(measures)).toBe(2 * mebi)
    expect(strandedOf(measures)).toBe(10 * mebi)
    expect(externalOf(measures)).toBeCloseTo(0.4)
  })

  it('fill what is reserved without a gap in every column', () => {
    for (const column of curves.data.repEvent.keys()) {
      const measures = measuresAt(curves, column)
      expect(parts.reduce((sum, part) => sum + partOf(measures, part), 0)).toBe(measures.reserved)
    }
  })

  it('show no fragmentation where nothing is free', () => expect(externalOf(measuresAt(curves, 2))).toBe(0))

  it('never call more returnable than is free, and never less than nothing stranded', () => {
    const bytes = { reserved: 10, active: 8, returnable: 5 }
    expect(returnableOf(bytes)).toBe(2)
    expect(strandedOf(bytes)).toBe(0)
  })
})

describe('tiles', () => {
  const measures = measuresOf(report.totals, 6)
  const tileOf = (name: string, requestBytes?: number) => tilesOf(measures, requestBytes, t).find((tile) => tile.name === name)

  it('say each measure with its definition', () => {
    expect(tilesOf(measures, undefined, t).map(({ value }) => value.replaceAll('\u00a0', ' '))).toEqual([
      '28.0 MiB',
      '24.0 MiB',
      '4.00 MiB',
      '7.00 MiB',
      '75.0 %',
      '7',
      '1.00 MiB',
    ])
    for (const tile of tilesOf(measures, undefined, t)) expect(tile.definition.length).toBeGreaterThan(8)
  })

  it('compare the largest free block with the request that failed, else with all free', () => {
    expect(tileOf('largestFree', 14 * mebi)?.note).toContain('50.0\u00a0% of the 14.0\u00a0MiB request')
    expect(tileOf('largestFree')?.note).toContain('25.0\u00a0% of all free')
  })

  it('give no share of nothing', () => {
    const empty = measuresOf({ ...report.totals, activeBytes: report.totals.reservedBytes, freeBlockCount: 0, largestFreeBytes: 0 }, 6)
    const tiles = tilesOf(empty, undefined, t)
    expect(tiles.find(({ name }) => name === 'external')?.value).toBe('—')
    expect(tiles.find(({ name }) => name === 'freeBlocks')?.note).toBe('nothing is free')
  })
})

describe('a range in numbers', () => {
  const first = curves.data

  it('has the least and the most of all events, and the mean', () => {
    expect(rangeStats(first, 'largestFree')).toEqual({ least: 0, most: 10 * mebi, mean: (45 / 8) * mebi })
    const hidden = {
      ...first,
      reserved: { ...first.reserved, min: first.reserved.min.map(() => 7), max: first.reserved.max.map(() => 1e9) },
    }
    expect(rangeStats(hidden, 'reserved')).toMatchObject({ least: 7, most: 1e9 })
    expect(
      rangeStats({ ...first, freeBlocks: { ...first.freeBlocks, rep: new Float64Array(8).fill(Number.NaN) } }, 'freeBlocks'),
    ).toBeUndefined()
  })

  it('is read one event a column where there are few, and says when its mean is not of all', () => {
    expect(rangeColumns('event', { x0: 10, x1: 30 })).toBe(20)
    expect(rangeColumns('event', { x0: 0, x1: 4e6 })).toBe(maxSidePx)
    expect(isMeanExact(first)).toBe(true)
    expect(isMeanExact({ ...first, lastEvent: first.lastEvent.map((event) => event + 3) })).toBe(false)
  })
})
