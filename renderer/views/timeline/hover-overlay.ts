// Crosshair and read-out under the pointer: plain elements moved by transforms, so that hovering draws nothing on the canvas and
// renders nothing in React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { AllocationRow } from '../../../preload/contract/queries.ts'
import { later } from '../../data/later.ts'
import { exactBytes, formatBytes, formatCount, formatTime, unknownValue } from '../../i18n/format.ts'
import { panelText, plotText } from '../../i18n/part-texts.ts'
import { crosshair, placeElement, ReadOut, type ReadOutPart, type ReadOutRow } from '../../panels/read-out.ts'
import type { PlacedSpan } from '../../plot/annotations.ts'
import { spanTitle } from '../../plot/draw-lane.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { stackTitle, streamTitle } from '../../plot/legend.ts'
import { columnAt, type EventState, stateAt } from '../../plot/placed.ts'
import { exactTimeLabel } from '../../plot/ticks.ts'
import { shortName } from '../../plot/training-steps.ts'
import { type Hit, hitTest } from './model.ts'
import type { TimelineInput } from './model-input.ts'
import { timelineText as t } from './texts.ts'
import { timelineData } from './timeline-data.ts'

const restPaceMs = 100

/** Lines of the read-out of a state: what the curves show there. */
function stateRows(state: EventState): ReadOutRow[] {
  return [
    { label: plotText('curve.reserved'), value: formatBytes(state.reserved) },
    { label: plotText('curve.active'), value: formatBytes(state.active) },
    { label: plotText('curve.allocated'), value: formatBytes(state.allocated), strong: true },
    { label: plotText('curve.requested'), value: formatBytes(state.requested) },
    { label: t('cachedShort'), value: formatBytes(state.reserved - state.active) },
  ]
}

/** What lies under the pointer. */
const bandPart = (row: AllocationRow): ReadOutPart => ({
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
    { label: panelText('details.stream'), value: streamTitle(row.stream) },
  ],
})

/** The failure whose mark is pointed at. */
function failurePart(input: TimelineInput, event: number): ReadOutPart | undefined {
  const oom = input.device.ooms.find((each) => each.event === event)
  if (!oom) return undefined
  const free = oom.deviceFreeBytes
  return {
    title: panelText('memoryError.title'),
    aside: t('eventNumber', { event: formatCount(event) }),
    rows: [
      { label: panelText('memoryError.asked'), value: exactBytes(oom.sizeBytes), strong: true },
      { label: panelText('memoryError.deviceFree'), value: free === null ? unknownValue : formatBytes(free) },
    ],
  }
}

/** The part about what lies under the pointer, below that of the moment. */
function partUnder(input: TimelineInput, hit: Hit, hovered: AllocationRow | undefined): ReadOutPart | undefined {
  if (hit.region === 'plot' && hit.mark?.kind === 'oom') return failurePart(input, hit.mark.event)
  return hovered && bandPart(hovered)
}

/** What the read-out says beside an annotation's or step's name. */
function spanFacts({ span, step, isWhole }: PlacedSpan): [aside: string, rows: ReadOutRow[]] {
  const isKnown = isWhole && span.endNs !== null
  const duration = { label: t('duration'), value: isKnown ? formatTime((span.endNs ?? 0) - span.startNs) : unknownValue }
  if (step === undefined) return [t('annotation'), [duration]]
  return [t('stepAside'), [{ label: t('endsWith'), value: shortName(span.name) }, duration]]
}

export class HoverOverlay {
  readonly #capture: CaptureSummary
  readonly #input: () => TimelineInput | undefined
  readonly #line: HTMLElement
  readonly #level: HTMLElement
  readonly #box: ReadOut
  readonly #stop: () => void
  #frame = 0
  #cancel: (() => void) | undefined

  constructor(capture: CaptureSummary, host: HTMLElement, input: () => TimelineInput | undefined) {
    this.#capture = capture
    this.#input = input
    this.#line = crosshair(host)
    this.#level = crosshair(host)
    this.#box = new ReadOut(host)
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
    for (const element of [this.#line, this.#level, this.#box.element]) element.remove()
  }

  #update(): void {
    this.#frame = 0
    this.#cancel?.()
    this.#cancel = undefined
    const { hover, hovered, dragging } = timelineData(this.#capture.captureId).getState()
    const input = this.#input()
    const curves = input?.curves
    const hit = hover && input && hitTest(input, hover.xPx, hover.yPx)
    const inside = hover && input && hover.xPx >= input.layout.plot.xPx && hover.xPx <= rightOf(input.layout.plot)
    const column = curves && hit && hit.region !== 'overview' ? columnAt(curves, hit.x) : undefined
    const state = curves && column !== undefined ? stateAt(curves, column) : undefined
    for (const element of [this.#line, this.#level, this.#box.element]) element.hidden = !inside || !hit
    if (!inside || !input || !hit) return
    const { plot, ruler } = input.layout
    placeElement(this.#line, Math.round(hover.xPx), bottomOf(ruler), 1, bottomOf(plot) - bottomOf(ruler))
    this.#level.hidden = hit.region !== 'plot'
    placeElement(this.#level, plot.xPx, Math.round(hover.yPx), plot.widthPx, 1)
    if (hit.region === 'lane' && hit.placed) this.#box.fill(spanTitle(hit.placed), ...spanFacts(hit.placed))
    else if (state && dragging) this.#box.fill(t('rangeOf', { range: rangeText(input, dragging) }), '', stateRows(state))
    else if (state)
      this.#box.fill(
        eventTitle(state),
        Number.isNaN(state.timeNs) ? '' : exactTimeLabel(state.timeNs),
        stateRows(state),
        partUnder(input, hit, hovered),
      )
    else this.#box.element.hidden = true
    this.#box.placeBeside(plot, hover.xPx, hover.yPx)
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
