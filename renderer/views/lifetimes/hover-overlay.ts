// Crosshair, read-out and outline under the pointer. Plain elements moved by transforms: hovering draws nothing on the canvas.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { AllocationRow } from '../../../preload/contract/queries.ts'
import { later } from '../../data/later.ts'
import { formatAddress, formatBytes, formatCount, formatShare, formatTime, unknownValue } from '../../i18n/format.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { crosshair, placeElement, ReadOut, type ReadOutPart, type ReadOutRow } from '../../panels/read-out.ts'
import { spanTitle } from '../../plot/draw-lane.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { stackTitle, streamTitle } from '../../plot/legend.ts'
import { columnAt, type EventState, stateAt } from '../../plot/placed.ts'
import { exactTimeLabel } from '../../plot/ticks.ts'
import { cellAt } from './draw-heat.ts'
import { lifeFrame } from './draw-marks.ts'
import { isPerAddress, pendingBit, tellsAlive, valueOfCell } from './heat.ts'
import { type LifetimesData, lifetimesData, type PlacedHeat } from './lifetimes-data.ts'
import { hitTest } from './model.ts'
import type { LifetimesInput } from './model-input.ts'
import { rowWords } from './row-labels.ts'
import { lifetimesText as t } from './texts.ts'
import { valueText } from './units.ts'
import { addressAt, byAddress, rowAt } from './y-axis.ts'

const restPaceMs = 100

/** What lies along y there. */
function placeRows(input: LifetimesInput, y: number): ReadOutRow[] {
  if (input.order === 'allocation') return [{ label: t('order.allocation'), value: formatCount(Math.floor(y)) }]
  const row = input.space && rowAt(input.space.rows, y)
  if (!row) return []
  const address = addressAt(row, y)
  if (address !== undefined) return [{ label: panelText('details.address'), value: formatAddress(address) }]
  return [
    {
      label: t(input.order === 'size' ? 'order.size' : 'order.stack'),
      value: row.place ? `${rowWords(row, input.order, t)[0]} ${row.place}` : rowWords(row, input.order, t)[0],
    },
  ]
}

/** What the cell there says. */
function cellRows(input: LifetimesInput, xPx: number, yPx: number): ReadOutRow[] {
  const { raster } = input
  if (!raster || input.bars) return []
  const cell = cellAt(input, xPx, yPx)
  const rows: ReadOutRow[] = [{ label: t(`legend.${raster.measure}`), value: cellText(raster, cell), strong: true }]
  return cell & pendingBit ? [...rows, { label: t('state.pending'), value: t('mostly') }] : rows
}

function cellText({ measure, order, axis, scale, data }: PlacedHeat, cell: number): string {
  const share = valueOfCell(scale, cell)
  if (share === undefined && cell === 0 && byAddress(order)) return t('nothingThere')
  if (share === undefined) return t(tellsAlive(measure) ? 'nothingAlive' : 'nothing')
  if (isPerAddress(measure, order)) return t('shareAlive', { share: formatShare(share, 1) })
  return t(measure === 'age' ? 'valueAlive' : 'valueACell', { value: valueText(measure, axis, share * data.max) })
}

function lifeText({ allocEvent, freeRequestedEvent, allocTimeNs, freeTimeNs }: AllocationRow): string {
  if (allocTimeNs !== null && freeTimeNs !== null) return formatTime(freeTimeNs - allocTimeNs)
  if (allocEvent !== null && freeRequestedEvent !== null) return t('unit.events', { events: formatCount(freeRequestedEvent - allocEvent) })
  return unknownValue
}

const eventsText = ({ allocEvent, freeRequestedEvent }: AllocationRow): string =>
  `${allocEvent === null ? panelText('beforeHistory') : formatCount(allocEvent)} – ${freeRequestedEvent === null ? t('state.alive') : formatCount(freeRequestedEvent)}`

/** The allocation under the pointer: name, size, life, stream. */
const allocationPart = (row: AllocationRow): ReadOutPart => ({
  title: stackTitle(row.title),
  aside: row.place,
  rows: [
    {
      label: t('size'),
      value:
        row.requestedBytes === row.sizeBytes
          ? formatBytes(row.sizeBytes)
          : `${formatBytes(row.requestedBytes)} → ${formatBytes(row.sizeBytes)}`,
      strong: true,
    },
    { label: panelText('eventsRange'), value: eventsText(row) },
    { label: panelText('details.lifetime'), value: lifeText(row) },
    { label: panelText('details.stream'), value: streamTitle(row.stream) },
  ],
})

const eventTitle = ({ event }: EventState): string => (event < 0 ? t('beforeFirst') : t('eventNumber', { event: formatCount(event) }))

export class HoverOverlay {
  readonly #capture: CaptureSummary
  readonly #input: () => LifetimesInput | undefined
  readonly #line: HTMLElement
  readonly #level: HTMLElement
  readonly #outline: HTMLElement
  readonly #box: ReadOut
  readonly #stop: () => void
  #frame = 0
  #cancel: (() => void) | undefined

  constructor(capture: CaptureSummary, host: HTMLElement, input: () => LifetimesInput | undefined) {
    this.#capture = capture
    this.#input = input
    this.#outline = crosshair(host)
    this.#outline.className = 'lifetimes-outline'
    this.#line = crosshair(host)
    this.#level = crosshair(host)
    this.#box = new ReadOut(host)
    this.#stop = lifetimesData(capture.captureId).subscribe((data, old) => {
      const isMoved = data.hover !== old.hover || data.hovered !== old.hovered
      if (isMoved) this.#frame ||= requestAnimationFrame(() => this.#update())
      // While a pan brings answers with every frame, the read-out of a resting pointer follows at its own pace.
      else if (data.hover && (data.curves !== old.curves || data.raster !== old.raster))
        this.#cancel ??= later(restPaceMs, () => this.#update())
    })
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame)
    this.#cancel?.()
    this.#stop()
    for (const element of this.#elements()) element.remove()
  }

  #elements(): readonly HTMLElement[] {
    return [this.#line, this.#level, this.#outline, this.#box.element]
  }

  #update(): void {
    this.#frame = 0
    this.#cancel?.()
    this.#cancel = undefined
    const data = lifetimesData(this.#capture.captureId).getState()
    const input = this.#input()
    const hit = data.hover && input && hitTest(input, data.hover.xPx, data.hover.yPx)
    for (const element of this.#elements()) element.hidden = true
    if (!data.hover || !input || !hit || hit.region === 'overview') return
    const { plot, ruler } = input.layout
    const { xPx, yPx } = data.hover
    if (hit.region !== 'rows') this.#show(this.#line, Math.round(xPx), bottomOf(ruler), 1, bottomOf(plot) - bottomOf(ruler))
    if (hit.region === 'plot') this.#show(this.#level, plot.xPx, Math.round(yPx), plot.widthPx, 1)
    this.#showOutline(input, data)
    this.#box.element.hidden = !this.#fill(input, data, hit)
    this.#box.placeBeside(plot, xPx, yPx)
  }

  #show(element: HTMLElement, xPx: number, yPx: number, widthPx: number, heightPx: number): void {
    element.hidden = false
    placeElement(element, xPx, yPx, widthPx, heightPx)
  }

  /** Frame of the life under the pointer, cut to the plot. */
  #showOutline(input: LifetimesInput, { hoveredPlace }: LifetimesData): void {
    if (!hoveredPlace || hoveredPlace.order !== input.order || hoveredPlace.axis !== input.axis) return
    const bar = input.bars?.data.allocation.indexOf(hoveredPlace.allocationId) ?? -1
    const y = input.bars && bar >= 0 ? { y0: input.bars.data.y0[bar] ?? 0, y1: input.bars.data.y1[bar] ?? 0 } : hoveredPlace.y
    const frame = lifeFrame(input, { ...hoveredPlace, y })
    const { plot } = input.layout
    const [left, top] = [Math.max(frame.xPx, plot.xPx), Math.max(frame.yPx, plot.yPx)]
    const [right, bottom] = [Math.min(frame.xPx + frame.widthPx, rightOf(plot)), Math.min(frame.yPx + frame.heightPx, bottomOf(plot))]
    if (right > left && bottom > top) this.#show(this.#outline, left, top, right - left, bottom - top)
  }

  /** Puts words into the read-out; false when there is nothing to say. */
  #fill(input: LifetimesInput, { hovered, hover }: LifetimesData, hit: NonNullable<ReturnType<typeof hitTest>>): boolean {
    if (hit.region === 'rows') {
      const row = input.space && rowAt(input.space.rows, hit.y)
      if (row) this.#box.fill(...rowWords(row, input.order, t), [])
      return row !== undefined
    }
    if (hit.region === 'lane' && hit.placed) {
      this.#box.fill(spanTitle(hit.placed), '', [])
      return true
    }
    const { curves } = input
    const column = curves && columnAt(curves, hit.x)
    const state = curves && column !== undefined ? stateAt(curves, column) : undefined
    if (!state) return false
    const rows = hit.region === 'plot' && hover ? [...placeRows(input, hit.y), ...cellRows(input, hover.xPx, hover.yPx)] : []
    const time = Number.isNaN(state.timeNs) ? '' : exactTimeLabel(state.timeNs)
    this.#box.fill(eventTitle(state), time, rows, hovered && allocationPart(hovered))
    return true
  }
}
