// Crosshair, read-out and outline under the pointer. Plain elements moved by transforms: hovering draws nothing on the canvas.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { AllocationRow } from '../../../preload/contract/queries.ts'
import { categoryName } from '../../categories/words.ts'
import { partsDiffer } from '../../data/parts-differ.ts'
import { counted, formatAddress, formatCount, formatShare, formatTime, unknownValue } from '../../i18n/format.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { sizesText } from '../../panels/details-text.ts'
import { flagWords } from '../../panels/flag-words.ts'
import { PointerOverlay, type Words } from '../../panels/pointer-overlay.ts'
import type { ReadOutPart, ReadOutRow } from '../../panels/read-out.ts'
import { spanTitle } from '../../plot/draw-lane.ts'
import { bottomOf } from '../../plot/layout.ts'
import { allocationTitle, streamTitle } from '../../plot/legend.ts'
import { columnAt, type EventState, stateAt } from '../../plot/placed.ts'
import { exactTimeLabel } from '../../plot/ticks.ts'
import { cellAt } from './draw-heat.ts'
import { lifeFrame } from './draw-marks.ts'
import { isPerAddress, pendingBit, tellsAlive, valueOfCell } from './heat.ts'
import { type LifetimesData, lifetimesData, type PlacedHeat } from './lifetimes-data.ts'
import { type Hit, hitTest } from './model.ts'
import type { LifetimesInput } from './model-input.ts'
import { hasNoAddress, rowWords } from './row-labels.ts'
import { lifetimesText as t } from './texts.ts'
import { valueText } from './units.ts'
import { addressAt, byAddress, rowAt } from './y-axis.ts'

/** What lies along y there. */
function placeRows(input: LifetimesInput, y: number): ReadOutRow[] {
  if (input.order === 'allocation') return [{ label: t('order.allocation'), value: formatCount(Math.floor(y)) }]
  const row = input.space && rowAt(input.space.rows, y)
  if (!row) return []
  const address = addressAt(row, y)
  if (address !== undefined)
    return [{ label: panelText('details.address'), value: hasNoAddress(row) ? t('heldBefore') : formatAddress(address) }]
  return [
    {
      label: t(`order.${input.order}`),
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
  if (allocEvent !== null && freeRequestedEvent !== null) return t('unit.events', counted(freeRequestedEvent - allocEvent))
  return unknownValue
}

const eventsText = ({ allocEvent, freeRequestedEvent }: AllocationRow): string =>
  `${allocEvent === null ? panelText('beforeHistory') : formatCount(allocEvent)} – ${freeRequestedEvent === null ? t('state.alive') : formatCount(freeRequestedEvent)}`

/** The allocation under the pointer: name, size, life, stream. */
const allocationPart = (row: AllocationRow): ReadOutPart => ({
  title: allocationTitle(row),
  aside: row.place,
  rows: [
    { label: t('size'), value: sizesText(row), strong: true },
    { label: panelText('eventsRange'), value: eventsText(row) },
    { label: panelText('details.lifetime'), value: lifeText(row) },
    { label: panelText('details.stream'), value: streamTitle(row.stream) },
    { label: panelText('colorBy.category'), value: categoryName(row.categoryName) },
  ],
})

const eventTitle = ({ event }: EventState): string => (event < 0 ? t('beforeFirst') : t('eventNumber', { event: formatCount(event) }))

export class HoverOverlay {
  readonly #capture: CaptureSummary
  readonly #input: () => LifetimesInput | undefined
  readonly #overlay: PointerOverlay
  readonly #outline: HTMLElement
  readonly #line: HTMLElement
  readonly #level: HTMLElement

  constructor(capture: CaptureSummary, host: HTMLElement, input: () => LifetimesInput | undefined) {
    this.#capture = capture
    this.#input = input
    this.#overlay = new PointerOverlay(host, {
      follow: (moved, changed) =>
        lifetimesData(capture.captureId).subscribe((data, old) => {
          if (partsDiffer(data, old, ['hover', 'hovered'])) moved()
          else if (data.hover && partsDiffer(data, old, ['curves', 'raster'])) changed()
        }),
      update: () => this.#update(),
    })
    this.#outline = this.#overlay.add('pointed-outline')
    this.#line = this.#overlay.add()
    this.#level = this.#overlay.add()
  }

  destroy(): void {
    this.#overlay.destroy()
  }

  #update(): void {
    const data = lifetimesData(this.#capture.captureId).getState()
    const input = this.#input()
    const hit = data.hover && input && hitTest(input, data.hover.xPx, data.hover.yPx)
    if (!data.hover || !input || !hit || hit.region === 'overview') return
    const { plot, ruler } = input.layout
    const { xPx, yPx } = data.hover
    if (hit.region !== 'rows') this.#overlay.showUpright(this.#line, xPx, bottomOf(ruler), bottomOf(plot))
    if (hit.region === 'plot') this.#overlay.show(this.#level, { xPx: plot.xPx, yPx: Math.round(yPx), widthPx: plot.widthPx, heightPx: 1 })
    this.#showOutline(input, data)
    const words = wordsOf(input, data, hit)
    if (words) this.#overlay.say(words, plot, data.hover)
  }

  /** Frame of the life under the pointer, cut to the plot. */
  #showOutline(input: LifetimesInput, { hoveredPlace }: LifetimesData): void {
    if (!hoveredPlace || hoveredPlace.order !== input.order || hoveredPlace.axis !== input.axis) return
    const bar = input.bars?.data.allocation.indexOf(hoveredPlace.allocationId) ?? -1
    const y = input.bars && bar >= 0 ? { y0: input.bars.data.y0[bar] ?? 0, y1: input.bars.data.y1[bar] ?? 0 } : hoveredPlace.y
    this.#overlay.showInside(this.#outline, lifeFrame(input, { ...hoveredPlace, y }), input.layout.plot)
  }
}

/** What the read-out says; undefined when there is nothing to say. */
function wordsOf(input: LifetimesInput, { hovered, hover }: LifetimesData, hit: Hit): Words | undefined {
  if (hit.region === 'rows') {
    const row = input.space && rowAt(input.space.rows, hit.y)
    if (!row) return undefined
    const [title, aside] = rowWords(row, input.order, t)
    return { title, aside }
  }
  if (hit.region === 'lane' && hit.placed) return { title: spanTitle(hit.placed) }
  if (hit.region === 'ruler' && hit.flag) return flagWords(hit.flag)
  const { curves } = input
  const column = curves && columnAt(curves, hit.x)
  const state = curves && column !== undefined ? stateAt(curves, column) : undefined
  if (!state) return undefined
  const rows = hit.region === 'plot' && hover ? [...placeRows(input, hit.y), ...cellRows(input, hover.xPx, hover.yPx)] : []
  const aside = Number.isNaN(state.timeNs) ? '' : exactTimeLabel(state.timeNs)
  return { title: eventTitle(state), aside, rows, part: hovered && allocationPart(hovered) }
}
