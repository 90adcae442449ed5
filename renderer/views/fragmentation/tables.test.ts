import { describe, expect, it } from 'vitest'
import type { Segments } from '../../../preload/contract/queries.ts'
import { largestFreeAddress } from './actions.ts'
import { groupName } from './group-cells.ts'
import { groupRows, groupsCsv, groupValue, sortGroups } from './groups.ts'
import { measuresAt } from './measures.ts'
import { mismatchSentence } from './mismatch.ts'
import { keyMoments, momentsCsv, sortMoments } from './moments.ts'
import { layoutPage } from './picture-layout.ts'
import { curves, device, mebi, report } from './test-answers.ts'
import { fragmentationText as t } from './texts.ts'

describe('groups', () => {
  const rows = groupRows(report, 6)

  it('sort by a column, private pools always last', () => {
    const byReserved = sortGroups(rows, { column: 'reserved', descending: true })
    expect(byReserved.map((row) => groupName(row, t))).toEqual(['default · 0 · large', 'default · 0 · small', '(1,0) · 7 · large'])
    const ascending = sortGroups(rows, { column: 'reserved', descending: false })
    expect(ascending.map(({ isPrivate }) => isPrivate)).toEqual([false, false, true])
    expect(groupValue(ascending[0] ?? rows[0] ?? { segments: 0, measures: measuresAt(curves, 0) }, 'reserved')).toBe(2 * mebi)
  })

  it('add up to the totals', () => {
    const sum = rows.reduce((all, row) => all + groupValue(row, 'cached'), 0)
    expect(sum).toBe(report.totals.freeBytes)
  })

  it('come as CSV in the order shown', () => {
    const lines = groupsCsv(sortGroups(rows, { column: 'reserved', descending: true })).split('\n')
    expect(lines[1]).toBe(`"(0,0)",0,large,1,${30 * mebi},0,${10 * mebi},0,${20 * mebi},5,${7 * mebi},0,${20 * mebi},0`)
  })
})

describe('key moments', () => {
  it('are start, peak, failures, cursor and end in the order of events', () => {
    expect(keyMoments(device, 4).map(({ kind, event }) => `${kind} ${event}`)).toEqual(['start -1', 'peak 2', 'cursor 4', 'oom 6', 'end 7'])
  })

  it('are the dump alone where there is no history', () =>
    expect(keyMoments({ ...device, eventCount: 0, ooms: [] }, undefined)).toEqual([{ kind: 'end', event: -1 }]))

  it('sort by a measure, told apart by their events whatever order the answer has', () => {
    const answer = [7, 6, 2].map((column) => measuresAt(curves, column))
    const rows = sortMoments(keyMoments(device, undefined).slice(1), answer, { column: 'stranded', descending: false })
    expect(rows.map(({ moment, measures }) => [moment.kind, measures?.event])).toEqual([
      ['peak', 2],
      ['oom', 6],
      ['end', 7],
    ])
    const upside = sortMoments(keyMoments(device, undefined), undefined, { column: 'event', descending: true })
    expect(upside.map(({ moment }) => moment.kind)).toEqual(['end', 'oom', 'peak', 'start'])
  })

  it('come as CSV with exact numbers', () => {
    const rows = sortMoments(keyMoments(device, undefined).slice(2, 3), [measuresAt(curves, 6)], { column: 'event', descending: false })
    const [head, line] = momentsCsv(rows).split('\n')
    expect(head?.split(',').slice(0, 4)).toEqual(['moment', 'event', 'time_ns', 'reserved_bytes'])
    expect(line).toBe(`oom,6,6000000,${[40, 12, 0, 1, 28, 24, 4, 7].map((mib) => mib * mebi).join()},7,0.75,${24 * mebi}`)
  })
})

describe('the mismatch in one sentence', () => {
  const placed = { device: 0, event: 6, timeNs: 6e6, value: report }

  it('counts the requests that were larger than any free block', () =>
    expect(mismatchSentence(placed, t)).toContain('10 of 100 requests so far (10.0\u00a0%)'))

  it('says so where nothing is free', () => {
    const full = { ...placed, value: { ...report, totals: { ...report.totals, largestFreeBytes: 0 } } }
    expect(mismatchSentence(full, t)).toContain('Nothing is free')
  })
})

describe('largestFreeAddress', () => {
  const segments = {
    addresses: ['0x7f0000000000', '0x7f0000200000', '0x7f0000400000'],
    largestFreeBytes: new Float64Array([4096, 1 << 20, 1 << 20]),
    largestFreeOffset: new Float64Array([0, 512, 1024]),
    pools: ['(0,0)', '(0,0)', '(1,0)'],
    streams: ['0', '0', '7'],
    isSmall: new Float64Array([1, 0, 0]),
  } as unknown as Segments

  it('is the lowest of the largest blocks', () => expect(largestFreeAddress(segments)).toBe('0x7f0000200200'))

  it('looks only at segments of the kind asked for', () => {
    expect(largestFreeAddress(segments, { pool: '(1,0)', stream: '7', segmentType: 'large' })).toBe('0x7f0000400400')
    expect(largestFreeAddress(segments, { pool: '(0,0)', stream: '0', segmentType: 'small' })).toBe('0x7f0000000000')
    expect(largestFreeAddress(segments, { pool: '(9,9)', stream: '0', segmentType: 'large' })).toBeUndefined()
  })
})

describe('the report page', () => {
  it.each([
    [1600, 900, true],
    [900, 700, true],
    [1000, 420, true],
    [1600, 900, false],
    [400, 300, true],
  ])('keeps its parts apart and inside at %i × %i, history %s', (widthPx, heightPx, hasEvents) => {
    const { tiles, curves: lines, sizes, groups } = layoutPage(widthPx, heightPx, 0, hasEvents)
    const tilesEnd = Math.max(...tiles.map(({ yPx, heightPx: each }) => yPx + each))
    const curvesEnd = lines ? lines.shares.yPx + lines.shares.heightPx : tilesEnd
    if (lines) expect(lines.ruler.yPx).toBeGreaterThanOrEqual(tilesEnd)
    for (const frame of [sizes, groups]) {
      if (!frame) continue
      expect(frame.yPx).toBeGreaterThanOrEqual(curvesEnd)
      expect(frame.yPx + frame.heightPx).toBeLessThanOrEqual(heightPx)
      expect(frame.xPx + frame.widthPx).toBeLessThanOrEqual(widthPx)
    }
    if (sizes && groups) expect(groups.xPx).toBeGreaterThanOrEqual(sizes.xPx + sizes.widthPx)
  })
})
