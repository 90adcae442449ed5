import { expect, it } from 'vitest'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { DisplayList } from '../../scene/display-list.ts'
import { dark } from '../../theme/tokens.ts'
import { composeRaster, runsOf } from './compose.ts'
import { layoutBlocks } from './layout.ts'
import { stateLegend } from './legend.ts'
import { linesOf } from './lines.ts'
import { homeOf } from './model-input.ts'
import { buildPicture } from './picture-model.ts'
import { mebi, rasterAnswer, reportOf, segmentsOf } from './test-answers.ts'
import { blocksText as t } from './texts.ts'
import { roundingNote, tilesOf, totalsOf } from './totals.ts'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

/** 8,000 segments of 2 MiB, of which the answer about segments holds three. */
const report = reportOf({
  segments: 8000,
  expandableSegments: 1,
  reservedBytes: 16_000 * mebi,
  allocatedBytes: 11_000 * mebi,
  activeBytes: 12_000 * mebi,
  requestedBytes: 11_500 * mebi,
  freeBytes: 4000 * mebi,
  returnableBytes: 1000 * mebi,
  blockCount: 30_000,
  freeBlockCount: 9000,
  largestFreeBytes: 2 * mebi,
})
const segments = { ...segmentsOf([2, 2, 2], [1, 0, 1]), leftOut: 7997 }

it('says what rounding costs where it is much', () => {
  const totals = totalsOf(report)
  expect(roundingNote(totals, t)).toBeUndefined()
  const note = plain(roundingNote({ ...totals, active: 51200, requested: 1200, blocks: 103, freeBlocks: 3 }, t) ?? '')
  expect(note).toBe('97.7 % of allocated bytes are rounding: 100 blocks of 512 B on average hold 12 B each.')
})

it('tiles and legend tell all segments of the moment, and how much of the free memory is stranded', () => {
  const totals = totalsOf(report)
  expect(totals).toMatchObject({ segments: 8000, blocks: 30_000, freeBlocks: 9000, stranded: 3000 * mebi })
  const tiles = tilesOf(totals, undefined, t)
  expect(tiles.map(({ value, note }) => [value, note].map(plain))).toEqual([
    ['15.6 GiB', '8,000 segments'],
    ['10.7 GiB', '68.8 % of reserved'],
    ['3.91 GiB', '9,000 blocks, 2.93 GiB stranded'],
    ['2.00 MiB', '< 0.1 % of all free bytes'],
  ])
  expect(stateLegend(totals, t).map(({ state, bytes }) => [state, bytes / mebi])).toEqual([
    ['allocated', 11_000],
    ['rounding', 500],
    ['pending', 1000],
    ['free', 4000],
  ])
})

/** A finished picture of the three segments that are there. */
function pictureOf(): DisplayList {
  const list = linesOf(segments, 'scale')
  const [run] = runsOf(list, 'scale', 0, 3)
  if (!run) throw new Error('no run')
  const device = { device: 0, deviceType: 'cuda', eventCount: 9, exact: true, peakAllocatedBytes: 12_000 * mebi, ooms: [] }
  const capture = { captureId: 'a', sourceName: 'many.pickle', streams: ['0'], pools: ['(0,0)'], devices: [device] }
  const place = { device: 0, event: 7, order: 'address', scaling: 'scale', colorBy: 'state' } as const
  return buildPicture(
    capture as unknown as CaptureSummary,
    {
      picture: {
        ...place,
        segments,
        report,
        list,
        range: { x0: 0, x1: list.longest },
        first: 0,
        end: 3,
        chunks: [{ run, data: rasterAnswer(new Uint8Array(30), 10, 3) }],
        raster: composeRaster(list.lines, 0, 3, 10, []),
      },
      device: device as unknown as CaptureSummary['devices'][number],
      layout: layoutBlocks(1600, 500, { hasRequest: false, hasOrigin: false }),
      viewport: { home: homeOf(list.longest, undefined), visible: homeOf(list.longest, undefined), rowPx: 48, scrollPx: 0 },
      hasTimes: true,
      request: undefined,
      stacks: undefined,
      held: undefined,
      selected: undefined,
      segment: undefined,
    },
    { tokens: dark, measure: (text, sizePx) => text.length * sizePx * 0.5, widthPx: 1600, heightPx: 900, rasterScale: 1 },
  )
}

it('a finished picture tells the totals of all segments, and how many of them are not in it', () => {
  const words = pictureOf()
    .flatMap(({ items }) => items)
    .flatMap((item) => (item.kind === 'text' ? [plain(item.spans.map(({ text }) => text).join(''))] : []))
    .join('\n')
  expect(words).toContain('7,997 more segments not shown')
  expect(words).toContain('Reserved 15.6 GiB (8,000 segments)')
  expect(words).toMatch(/^Free.* 3\.91 GiB$/m)
})
