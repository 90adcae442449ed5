import { describe, expect, it } from 'vitest'
import type { FreeTotals, WouldFit } from '../../../preload/contract/queries.ts'
import { exactBytes } from '../../i18n/format.ts'
import { fittingWords } from './draw-request.ts'
import { holdersOf } from './holders.ts'
import { addressBeyond } from './lines.ts'
import { mainHolder } from './main-holder.ts'
import { mergedSizes } from './size-bins.ts'
import { parseSize } from './sizes.ts'
import { blockRowsOf, blocksCsv, segmentsCsv, sortBlocks, sortSegments } from './table-rows.ts'
import { f64, mebi, reportOf } from './test-answers.ts'
import { blocksText as t } from './texts.ts'
import { tilesOf, totalsOf } from './totals.ts'
import { ofMoment } from './use-of-moment.ts'
import { factsOf, fragmentationOf, hintOf, type Judged, largestRequest, outcomeOf, reasonOf } from './verdict.ts'

const none: FreeTotals = { count: 0, bytes: 0, largestBytes: 0, largestAddress: null, fittingCount: 0 }

const fragmented: WouldFit = {
  requested: 400 * mebi,
  rounded: 400 * mebi,
  segmentBytes: 400 * mebi,
  stream: '0',
  pool: '(0,0)',
  segmentType: 'large',
  fits: false,
  block: null,
  fittingCount: 0,
  free: { count: 145, bytes: 1444 * mebi, largestBytes: 54 * mebi, largestAddress: '0x7f8676000000', fittingCount: 0 },
  oversize: none,
  otherStreams: none,
  otherPools: none,
  otherClass: none,
  pending: none,
  returnableBytes: 0,
  reservedBytes: 1680 * mebi,
  deviceFreeBytes: 368 * mebi,
}

const judged = (fit: WouldFit): Judged => ({ fit, isFailed: false, refused: undefined })

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

describe('what would fit', () => {
  it('says that neither a block nor a new segment takes the request, and how much is missing', () => {
    expect(outcomeOf(judged(fragmented))).toBe('fails')
    const reason = plain(reasonOf(judged(fragmented), t))
    expect(reason).toContain('the largest is 54.0 MiB')
    expect(reason).toContain('32.0 MiB are missing')
  })

  it('tells a new segment, an unknown device and a failure against all appearance apart', () => {
    expect(outcomeOf(judged({ ...fragmented, deviceFreeBytes: 2 ** 30 }))).toBe('segment')
    expect(outcomeOf(judged({ ...fragmented, deviceFreeBytes: null }))).toBe('noBlock')
    const failed = { ...judged({ ...fragmented, deviceFreeBytes: 2 ** 40 }), isFailed: true }
    expect(outcomeOf(failed)).toBe('fails')
    expect(reasonOf(failed, t)).toContain('a limit of the process')
  })

  it('takes a refusal at the same moment as the upper bound of new segments, and is not sure below it', () => {
    const refused = { bytes: 400 * mebi, segmentBytes: 400 * mebi }
    const of = (size: number, deviceFreeBytes: number) => ({
      ...judged({ ...fragmented, requested: size, rounded: size, segmentBytes: size, deviceFreeBytes }),
      refused,
    })
    const larger = of(1536 * mebi, 134 * 2 ** 30)
    expect(outcomeOf(larger)).toBe('fails')
    expect(plain(reasonOf(larger, t))).toContain('one for 400 MiB was refused at this event')
    const smaller = of(300 * mebi, 134 * 2 ** 30)
    expect(outcomeOf(smaller)).toBe('noBlock')
    expect(plain(reasonOf(smaller, t))).toContain('a limit of the process refused 400 MiB here')
    // The device itself had no room for 400 MiB: that says nothing against 300 MiB.
    expect(outcomeOf(of(300 * mebi, 368 * mebi))).toBe('segment')
  })

  it('calls it fragmentation where free blocks would do together, and promises no setting that only a replay could judge', () => {
    expect(fragmentationOf(fragmented, t)).toMatch(/fragmentation\.$/)
    expect(fragmentationOf({ ...fragmented, rounded: 2000 * mebi }, t)).toBeUndefined()
    expect(fragmentationOf({ ...fragmented, fits: true }, t)).toBeUndefined()
  })

  it('knows the largest request that fits, whatever the size class of the one asked for', () => {
    expect(largestRequest(fragmented)).toBe(54 * mebi)
    const tiny = { ...fragmented, segmentType: 'small', free: none, otherClass: fragmented.free } as const
    expect(largestRequest(tiny)).toBe(54 * mebi)
    expect(largestRequest({ ...tiny, otherClass: none, free: { ...none, count: 1, largestBytes: 2 * mebi } })).toBe(mebi)
  })

  it('speaks of the pool where it holds no free block, and of what the other one has', () => {
    const other = { ...fragmented.free, fittingCount: 145 }
    const tiny = {
      ...fragmented,
      requested: 10,
      rounded: 512,
      segmentBytes: 2 * mebi,
      segmentType: 'small',
      free: none,
      otherClass: other,
    } as const
    expect(reasonOf(judged(tiny), t)).toContain('The small pool of stream 0')
    expect(plain(hintOf(tiny, t) ?? '')).toContain('145 long enough blocks lie in the large pool, the largest 54.0 MiB')
    expect(fittingWords(tiny, t)).toBe('none in the small pool')
    const tiles = tilesOf(
      totalsOf(reportOf({ reservedBytes: 262 * mebi, largestFreeBytes: 54 * mebi })),
      { bytes: 10, isFailed: false, fit: tiny, refused: undefined },
      t,
    )
    expect(tiles.map(({ note }) => note).join()).not.toContain('of the request')
  })

  it('names the block that would be taken', () => {
    const block = { address: '0x1', sizeBytes: 54 * mebi, segmentAddress: '0x1', restBytes: 4 * mebi }
    const fits = { ...fragmented, requested: 50 * mebi, fits: true, block, fittingCount: 1 }
    expect(outcomeOf(judged(fits))).toBe('fits')
    expect(plain(reasonOf(judged(fits), t))).toContain('54.0 MiB and leaves 4.00 MiB')
    expect(hintOf(fits, t)).toBeUndefined()
  })

  it('hints at long enough blocks of other streams, and lists only places that hold something', () => {
    const other = { ...fragmented, otherStreams: { ...none, count: 2, bytes: 900 * mebi, largestBytes: 500 * mebi, fittingCount: 1 } }
    expect(plain(hintOf(other, t) ?? '')).toBe('A long enough block of 500 MiB belongs to another stream.')
    expect(hintOf({ ...other, otherStreams: { ...other.otherStreams, fittingCount: 2 } }, t)).toContain(
      '2 long enough blocks belong to other',
    )
    expect(factsOf(other).map(({ place }) => place)).toEqual(['otherStreams'])
    expect(factsOf(fragmented)).toEqual([])
  })
})

it.each([
  ['400 MiB', 400 * mebi],
  ['1.5GiB', 1.5 * 2 ** 30],
  ['2g', 2 ** 31],
  ['4,194,304', 4 * mebi],
  ['512 b', 512],
  ['MiB', undefined],
  ['0', undefined],
  ['-5 MiB', undefined],
  ['1e9 GiB of it', undefined],
])('reads the size %s', (text, bytes) => expect(parseSize(text)).toBe(bytes))

it.each([1, 1023, 1_073_741_900, 2 ** 40 + 1])('reads %d bytes back from their exact form', (bytes) =>
  expect(parseSize(exactBytes(bytes))).toBe(bytes),
)

it('merges size classes until few are left and loses no block', () => {
  const bins = Array.from({ length: 60 }, (_, index) => {
    const fromBytes = 512 * 2 ** (index / 4)
    return { fromBytes, toBytes: fromBytes * 2 ** 0.25, count: index + 1, bytes: (index + 1) * fromBytes }
  })
  const merged = mergedSizes(bins)
  expect(merged.length).toBeLessThanOrEqual(9)
  expect(merged.reduce((sum, { count }) => sum + count, 0)).toBe(1830)
  expect(mergedSizes(bins.slice(0, 5))).toEqual(bins.slice(0, 5))
})

const segments = {
  leftOut: 0,
  addresses: ['0x20', '0x1000000000000001', '0x3'],
  totalBytes: f64(240 * mebi, 2 * mebi, 20 * mebi),
  allocatedBytes: f64(33 * mebi, 2 * mebi, 0),
  activeBytes: f64(34 * mebi, 2 * mebi, 0),
  requestedBytes: f64(32 * mebi, mebi, 0),
  freeBytes: f64(206 * mebi, 0, 20 * mebi),
  largestFreeBytes: f64(54 * mebi, 0, 20 * mebi),
  largestFreeOffset: f64(0, -1, 0),
  returnableBytes: f64(0, 0, 20 * mebi),
  blockCount: f64(40, 7, 1),
  freeBlockCount: f64(20, 0, 1),
  streams: ['0', '=1+1', '0'],
  pools: ['(0,0)', '(0,1)', '(0,0)'],
  isSmall: f64(0, 1, 0),
  isExpandable: f64(0, 0, 0),
}

it('steps past a block to the next segment with something in use, either way, and to none beyond the last', () => {
  const shown = { ...segments, activeBytes: f64(1, 0, 1) }
  const block = (segmentAddress: string, segmentBytes: number) => ({
    segmentAddress,
    segmentBytes,
    segmentOffset: 0,
    sizeBytes: segmentBytes,
  })
  const [first, last] = [block('0x20', 240 * mebi), block('0x3', 20 * mebi)]
  expect(addressBeyond(shown, { ...first, sizeBytes: 512 }, 1)).toBe('0x220')
  expect(addressBeyond(shown, first, 1)).toBe('0x3')
  expect(addressBeyond(shown, last, -1)).toBe(`0x${(0x20 + 240 * mebi - 1).toString(16)}`)
  expect(addressBeyond(shown, last, 1)).toBeUndefined()
  expect(addressBeyond(shown, first, -1)).toBeUndefined()
})

it('leaves out the answer of another device and lets that of another event wait', () => {
  const picture = { device: 0, event: 7 }
  const answer = { device: 0, event: 7, value: 'x' }
  expect(ofMoment(answer, picture)).toEqual({ value: answer, isPending: false })
  expect(ofMoment({ ...answer, event: 6 }, picture)).toEqual({ value: { ...answer, event: 6 }, isPending: true })
  expect(ofMoment({ ...answer, device: 1 }, picture)).toEqual({ value: undefined, isPending: true })
  expect(ofMoment<typeof answer>(undefined, picture)).toEqual({ value: undefined, isPending: false })
})

it('names the stack that keeps most of the poorly used segments', () => {
  const holder = (title: string) => ({ allocationId: 1, address: '0x1', sizeBytes: 1, stackId: 1, sinceEvent: 1, title, place: 'a.py:1' })
  const pin = (...titles: string[]) => ({
    segmentAddress: '0x1',
    totalBytes: 4,
    freeBytes: 3,
    largestFreeBytes: 1,
    activeCount: 1,
    activeBytes: 1,
    holders: titles.map(holder),
  })
  expect(mainHolder([pin('cache', 'cache', 'cache'), pin('step'), pin('step', 'cache'), pin('step')])).toEqual({
    title: 'step',
    place: 'a.py:1',
    isAll: false,
  })
  expect(mainHolder([pin('cache'), pin('cache')]).isAll).toBe(true)
})

it('gives a stack one row of its segment, with all its bytes and its largest block', () => {
  const holder = { address: '0x1', stackId: 1, sinceEvent: 1, title: 'cache', place: 'a.py:1' }
  const holders = [5, 9, 1].map((sizeBytes, index) => ({ ...holder, sizeBytes, allocationId: index }))
  const other = { ...holder, title: 'step', sizeBytes: 20, allocationId: 7 }
  expect(holdersOf({ holders: [...holders, other] })).toEqual([
    { title: 'step', place: 'a.py:1', count: 1, bytes: 20, allocationId: 7 },
    { title: 'cache', place: 'a.py:1', count: 3, bytes: 15, allocationId: 1 },
  ])
  const stacks = [{ title: 'cache', place: 'a.py:1', stackId: 1, count: 21, bytes: 31.5 * mebi, allocationId: 4 }]
  expect(holdersOf({ holders, stacks })[0]).toMatchObject({ count: 21, bytes: 31.5 * mebi })
})

it('sorts the table by any column, addresses as numbers', () => {
  expect(sortSegments(segments, { column: 'address', descending: false })).toEqual([2, 0, 1])
  expect(sortSegments(segments, { column: 'free', descending: true })).toEqual([0, 2, 1])
  expect(sortSegments(segments, { column: 'pool', descending: true })[0]).toBe(1)
})

it('writes exact numbers as CSV and takes formulas as text', () => {
  const [head, first, second] = segmentsCsv(segments, [0, 1]).split('\n')
  expect(head).toMatch(/^address,total_bytes,allocated_bytes/)
  expect(first).toBe('0x20,251658240,34603008,35651584,33554432,216006656,56623104,0,40,20,0,"(0,0)",large,0')
  expect(second).toContain(",'=1+1,")
})

it('sorts the blocks of a segment and writes them as CSV', () => {
  const row = { offset: 0, requested: 0, state: 0, allocation: -1, title: '' }
  const rows = [
    { ...row, address: '0x1', bytes: 512 },
    { ...row, address: '0x2', bytes: 4096, requested: 4000, offset: 512, state: 1, allocation: 7, title: '=cmd a.py:1' },
    { ...row, address: '0x3', bytes: 1024, offset: 4608 },
  ]
  expect(sortBlocks(rows, { column: 'size', descending: true }).map(({ address }) => address)).toEqual(['0x2', '0x3', '0x1'])
  expect(sortBlocks(rows, { column: 'state', descending: false }).map(({ address }) => address)).toEqual(['0x1', '0x3', '0x2'])
  expect(blocksCsv(rows).split('\n').slice(1, 3)).toEqual(['0x1,512,0,inactive,,', "0x2,4096,4000,active_allocated,7,'=cmd a.py:1"])
})

it('lists a block that goes on in the next line once', () => {
  const boxes = {
    line: f64(0, 0, 1),
    offset: f64(0, 10, -20),
    bytes: f64(10, 40, 40),
    requested: f64(10, 40, 40),
    state: f64(1, 1, 1),
    slot: f64(1, 1, 1),
    allocation: f64(1, 2, 2),
    titles: ['a', 'b', 'b'],
  }
  const answer = {
    columns: 1,
    lines: 2,
    cells: new Uint8Array(2),
    lineSegment: f64(0, 0),
    lineOffset: f64(0, 30),
    lineBytes: f64(30, 30),
    boxes,
    allLines: 2,
    blockCount: 3,
    longestBytes: 30,
  }
  expect(blockRowsOf(segments, 0, answer).map(({ address, bytes }) => [address, bytes])).toEqual([
    ['0x20', 10],
    ['0x2a', 40],
  ])
})
