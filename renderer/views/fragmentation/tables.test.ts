import { describe, expect, it } from 'vitest'
import type { Segments } from '../../../preload/contract/queries.ts'
import { groupName } from '../../space/group-cells.ts'
import { groupRows, groupsCsv, groupValue, sortGroups } from '../../space/groups.ts'
import { measuresAt } from '../../space/measures.ts'
import { pinsSentence, stacksOf, stackWords } from '../../space/pins.ts'
import { dark } from '../../theme/tokens.ts'
import { largestFreeAddress } from './actions.ts'
import { mismatchSentence } from './mismatch.ts'
import { failuresLeftOut, keyMoments, momentsCsv, sortMoments } from './moments.ts'
import { layoutPage } from './picture-layout.ts'
import { drawLegend } from './picture-legend.ts'
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

  it('hold the first hundred failures, and the rest is counted', () => {
    const ooms = Array.from({ length: 130 }, (_, event) => ({ event, timeNs: 0, sizeBytes: 1, deviceFreeBytes: 0 }))
    const events = keyMoments({ ...device, eventCount: 200, ooms }, undefined).flatMap(({ kind, event }) => (kind === 'oom' ? [event] : []))
    expect([events.length, events.at(-1), failuresLeftOut({ oomCount: 1300 })]).toEqual([100, 99, 1200])
  })

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

  it('speaks of one request in the singular', () => {
    const [bin] = report.requestSizes
    const requestSizes = bin
      ? [
          { ...bin, count: 82 },
          { fromBytes: 16 * mebi, toBytes: 19_951_585, count: 1, bytes: 16 * mebi },
        ]
      : []
    expect(mismatchSentence({ ...placed, value: { ...report, requestSizes } }, t)).toContain(
      '1 of 83 requests so far (1.2\u00a0%) was larger',
    )
  })

  it('says so where nothing is free', () => {
    const full = { ...placed, value: { ...report, totals: { ...report.totals, largestFreeBytes: 0 } } }
    expect(mismatchSentence(full, t)).toContain('Nothing is free')
  })
})

describe('pins', () => {
  const holder = (allocationId: number, stackId: number, mib: number) => ({
    allocationId,
    address: '0x7f',
    sizeBytes: mib * mebi,
    stackId,
    sinceEvent: 3,
    title: `make_${stackId}`,
    place: stackId === 9 ? '' : `cases.py:${stackId}`,
  })
  const segment = { segmentAddress: '0x7f86b6000000', totalBytes: 240 * mebi, freeBytes: 208 * mebi, largestFreeBytes: 0 }
  const few = { ...segment, activeCount: 3, activeBytes: 32 * mebi, holders: [holder(1, 9, 20), holder(2, 461, 6), holder(3, 461, 6)] }
  const many = {
    ...few,
    activeCount: 21,
    stacks: [{ stackId: 461, title: 'make_461', place: 'cases.py:461', allocationId: 2, count: 21, bytes: 32 * mebi }],
  }

  it('have one row a stack, of all active blocks where the largest are not all', () => {
    expect(stacksOf(few).map((stack) => stackWords(stack, t))).toEqual(['make_9 × 1, 20.0\u00a0MiB', 'cases.py:461 × 2, 12.0\u00a0MiB'])
    expect(stacksOf(few).map(({ allocationId }) => allocationId)).toEqual([1, 2])
    expect(stacksOf(many).map((stack) => stackWords(stack, t))).toEqual(['cases.py:461 × 21, 32.0\u00a0MiB'])
  })

  it('are summed up in one sentence', () => {
    expect(pinsSentence([], t)).toBeUndefined()
    expect(pinsSentence([many, many], t)).toBe(
      '2 segments keep 416\u00a0MiB free for 64.0\u00a0MiB of active blocks; all from cases.py:461.',
    )
    expect(pinsSentence([few], t)).toBe(
      '1 segment keeps 208\u00a0MiB free for 32.0\u00a0MiB of active blocks; 20.0\u00a0MiB of these from make_9.',
    )
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
    const { tiles, legend, curves: lines, sizes, groups } = layoutPage(widthPx, heightPx, 0, hasEvents)
    const tilesEnd = Math.max(...tiles.map(({ yPx, heightPx: each }) => yPx + each))
    const curvesEnd = lines ? lines.shares.yPx + lines.shares.heightPx : tilesEnd
    expect(legend === undefined).toBe(lines === undefined)
    if (legend) expect(legend.yPx).toBeGreaterThanOrEqual(tilesEnd)
    if (lines && legend) expect(lines.ruler.yPx).toBeGreaterThanOrEqual(legend.yPx + legend.heightPx)
    for (const frame of [sizes, groups]) {
      if (!frame) continue
      expect(frame.yPx).toBeGreaterThanOrEqual(curvesEnd)
      expect(frame.yPx + frame.heightPx).toBeLessThanOrEqual(heightPx)
      expect(frame.xPx + frame.widthPx).toBeLessThanOrEqual(widthPx)
    }
    if (sizes && groups) expect(groups.xPx).toBeGreaterThanOrEqual(sizes.xPx + sizes.widthPx)
  })
})

describe('the legend of the report page', () => {
  it.each([1568, 900, 500])('names every part and line with its bytes, inside %i pixels', (widthPx) => {
    const measure = (text: string, sizePx: number) => text.length * sizePx * 0.55
    const frame = { xPx: 16, yPx: 100, widthPx, heightPx: widthPx > 950 ? 18 : widthPx > 510 ? 36 : 54 }
    const texts = drawLegend(measuresAt(curves, 3), frame, dark, measure).filter((item) => item.kind === 'text')
    const words = texts.map(({ spans }) => spans.map(({ text }) => text).join(''))
    expect(words).toEqual([
      'Allocated 26.0\u00a0MiB',
      'Pending 4.00\u00a0MiB',
      'Stranded 10.0\u00a0MiB',
      'Returnable 0\u00a0B',
      'Largest free 6.00\u00a0MiB',
      'Inactive split 10.0\u00a0MiB',
    ])
    for (const { xPx, yPx, spans } of texts) {
      expect(xPx + spans.reduce((sum, { text }) => sum + measure(text, 11), 0)).toBeLessThanOrEqual(frame.xPx + frame.widthPx)
      expect(yPx).toBeLessThan(frame.yPx + frame.heightPx)
    }
  })
})
