// Crosshair, read-out and outline under the pointer.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { partsDiffer } from '../../data/parts-differ.ts'
import { formatBytes, formatCount, formatTime, unknownValue } from '../../i18n/format.ts'
import { plotText } from '../../i18n/part-texts.ts'
import { flagWords } from '../../panels/flag-words.ts'
import { PointerOverlay, type Words } from '../../panels/pointer-overlay.ts'
import type { ReadOutRow } from '../../panels/read-out.ts'
import type { PlacedSpan } from '../../plot/annotations.ts'
import { bottomOf } from '../../plot/layout.ts'
import { columnAt, stateAt } from '../../plot/placed.ts'
import { exactTimeLabel } from '../../plot/ticks.ts'
import { exactCounterText, rowTitle } from './draw-heads.ts'
import { sliceFrame } from './draw-marks.ts'
import { capacityOf } from './draw-memory.ts'
import type { CategoriesRow, Row } from './layout.ts'
import { type Hit, hitTest } from './model.ts'
import { clipOf, type TraceInput } from './model-input.ts'
import { traceText as t } from './texts.ts'
import { type HoveredSlice, type TraceData, traceData } from './trace-data.ts'

const mostTitle = 160

/** The slice under the pointer, in words. */
function sliceRows({ category, durNs, startNs, isUnfinished }: HoveredSlice): ReadOutRow[] {
  return [
    { label: t('hover.duration'), value: isUnfinished ? t('hover.unfinished') : formatTime(durNs), strong: true },
    { label: t('hover.start'), value: exactTimeLabel(startNs) },
    ...(category === '' ? [] : [{ label: t('hover.category'), value: category }]),
  ]
}

/** What a row that holds no slices shows at x. */
function valueRows(input: TraceInput, row: Row, x: number): ReadOutRow[] {
  if (row.kind === 'memory') return memoryRows(input, row.device, x)
  if (row.kind === 'counter') return counterRows(input, row, x)
  if (row.kind === 'categories') return categoryRows(input, row, x)
  return row.kind === 'track' ? instantRows(input, row, x) : []
}

function memoryRows({ memory, floors }: TraceInput, device: number, x: number): ReadOutRow[] {
  const placed = memory.get(device)
  const column = placed && columnAt(placed, x)
  if (!placed || column === undefined) return []
  const { allocated, reserved, event } = stateAt(placed, column)
  const floor = floors.get(device) ?? 0
  const rows: ReadOutRow[] = [{ label: plotText('curve.allocated'), value: formatBytes(allocated), strong: true }]
  if (reserved > 0) rows.push({ label: plotText('curve.reserved'), value: formatBytes(reserved) })
  if (floor > 0) rows.push({ label: t('hover.floor'), value: formatBytes(floor) })
  if (event >= 0) rows.push({ label: t('hover.event'), value: formatCount(event) })
  return rows
}

function counterRows({ series }: TraceInput, { series: { seriesId } }: Row & { kind: 'counter' }, x: number): ReadOutRow[] {
  const answer = series.get(seriesId)
  const column = answer && columnOf(answer.range, answer.last.length, x)
  if (!answer || column === undefined) return []
  const [last, min, max] = [answer.last[column], answer.min[column], answer.max[column]].map((value) => value ?? Number.NaN) as [
    number,
    number,
    number,
  ]
  if (Number.isNaN(last)) return []
  const value = { label: t('hover.value'), value: exactCounterText(last), strong: true }
  return min === max ? [value] : [value, { label: t('hover.between'), value: `${exactCounterText(min)} – ${exactCounterText(max)}` }]
}

/** What each category holds, in the order of the stack. */
function categoryRows({ stacks }: TraceInput, { track, categories }: CategoriesRow, x: number): ReadOutRow[] {
  const answer = stacks.get(track.trackId)
  const column = answer && columnOf(answer.range, answer.values[0]?.length ?? 0, x)
  if (!answer || column === undefined) return []
  const held = categories.map((category, index) => ({ category, bytes: answer.values[index]?.[column] ?? Number.NaN }))
  if (held.some(({ bytes }) => Number.isNaN(bytes))) return []
  const total = held.reduce((sum, { bytes }) => sum + bytes, 0)
  const rows = held.reverse().filter(({ bytes }) => bytes !== 0)
  return [
    { label: t('hover.total'), value: formatBytes(total), strong: true },
    ...rows.map(({ category, bytes }) => ({ label: plotText(`category.${category}`), value: formatBytes(bytes) })),
  ]
}

function instantRows({ marks, visible, layout }: TraceInput, { track: { trackId } }: Row & { kind: 'track' }, x: number): ReadOutRow[] {
  const answer = marks.get(trackId)
  const perPx = (visible.x1 - visible.x0) / layout.plot.widthPx
  const columns = answer?.count.length ?? 0
  let count = 0
  for (let near = -reachPx; answer && near <= reachPx; near++) {
    const column = columnOf(answer.range, columns, x + near * perPx)
    if (column !== undefined) count = Math.max(count, answer.count[column] ?? 0)
  }
  return count > 0 ? [{ label: t('hover.instants'), value: formatCount(count) }] : []
}

const reachPx = 3

function columnOf({ x0, x1 }: { readonly x0: number; readonly x1: number }, columns: number, x: number): number | undefined {
  const column = Math.floor(((x - x0) / (x1 - x0)) * columns)
  return column >= 0 && column < columns ? column : undefined
}

export class HoverOverlay {
  readonly #capture: CaptureSummary
  readonly #input: () => TraceInput | undefined
  readonly #overlay: PointerOverlay
  readonly #outline: HTMLElement
  readonly #line: HTMLElement

  constructor(capture: CaptureSummary, host: HTMLElement, input: () => TraceInput | undefined) {
    this.#capture = capture
    this.#input = input
    this.#overlay = new PointerOverlay(host, {
      follow: (moved, changed) =>
        traceData(capture.captureId).subscribe((data, old) => {
          if (partsDiffer(data, old, ['hover', 'hovered'])) moved()
          else if (data.hover && partsDiffer(data, old, ['raster', 'memory'])) changed()
        }),
      update: () => this.#update(),
    })
    this.#outline = this.#overlay.add('pointed-outline')
    this.#line = this.#overlay.add()
  }

  destroy(): void {
    this.#overlay.destroy()
  }

  #update(): void {
    const data = traceData(this.#capture.captureId).getState()
    const input = this.#input()
    const hit = data.hover && input && hitTest(input, data.hover.xPx, data.hover.yPx)
    if (!data.hover || !input || !hit) return
    const { plot, ruler } = input.layout
    if (hit.region === 'rows' || hit.region === 'ruler' || hit.region === 'lane')
      this.#overlay.showUpright(this.#line, data.hover.xPx, bottomOf(ruler), bottomOf(plot))
    this.#showOutline(input, data)
    const words = wordsOf(input, data, hit)
    if (words) this.#overlay.say(words, plot, data.hover)
  }

  /** Frame of the slice under the pointer, cut to the rows. */
  #showOutline(input: TraceInput, { hovered }: TraceData): void {
    const shown = hovered && input.shown.find(({ row }) => row.kind === 'track' && holds(row, hovered.laneId))
    // The selected slice has its own frame.
    if (!hovered || shown?.row.kind !== 'track' || hovered.sliceId === input.selected?.sliceId) return
    const frame = sliceFrame(input, { ...hovered, trackId: shown.row.track.trackId })
    if (frame) this.#overlay.showInside(this.#outline, frame, clipOf(input, shown.row))
  }
}

function wordsOfMark({ span: { name, startNs, endNs }, isWhole }: PlacedSpan): Words {
  const duration = endNs === null ? t('hover.unfinished') : isWhole ? formatTime(endNs - startNs) : unknownValue
  const rows = [
    { label: t('hover.duration'), value: duration, strong: true },
    { label: t('hover.start'), value: exactTimeLabel(startNs) },
  ]
  return { title: name.slice(0, mostTitle), rows }
}

/** What the read-out says; undefined when there is nothing to say. */
function wordsOf(input: TraceInput, { hovered }: TraceData, hit: Hit): Words | undefined {
  if (hit.region === 'head') return { title: rowTitle(input, hit.row.row), rows: headRows(input, hit.row.row) }
  if (hit.region === 'ruler') return hit.flag ? flagWords(hit.flag) : { title: exactTimeLabel(hit.x) }
  if (hit.region === 'lane') return hit.mark && wordsOfMark(hit.mark)
  if (hit.region !== 'rows') return undefined
  if (hovered) return { title: hovered.name.slice(0, mostTitle), rows: sliceRows(hovered) }
  const rows = hit.row ? valueRows(input, hit.row.row, hit.x) : []
  return hit.row && rows.length > 0 ? { title: rowTitle(input, hit.row.row), aside: exactTimeLabel(hit.x), rows } : undefined
}

const holds = ({ track }: Row & { kind: 'track' }, laneId: number): boolean =>
  laneId >= track.firstLane && laneId < track.firstLane + track.laneCount

const capacityRows = (capacity: number | undefined): ReadOutRow[] =>
  capacity === undefined ? [] : [{ label: t('head.capacity'), value: formatBytes(capacity) }]

function headRows(input: TraceInput, row: Row): ReadOutRow[] {
  if (row.kind === 'memory') return capacityRows(capacityOf(input, row.device))
  if (row.kind === 'track') {
    const { sliceCount, instantCount, busyNs, spillLanes, laneCount } = row.track
    return [
      ...(sliceCount > 0 ? [{ label: t('head.slices'), value: formatCount(sliceCount) }] : []),
      ...(instantCount > 0 ? [{ label: t('head.instants'), value: formatCount(instantCount) }] : []),
      ...(busyNs > 0 ? [{ label: t('head.busy'), value: formatTime(busyNs) }] : []),
      ...(laneCount > 1 ? [{ label: t('head.lanes'), value: formatCount(laneCount) }] : []),
      ...(spillLanes.length > 0 ? [{ label: t('head.spill'), value: formatCount(spillLanes.length) }] : []),
    ]
  }
  if (row.kind === 'counter') {
    const { min, max, sampleCount } = row.series
    return [
      { label: t('head.samples'), value: formatCount(sampleCount) },
      { label: t('hover.between'), value: `${exactCounterText(min)} – ${exactCounterText(max)}` },
    ]
  }
  if (row.kind === 'categories') return [{ label: t('head.samples'), value: formatCount(row.track.series[0]?.sampleCount ?? 0) }]
  if (row.kind === 'process') {
    const { pid, labels } = row.process
    return [
      ...(pid === '' ? [] : [{ label: t('head.pid'), value: pid }]),
      ...(labels === '' ? [] : [{ label: t('head.labels'), value: labels }]),
      { label: t('head.tracks'), value: formatCount(row.trackCount) },
    ]
  }
  return []
}
