// Headings left of the rows, and the lines between rows.
import { counted, deviceName, formatBytes } from '../../i18n/format.ts'
import { inkOf } from '../../plot/ink.ts'
import { bottomOf } from '../../plot/layout.ts'
import { fitMiddle, fitText } from '../../plot/text-fit.ts'
import type { Item } from '../../scene/display-list.ts'
import type { Rgb } from '../../theme/palette.ts'
import { drawCategoryLegend } from './draw-categories.ts'
import { capacityOf } from './draw-memory.ts'
import { counterPx, lanePx, type Row, rowPaddingPx, type ShownRow } from './layout.ts'
import { clipOf, isStill, laneTop, type TraceInput } from './model-input.ts'

const insetPx = 8
const trianglePx = 14 // room for the mark that folds
const indentPx = 10 // of tracks below their process
const pinPx = 16
const rightPx = 8
const sizePx = 11
const secondLinePx = 14

/** What a row is called in full. */
export function rowTitle(input: Pick<TraceInput, 'devices' | 't'>, row: Row): string {
  if (row.kind === 'memory') return input.t('row.memory', { device: nameOfDevice(input, row.device) })
  if (row.kind === 'process') return processTitle(row, input.t)
  if (row.kind === 'categories') return input.t('row.categories')
  if (row.kind === 'counter')
    return row.series.name === '' || row.series.name === row.track.name ? row.track.name : `${row.track.name} · ${row.series.name}`
  if (row.track.kind === 'global') return input.t('row.global')
  return row.track.name === '' ? input.t('row.unnamed') : row.track.name
}

/** A device as people call it. */
export const nameOfDevice = ({ devices }: Pick<TraceInput, 'devices'>, device: number): string =>
  deviceName(device, devices.find((each) => each.device === device)?.deviceType ?? '')

function processTitle({ process }: Row & { kind: 'process' }, t: TraceInput['t']): string {
  const { name, pid } = process
  if (name === '') return pid === '' ? t('row.unnamed') : /^-?\d+$/.test(pid) ? t('row.process', { pid: pid.replace('-', '−') }) : pid
  return pid === '' || name.includes(pid) ? name : `${name} (${pid})`
}

/** The part of a heading that folds its row, and the one that pins it; undefined where there is none. */
export function headParts(row: Row): { readonly folds: boolean; readonly pins: boolean } {
  return { folds: row.kind === 'process' || (row.kind === 'track' && row.track.laneCount > 1), pins: row.kind !== 'process' }
}

/** Left edge of the pin. */
export const pinLeft = (gutterPx: number): number => gutterPx - rightPx - pinPx

/** Headings of the rows in sight, of the pinned ones or of the others. */
export function drawHeads(input: TraceInput, pinned: boolean): Item[] {
  return input.shown.filter(({ row }) => row.isPinned === pinned).flatMap((each) => drawHead(input, each))
}

function drawHead(input: TraceInput, each: ShownRow): Item[] {
  const { row, topPx } = each
  // The heading of a high row stays in sight while the row does.
  const headPx = Math.max(topPx, Math.min(clipOf(input, row).yPx, topPx + row.heightPx - leastHeadPx(row)))
  const ink = inkOf(input.tokens)
  const { plot } = input.layout
  const isHovered = input.hoverRow === row.key
  const linePx = input.layout.widthPx
  const items: Item[] = [{ kind: 'box', xPx: 0, yPx: topPx + row.heightPx - 1, widthPx: linePx, heightPx: 1, color: ink.grid, alpha: 1 }]
  if (row.kind === 'process')
    items.push({ kind: 'box', xPx: 0, yPx: topPx, widthPx: linePx, heightPx: row.heightPx - 1, color: ink.panel, alpha: 1 })
  const isChosen = input.chosenRow === row.key
  if (isHovered || isChosen)
    items.push({ kind: 'box', xPx: 0, yPx: topPx, widthPx: plot.xPx, heightPx: row.heightPx - 1, color: ink.raised, alpha: 1 })
  if (isChosen) items.push(...chosenFrame(each, plot.xPx, ink.t1))
  const { folds, pins } = headParts(row)
  const left = insetPx + (row.kind === 'process' || row.kind === 'memory' ? 0 : indentPx)
  const middlePx = headPx + firstLineOf(row)
  if (folds && !isStill(input)) items.push(foldMark(left, middlePx, 'isCollapsed' in row && row.isCollapsed, ink.t3))
  if (pins && !isStill(input) && (isHovered || isChosen || row.isPinned))
    items.push(...pinMark(pinLeft(plot.xPx), middlePx, row.isPinned, row.isPinned ? ink.t2 : ink.t3))
  return [...items, ...headTexts(input, row, { left: left + trianglePx, middlePx })]
}

/** The frame around the heading of the row chosen by key. */
function chosenFrame({ row, topPx }: ShownRow, gutterPx: number, color: Rgb): Item[] {
  const [left, right, top, bottom] = [1, gutterPx - 2, topPx + 1, topPx + row.heightPx - 2]
  return [{ kind: 'path', points: [left, top, right, top, right, bottom, left, bottom, left, top], color, alpha: 1, widthPx: 2 }]
}

/** What a heading needs: two lines, or its legend. */
const leastHeadPx = (row: Row): number => (row.kind === 'categories' ? row.heightPx : Math.min(row.heightPx, 2 * lanePx + 2 * rowPaddingPx))

interface TextPlace {
  readonly left: number
  readonly middlePx: number
}

/** Middle of a heading's first line below the top of its row. */
function firstLineOf(row: Row): number {
  if (row.kind === 'track') return rowPaddingPx + lanePx / 2
  return row.kind === 'process' ? row.heightPx / 2 : row.kind === 'counter' ? 10 : 14
}

function headTexts(input: TraceInput, row: Row, { left, middlePx }: TextPlace): Item[] {
  const ink = inkOf(input.tokens)
  const isProcess = row.kind === 'process'
  const hasPin = !isStill(input) && (row.isPinned || input.hoverRow === row.key || input.chosenRow === row.key)
  const gutterPx = input.layout.plot.xPx
  const right = isProcess ? input.layout.widthPx / 2 : hasPin ? pinLeft(gutterPx) - 2 : gutterPx - rightPx
  const measure = (text: string) => input.measure(text, sizePx, isProcess)
  const title = rowTitle(input, row)
  // Names of threads and streams differ at their ends.
  const fitted = (isProcess ? fitText : fitMiddle)(title, right - left, measure) ?? ''
  const base = { kind: 'text', xPx: left, sizePx, align: 'left' } as const
  const aside = isProcess ? processAside(input, row) : ''
  const spans = [{ text: fitted, strong: isProcess }, ...(aside === '' ? [] : [{ text: `   ${aside}`, color: ink.t3 }])]
  const items: Item[] = [{ ...base, yPx: middlePx, spans, color: isProcess || row.kind === 'memory' ? ink.t1 : ink.t2 }]
  const second = secondLine(input, row, (text) => input.measure(text, sizePx, false) <= gutterPx - rightPx - left)
  if (second !== '' && row.heightPx >= counterPx)
    items.push({ ...base, yPx: middlePx + secondLinePx, spans: [{ text: second }], color: ink.t3 })
  if (row.kind === 'categories') items.push(...drawCategoryLegend(input, row, left, gutterPx - rightPx, middlePx + 2 * secondLinePx))
  return items
}

function processAside({ t }: TraceInput, { process, trackCount, isCollapsed }: Row & { kind: 'process' }): string {
  const tracks = isCollapsed ? t('row.tracks', counted(trackCount)) : ''
  return [process.labels, tracks].filter((part) => part !== '').join(' · ')
}

const peakOf = ({ devices }: TraceInput, device: number): number => devices.find((each) => each.device === device)?.peakAllocatedBytes ?? 0

/** How high the row's curve goes, or how much is in it; in less words where more do not fit. */
function secondLine(input: TraceInput, row: Row, fits: (text: string) => boolean): string {
  if (row.kind === 'memory') {
    const [bytes, capacity] = [formatBytes(peakOf(input, row.device)), capacityOf(input, row.device)]
    const full = capacity === undefined ? undefined : input.t('row.peakOf', { bytes, all: formatBytes(capacity) })
    return full !== undefined && fits(full) ? full : input.t('row.peak', { bytes })
  }
  if (row.kind === 'categories') {
    const peak = input.stackPeaks.get(row.track.trackId)
    return peak === undefined ? '' : input.t('row.peak', { bytes: formatBytes(peak) })
  }
  if (row.kind === 'counter') return input.t('row.max', { value: counterText(row.series.max) })
  if (row.kind === 'track' && row.track.sliceCount > 0) return input.t('row.slices', counted(row.track.sliceCount))
  return ''
}

const fourDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 })

/** A value of a counter, whose unit the file does not tell. */
const counterText = (value: number): string => fourDigits.format(value).replace('-', '−')

const everyDigit = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 17 })

/** The same with all its digits. */
export const exactCounterText = (value: number): string => everyDigit.format(value).replace('-', '−')

function foldMark(xPx: number, yPx: number, isFolded: boolean, color: Rgb): Item {
  const points = isFolded
    ? ([xPx + 2, yPx - 4, xPx + 2, yPx + 4, xPx + 7, yPx] as const)
    : ([xPx, yPx - 2, xPx + 8, yPx - 2, xPx + 4, yPx + 3] as const)
  return { kind: 'triangle', points, color, alpha: 1 }
}

/** A pin: full while it holds. */
function pinMark(xPx: number, yPx: number, isPinned: boolean, color: Rgb): Item[] {
  const box = (x: number, y: number, widthPx: number, heightPx: number): Item => ({
    kind: 'box',
    xPx: x,
    yPx: y,
    widthPx,
    heightPx,
    color,
    alpha: 1,
  })
  const [left, top] = [Math.round(xPx) + 4, Math.round(yPx) - 5]
  const head: Item = isPinned
    ? box(left + 1, top, 6, 5)
    : {
        kind: 'path',
        points: [left + 1.5, top + 0.5, left + 6.5, top + 0.5, left + 6.5, top + 4.5, left + 1.5, top + 4.5, left + 1.5, top + 0.5],
        color,
        alpha: 1,
        widthPx: 1,
      }
  return [head, box(left - 1, top + 5, 10, 1), box(left + 3.5, top + 6, 1, 5)]
}

/** Lanes that hold what overlaps the lane above without lying inside it: a small mark at their start. */
export function drawSpillMarks(input: TraceInput, pinned: boolean): Item[] {
  const { plot } = input.layout
  const { t3 } = inkOf(input.tokens)
  return input.shown.flatMap((each): Item[] => {
    const { row } = each
    if (row.kind !== 'track' || row.isPinned !== pinned) return []
    return row.track.spillLanes.flatMap((lane): Item[] => {
      const topPx = laneTop(each, lane)
      // A track may have a hundred thousand of them.
      if (topPx === undefined || topPx >= bottomOf(plot) || topPx + lanePx <= plot.yPx) return []
      const [x, y] = [plot.xPx - 8.5, topPx + 4.5]
      return [
        { kind: 'path', points: [x, y, x, y + 6, x + 4, y + 6], color: t3, alpha: 1, widthPx: 1 },
        { kind: 'triangle', points: [x + 4, y + 3, x + 4, y + 9, x + 7, y + 6], color: t3, alpha: 1 },
      ]
    })
  })
}

/** The line between headings and plot, and below the pinned rows. */
export function drawEdges(input: TraceInput): Item[] {
  const { plot, ruler, widthPx } = input.layout
  const { line, line2 } = inkOf(input.tokens)
  const top = bottomOf(ruler)
  const items: Item[] = [{ kind: 'box', xPx: plot.xPx - 1, yPx: top, widthPx: 1, heightPx: bottomOf(plot) - top, color: line, alpha: 1 }]
  if (input.rows.pinnedPx > 0)
    items.push({ kind: 'box', xPx: 0, yPx: plot.yPx + input.rows.pinnedPx - 1, widthPx, heightPx: 1, color: line2, alpha: 1 })
  return items
}
