// Searching the slices of lanes, on a plain table that stands for the relation.
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { IndexStore } from '../../main/engine/index-store.ts'
import { rangesInTime, type SliceRange, TraceLanes } from '../../main/engine/queries/trace-lanes.ts'
import { scratchFolder } from '../support/paths.ts'
import { expectValue } from './engine-client.ts'

const scratch = scratchFolder('trace-lanes')
let store: IndexStore
let file = 0

beforeEach(async () => {
  store = expectValue(await IndexStore.open(join(scratch.path, `${file++}.db`), 'write'))
  expectValue(await store.exec('CREATE TABLE slice(slice_id INTEGER PRIMARY KEY, start_ns INTEGER NOT NULL)'))
  expectValue(
    await store.exec('CREATE TABLE lane(lane_id INTEGER PRIMARY KEY, track_id INTEGER, first_slice INTEGER, slice_count INTEGER)'),
  )
  return () => store.close()
})
afterAll(() => scratch.remove())

/** starts: of each lane, ascending. */
async function fill(starts: readonly (readonly number[])[]): Promise<SliceRange[]> {
  let next = 0
  const ranges: SliceRange[] = []
  for (const [lane, own] of starts.entries()) {
    expectValue(await store.all('INSERT INTO lane VALUES (?, ?, ?, ?)', [lane, Math.floor(lane / 2), next, own.length]))
    ranges.push({ from: next, to: next + own.length })
    next += own.length
  }
  expectValue(await store.all('INSERT INTO slice SELECT key, value FROM json_each(?)', [JSON.stringify(starts.flat())]))
  return ranges
}

describe('the slices of a stretch of time', () => {
  test('are found in each lane, with the one before that may reach into it', async () => {
    const lanes = fc.array(
      fc.array(fc.integer({ min: -50, max: 50 })).map((starts) => starts.sort((a, b) => a - b)),
      { maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(lanes, fc.integer({ min: -60, max: 60 }), fc.integer({ min: 1, max: 60 }), async (starts, fromNs, length) => {
        expectValue(await store.exec('DELETE FROM lane; DELETE FROM slice'))
        const ranges = await fill(starts)
        const toNs = fromNs + length
        const expected = ranges.flatMap(({ from }, lane) => {
          const own = starts[lane] ?? []
          const startsBefore = (bound: number) => own.filter((start) => start < bound).length
          const found = { from: from + Math.max(0, startsBefore(fromNs) - 1), to: from + startsBefore(toNs) }
          return found.from < found.to ? [found] : []
        })
        expect(expectValue(await rangesInTime(store, ranges, fromNs, toNs))).toEqual(expected)
      }),
      { numRuns: 50 },
    )
  })
})

describe('the lane of a slice', () => {
  test('is the one whose range holds it, and lanes are known by their track', async () => {
    await fill([[1, 2], [1], [0, 1, 2], [5]])
    const lanes = expectValue(await TraceLanes.read(store))
    expect([0, 1, 2, 3, 5, 6].map((sliceId) => lanes.laneOf(sliceId))).toEqual([0, 0, 1, 2, 2, 3])
    expect(lanes.lanesOf([1])).toEqual([2, 3])
    expect(lanes.lanesOf(null)).toEqual([0, 1, 2, 3])
    expect(lanes.slicesOf(2)).toEqual({ from: 3, to: 6 })
    expect(lanes.trackOf(3)).toBe(1)
  })
})
