// Crosshair and read-out under the pointer: plain elements moved by transforms, so that hovering draws nothing on the canvas and
// renders nothing in React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { AllocationRow } from '../../../preload/contract/queries.ts'
import { later } from '../../data/later.ts'
import { formatBytes, formatCount, formatTime, unknownValue } from '../../i18n/format.ts'
import type { PlacedSpan } from './annotations.ts'
import { spanTitle } from './draw-lane.ts'
import { bottomOf, rightOf } from './layout.ts'
import { stackTitle, streamTitle } from './legend.ts'
import { hitTest } from './model.ts'
import type { TimelineInput } from './model-input.ts'
import { timelineText as t } from './texts.ts'
import { exactTimeLabel } from './ticks.ts'
import { columnAt, type EventState, stateAt, timelineData } from './timeline-data.ts'
import { shortName } from './training-steps.ts'

const gapPx = 14
const rowPx = 18
const paddingPx = 24
const restPaceMs = 100

export interface ReadOutRow {
  readonly label: string
  readonly value: string
  readonly strong?: boolean
}

/** Lines of the read-out of a state: what the curves show there. */
function stateRows(state: EventState): ReadOutRow[] {
  return [
    { label: t('curve.reserved'), value: formatBytes(state.reserved) },
    { label: t('curve.active'), value: formatBytes(state.active) },
    { label: t('curve.allocated'), value: formatBytes(state.allocated), strong: true },
    { label: t('curve.requested'), value: formatBytes(state.requested) },
    { label: t('cachedShort'), value: formatBytes(state.reserved - state.active) },
  ]
}

function allocationRows(row: AllocationRow): ReadOutRow[] {
  return [
    {
      label: t('details.size'),
      value:
        row.requestedBytes === row.sizeBytes
          ? formatBytes(row.sizeBytes)
          : `${formatBytes(row.requestedBytes)} → ${formatBytes(row.sizeBytes)}`,
      strong: true,
    },
    { label: t('details.stream'), value: streamTitle(row.stream, t) },
  ]
}

/** What the read-out says beside an annotation's or step's name. */
function spanFacts({ span, step, isWhole }: PlacedSpan): [aside: string, rows: ReadOutRow[]] {
  const isKnown = isWhole && span.endNs !== null
  const duration = { label: t('details.duration'), value: isKnown ? formatTime((span.endNs ?? 0) - span.startNs) : unknownValue }
  if (step === undefined) return [t('annotation'), [duration]]
  return [t('stepAside'), [{ label: t('endsWith'), value: shortName(span.name) }, duration]]
}

export class HoverOverlay {
  readonly #capture: CaptureSummary
  readonly #input: () => TimelineInput | undefined
  readonly #line = document.createElement('div')
  readonly #level = document.createElement('div')
  readonly #box = document.createElement('div')
  readonly #stop: () => void
  #frame = 0
  #cancel: (() => void) | undefined

  constructor(capture: CaptureSummary, host: HTMLElement, input: () => TimelineInput | undefined) {
    this.#capture = capture
    this.#input = input
    this.#line.className = 'timeline-crosshair'
    this.#level.className = 'timeline-crosshair'
    this.#box.className = 'timeline-read-out'
    for (const element of [this.#line, this.#level, this.#box]) {
      element.hidden = true
      element.setAttribute('aria-hidden', 'true')
      host.append(element)
    }
    this.#stop = timelineData(capture.captureId).subscribe((data, old) => {
      const isMoved = data.hover !== old.hover || data.hovered !== old.hovered
      if (isMoved) this.#frame ||= requestAnimationFrame(() => this.#update())
      // While a pan brings curves with every frame, the read-out of a resting pointer follows at its own pace.
      else if (data.hover && data.curves !== old.curves) this.#cancel ??= later(restPaceMs, () => this.#update())
    })
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame)
    this.#cancel?.()
    this.#stop()
    for (const element of [this.#line, this.#level, this.#box]) element.remove()
  }

  #update(): void {
    this.#frame = 0
    this.#cancel?.()
    this.#cancel = undefined
    const { hover, hovered, curves, dragging } = timelineData(this.#capture.captureId).getState()
    const input = this.#input()
    const hit = hover && input && hitTest(input, hover.xPx, hover.yPx)
    const inside = hover && input && hover.xPx >= input.layout.plot.xPx && hover.xPx <= rightOf(input.layout.plot)
    const column = curves && hit && hit.region !== 'overview' ? columnAt(curves, hit.x) : undefined
    const state = curves && column !== undefined ? stateAt(curves, column) : undefined
    for (const element of [this.#line, this.#level, this.#box]) element.hidden = !inside || !hit
    if (!inside || !input || !hit) return
    const { plot, ruler } = input.layout
    place(this.#line, Math.round(hover.xPx), bottomOf(ruler), 1, bottomOf(plot) - bottomOf(ruler))
    this.#level.hidden = hit.region !== 'plot'
    place(this.#level, plot.xPx, Math.round(hover.yPx), plot.widthPx, 1)
    if (hit.region === 'lane' && hit.placed) this.#fill(spanTitle(hit.placed, t), ...spanFacts(hit.placed))
    else if (state && dragging) this.#fill(t('rangeOf', { range: rangeText(input, dragging) }), '', stateRows(state))
    else if (state) this.#fill(eventTitle(state), Number.isNaN(state.timeNs) ? '' : exactTimeLabel(state.timeNs), stateRows(state), hovered)
    else this.#box.hidden = true
    this.#place(input, hover.xPx, hover.yPx)
  }

  #fill(title: string, aside: string, rows: readonly ReadOutRow[], hovered?: AllocationRow): void {
    const head = row(title, aside, 'timeline-read-out-head')
    const lines = rows.map(({ label, value, strong }) => row(label, value, strong ? 'strong' : ''))
    const extra = hovered
      ? [
          row(stackTitle(hovered.title, t), hovered.place, 'timeline-read-out-band'),
          ...allocationRows(hovered).map((each) => row(each.label, each.value, each.strong ? 'strong' : '')),
        ]
      : []
    this.#box.replaceChildren(head, ...lines, ...extra)
  }

  /** On the side with room, never under the pointer. Nothing is measured, so moving costs no layout. */
  #place(input: TimelineInput, xPx: number, yPx: number): void {
    const { plot } = input.layout
    const heightPx = this.#box.childElementCount * rowPx + paddingPx
    const onRight = xPx < plot.xPx + plot.widthPx * 0.6
    const top = Math.min(Math.max(yPx + gapPx, plot.yPx + 4), bottomOf(plot) - heightPx - 4)
    const left = onRight ? `${Math.round(xPx + gapPx)}px` : `calc(${Math.round(xPx - gapPx)}px - 100%)`
    this.#box.style.transform = `translate(${left}, ${Math.round(Math.max(top, 4))}px)`
  }
}

const eventTitle = (state: EventState): string =>
  state.event < 0 ? t('beforeFirst') : t('eventNumber', { event: formatCount(state.event) })

/** A range of the axis in words: "1,780 – 3,639" or "1.20 ms". */
function rangeText(input: Pick<TimelineInput, 'axis'>, range: { readonly x0: number; readonly x1: number }): string {
  return input.axis === 'event'
    ? t('eventsCount', { events: formatCount(Math.round(range.x1 - range.x0)) })
    : formatTime(range.x1 - range.x0)
}

function place(element: HTMLElement, xPx: number, yPx: number, widthPx: number, heightPx: number): void {
  element.style.transform = `translate(${xPx}px, ${yPx}px)`
  element.style.width = `${widthPx}px`
  element.style.height = `${heightPx}px`
}

function row(label: string, value: string, className: string): HTMLElement {
  const line = document.createElement('div')
  line.className = className
  const name = document.createElement('span')
  const number = document.createElement('span')
  name.textContent = label
  number.textContent = value
  line.append(name, number)
  return line
}
