import { describe, expect, it } from 'vitest'
import {
  clampScroll,
  counterPx,
  lanePx,
  lanesOf,
  layoutRows,
  memoryPx,
  processPx,
  type RowsLook,
  rowPaddingPx,
  scrollTo,
  shownRows,
} from './layout.ts'
import { tracks } from './test-answers.ts'

const lookAt = (patch: Partial<RowsLook> = {}): RowsLook => ({
  tracks,
  devices: [0, -1],
  collapsed: new Set(),
  pinned: [],
  plotPx: 400,
  ...patch,
})
const keysOf = (rows: readonly { readonly key: string }[]) => rows.map(({ key }) => key)
const plot = { yPx: 100, heightPx: 400 }

describe('rows', () => {
  it('stand in order: memory, then each process with its tracks and counters', () => {
    expect(keysOf(layoutRows(lookAt()).rows)).toEqual(['m0', 'm-1', 'p0', 't0', 't1', 'c5', 'p1', 't3'])
  })

  it('lie below each other without gaps, a track as high as its lanes', () => {
    const { rows, contentPx } = layoutRows(lookAt())
    const ends = rows.map(({ yPx, heightPx }) => yPx + heightPx)
    expect(rows.slice(1).map(({ yPx }) => yPx)).toEqual(ends.slice(0, -1))
    expect(contentPx).toBe(ends.at(-1))
    const lanes = (count: number) => count * lanePx + 2 * rowPaddingPx
    expect(rows.map(({ heightPx }) => heightPx)).toEqual([
      memoryPx,
      memoryPx,
      processPx,
      lanes(3),
      lanes(1),
      counterPx,
      processPx,
      lanes(1),
    ])
  })

  it('are hidden with their process, and a folded track keeps its first lane', () => {
    const { rows } = layoutRows(lookAt({ collapsed: new Set(['p1', 't0']) }))
    expect(keysOf(rows)).toEqual(['m0', 'm-1', 'p0', 't0', 't1', 'c5', 'p1'])
    expect(rows[3]).toMatchObject({ isCollapsed: true, laneCount: 1, heightPx: lanePx + 2 * rowPaddingPx })
  })

  it('that are pinned stand on top in the order of pinning and nowhere else, also out of a folded process', () => {
    const { pinned, rows, pinnedPx } = layoutRows(lookAt({ pinned: ['t3', 'm0'], collapsed: new Set(['p1']) }))
    expect(keysOf(pinned)).toEqual(['t3', 'm0'])
    expect(keysOf(rows)).toEqual(['m-1', 'p0', 't0', 't1', 'c5', 'p1'])
    expect(pinnedPx).toBe(lanePx + 2 * rowPaddingPx + memoryPx)
  })

  it('that are pinned leave room for the others: what does not fit stays in its place', () => {
    const { pinned, rows } = layoutRows(lookAt({ pinned: ['m0', 'm-1', 'c5'], plotPx: 100 }))
    expect(keysOf(pinned)).toEqual(['m0'])
    expect(keysOf(rows)).toContain('m-1')
  })

  it('ignore pins of rows that are not there, and of processes', () => {
    expect(layoutRows(lookAt({ pinned: ['t99', 'p0'] })).pinned).toEqual([])
  })

  it('lose none of 20,000 tracks', () => {
    const many = Array.from({ length: 20_000 }, (_, trackId) => ({
      ...tracks.tracks[3],
      trackId,
      firstLane: trackId,
    })) as typeof tracks.tracks
    const { rows } = layoutRows(lookAt({ tracks: { ...tracks, tracks: many }, devices: [] }))
    expect(rows.length).toBe(20_001)
    const shown = shownRows({ pinned: [], rows, pinnedPx: 0, contentPx: 1e6, byKey: new Map() }, 220_000, plot)
    expect(shown[0]?.topPx).toBeLessThanOrEqual(100)
    expect(shown.length).toBeLessThan(25)
  })
})

describe('scrolling', () => {
  const rows = layoutRows(lookAt({ pinned: ['m0'], plotPx: 160 }))
  const low = { yPx: 100, heightPx: 160 }

  it('stays inside what there is, at even positions', () => {
    expect(clampScroll(-20, rows, 160)).toBe(0)
    expect(clampScroll(1e9, rows, 160)).toBe(rows.contentPx - (160 - rows.pinnedPx))
    expect(clampScroll(17, rows, 160) % 2).toBe(0)
    expect(clampScroll(50, rows, 10_000)).toBe(0)
  })

  it('moves the rows below the pinned ones and shows those in sight alone', () => {
    const shown = shownRows(rows, 74, low)
    expect(keysOf(shown.map(({ row }) => row))).toEqual(['m0', 't0', 't1', 'c5', 'p1'])
    expect(shown.map(({ topPx }) => topPx)).toEqual([100, 146, 204, 226, 258])
  })

  it('asks for the lanes in sight alone, those of pinned rows first, up to the limit', () => {
    const all = layoutRows(lookAt({ pinned: ['t3'] }))
    const shown = shownRows(all, 0, plot)
    expect(lanesOf(shown, all, plot, 10)).toEqual([3, 0, 1, 2])
    expect(lanesOf(shown, all, plot, 2)).toEqual([3, 0])
    const track = shown.find(({ row }) => row.key === 't0')?.topPx ?? 0
    expect(lanesOf(shown, all, { yPx: 100, heightPx: track - 100 + rowPaddingPx + lanePx + 1 }, 10)).toEqual([3, 0, 1])
    const below = rowPaddingPx + lanePx + 1
    const scrolled = shownRows(all, (all.byKey.get('t0')?.yPx ?? 0) + below, plot)
    expect(lanesOf(scrolled, all, plot, 10)).toEqual([3, 1, 2])
  })

  it('brings a row into sight, and does not move for one that is', () => {
    expect(scrollTo(10, 20, 0, rows, 160)).toBe(0)
    const to = scrollTo(200, 20, 0, rows, 160)
    expect(to).toBeLessThanOrEqual(200)
    expect(to + 160 - rows.pinnedPx).toBeGreaterThanOrEqual(220)
  })
})
