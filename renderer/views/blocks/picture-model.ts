// Display list of a finished picture: the block map's own, a title, the state in words, and a legend.
import type { CaptureSummary, DeviceSummary } from '../../../preload/contract/capture.ts'
import type { BlockAt, BlockColor, CategoryTotals, StackShare } from '../../../preload/contract/queries.ts'
import { counted, formatBytes, formatCount } from '../../i18n/format.ts'
import { drawColorLegend } from '../../picture/draw-legend.ts'
import type { PictureTools } from '../../picture/finish.ts'
import { deviceWords, drawTitle, filterWords, titlePx } from '../../picture/title.ts'
import { inkOf } from '../../plot/ink.ts'
import { fitText, wrapText } from '../../plot/text-fit.ts'
import type { DisplayList, Item } from '../../scene/display-list.ts'
import { noFilter, viewOf } from '../../state/view-state.ts'
import { hasOrigin, type Viewport } from './assemble.ts'
import { paintedColor, pendingSlot, roundingColor } from './block-colors.ts'
import type { Picture } from './blocks-data.ts'
import { type BlocksLayout, type LayoutParts, layoutBlocks } from './layout.ts'
import { colorLegend, type LegendState, stateLegend } from './legend.ts'
import { buildBlocks } from './model.ts'
import type { BlocksInput, Request } from './model-input.ts'
import { blocksText as t } from './texts.ts'
import { roundingNote, type Tile, tilesOf, totalsOf } from './totals.ts'

const marginPx = 16
const verdictPx = 24
const reasonLinePx = 15
const wholeReasonPx = 1300 // in a picture so wide the reason stands beside the verdict, else in lines of its own
const reasonLines = 2
const legendPx = 84
const smallHeightPx = 420

/** Everything a picture shows. */
export interface PictureData {
  readonly picture: Picture
  readonly device: DeviceSummary
  readonly layout: BlocksLayout
  readonly viewport: Viewport
  readonly hasTimes: boolean
  readonly request: Request | undefined
  readonly stacks: readonly StackShare[] | undefined
  readonly held: CategoryTotals['categories'] | undefined
  readonly selected: BlockAt | undefined
  readonly segment: string | undefined
}

/** The map between title and legend; small pictures keep one line of the legend. */
export function layoutPicture(widthPx: number, heightPx: number, parts: LayoutParts, colorBy: BlockColor): BlocksLayout {
  const legend = heightPx < smallHeightPx || colorBy === 'state' ? 36 : legendPx
  return layoutBlocks(widthPx, heightPx - legend, {
    ...parts,
    topPx: titlePx + (parts.hasRequest ? verdictPx + (widthPx < wholeReasonPx ? reasonLines * reasonLinePx : 0) : 0),
  })
}

/** Only whole rows: a picture cannot be scrolled to the rest of one. */
export function wholeRows(layout: BlocksLayout, rowPx: number): BlocksLayout {
  const heightPx = Math.max(rowPx, Math.floor(layout.rows.heightPx / rowPx) * rowPx)
  return { ...layout, rows: { ...layout.rows, heightPx }, plot: { ...layout.plot, heightPx } }
}

/** The whole picture. */
export function buildPicture(capture: CaptureSummary, data: PictureData, tools: PictureTools): DisplayList {
  const { picture, viewport, layout, request } = data
  const { tokens, measure, widthPx, heightPx } = tools
  const input: BlocksInput = {
    picture,
    ...viewport,
    layout,
    selected: data.selected,
    segment: data.segment,
    request,
    change: undefined,
    isFlashing: false,
    dragging: undefined,
    isFinished: true,
    hasOrigin: hasOrigin(capture),
    tokens,
    measure,
    t,
  }
  const tiles = tilesOf(totalsOf(picture.report), request, t)
  const whole = { xPx: 0, yPx: 0, widthPx, heightPx }
  const filter = filterWords(viewOf(capture.captureId)?.filter ?? noFilter)
  const words = { heading: `${capture.sourceName} · ${t('picture.title')}`, facts: factsOf(data, filter, tiles, tools) }
  return [
    ...buildBlocks(input),
    {
      clip: whole,
      items: [...drawTitle(words, widthPx, tokens, measure), ...drawVerdict(tiles, tools), ...drawLegends(capture, data, tools)],
    },
  ]
}

/** Device, moment, filter and the tiles in one line; without the tiles' notes where they have no room. */
function factsOf(
  { picture, device }: PictureData,
  filter: readonly string[],
  tiles: readonly Tile[],
  { measure, widthPx }: PictureTools,
): string[] {
  const when =
    picture.event < 0 ? t(device.eventCount === 0 ? 'atDump' : 'beforeFirst') : t('afterEvent', { event: formatCount(picture.event) })
  const { leftOut } = picture.segments
  const left = leftOut > 0 ? [t('leftOut', counted(leftOut))] : []
  const head = [...deviceWords(device), when, ...filter, ...left]
  const numbers = tiles.filter(({ name }) => name !== 'request')
  const rounding = roundingNote(totalsOf(picture.report), t)
  const full = [...head, ...numbers.map(({ label, value, note }) => `${label} ${value} (${note})`), ...(rounding ? [rounding] : [])]
  if (measure(full.join(' · '), 12, false) <= widthPx - 2 * marginPx) return full
  return [...head, ...numbers.map(({ label, value }) => `${label} ${value}`)]
}

function drawVerdict(tiles: readonly Tile[], { tokens, measure, widthPx }: PictureTools): Item[] {
  const tile = tiles.find(({ name }) => name === 'request')
  if (!tile) return []
  const ink = inkOf(tokens)
  const { label, value, verdict, note } = tile
  const outcome = verdict ? ` ${verdict.text}` : ''
  const color = verdict?.outcome === 'fails' ? ink.bad : verdict?.outcome === 'fits' ? ink.good : ink.t1
  const head = `${label} ${value}`
  const said = [
    { text: head, strong: true, color: ink.t1 },
    { text: outcome, strong: true, color },
  ]
  const line = { kind: 'text', xPx: marginPx, sizePx: 12, align: 'left', color: ink.t2 } as const
  const width = (text: string) => measure(text, 12, false)
  const room = widthPx - 2 * marginPx
  if (widthPx >= wholeReasonPx) {
    const rest = fitText(`  ${note}`, room - measure(head + outcome, 12, true) - 12, width) ?? ''
    return [{ ...line, yPx: titlePx + 6, spans: [...said, { text: rest }] }]
  }
  const reason = wrapText(note ?? '', room, reasonLines, width)
  return [
    { ...line, yPx: titlePx + 6, spans: said },
    ...reason.map((text, at): Item => ({ ...line, yPx: titlePx + 6 + (at + 1) * reasonLinePx, spans: [{ text }] })),
  ]
}

function drawLegends(capture: CaptureSummary, data: PictureData, tools: PictureTools): Item[] {
  const { picture, layout, device, stacks, held } = data
  const { tokens, measure, widthPx, heightPx } = tools
  const ink = inkOf(tokens)
  const top = layout.rows.yPx + layout.rows.heightPx + 18
  const totals = totalsOf(picture.report)
  const items = drawStates(stateLegend(totals, t), marginPx, top, widthPx - marginPx, picture, tools)
  const left = picture.list.lines.length - picture.end
  if (left > 0) {
    const spans = [{ text: t('picture.more', counted(left)) }]
    items.push({ kind: 'text', xPx: widthPx - marginPx, yPx: top, spans, sizePx: 11, align: 'right', color: ink.t3 })
  }
  if (heightPx < smallHeightPx) return items
  const { colorBy } = picture
  const legend = colorLegend({ capture, colorBy, tokens, stacks, held, picture, totals, largestBytes: device.peakAllocatedBytes })
  const place = {
    left: marginPx,
    top: top + 24,
    right: widthPx - marginPx,
    totalBytes: totals.allocated,
    emphasis: undefined,
    tokens,
    measure,
  }
  return legend ? [...items, ...drawColorLegend(legend, place)] : items
}

interface Entry {
  readonly state: LegendState
  readonly title: string
  readonly bytes: number
}

function drawStates(entries: readonly Entry[], left: number, yPx: number, right: number, picture: Picture, tools: PictureTools): Item[] {
  const { tokens, measure } = tools
  const ink = inkOf(tokens)
  const items: Item[] = []
  let xPx = left
  for (const { state, title, bytes } of entries) {
    const text = `${title} ${formatBytes(bytes)}`
    const widthPx = 24 + measure(text, 11, false)
    if (xPx + widthPx > right) break
    items.push(...swatch(state, xPx, yPx - 6, picture, tools))
    items.push({ kind: 'text', xPx: xPx + 24, yPx, spans: [{ text }], sizePx: 11, align: 'left', color: ink.t2 })
    xPx += widthPx + 24
  }
  return items
}

function swatch(state: LegendState, xPx: number, yPx: number, { colorBy }: Picture, { tokens }: PictureTools): Item[] {
  const ink = inkOf(tokens)
  const frame = { xPx, yPx, widthPx: 16, heightPx: 12 }
  const points = [xPx + 0.5, yPx + 0.5, xPx + 15.5, yPx + 0.5, xPx + 15.5, yPx + 11.5, xPx + 0.5, yPx + 11.5, xPx + 0.5, yPx + 0.5]
  const solid = colorBy === 'state' ? paintedColor(tokens, 'state', 1) : ink.mark
  const hatch = colorBy === 'state' ? paintedColor(tokens, 'state', pendingSlot) : ink.mark
  if (state === 'free') return [{ kind: 'path', points, color: ink.mark, alpha: 1, widthPx: 1 }]
  if (state === 'pending')
    return [
      { kind: 'hatch', ...frame, color: hatch },
      { kind: 'path', points, color: hatch, alpha: 1, widthPx: 1 },
    ]
  const stripes = [10, 13].map((x): Item => ({ kind: 'box', ...frame, xPx: xPx + x, widthPx: 2, color: roundingColor(), alpha: 1 }))
  if (state === 'allocated') return [{ kind: 'box', ...frame, color: solid, alpha: 1 }]
  return [{ kind: 'box', ...frame, widthPx: 9, color: solid, alpha: 1 }, ...stripes]
}
