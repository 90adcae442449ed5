// Crosshair and read-out under the pointer.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { AllocationRow } from '../../../preload/contract/queries.ts'
import { categoryName } from '../../categories/words.ts'
import { partsDiffer } from '../../data/parts-differ.ts'
import { counted, exactBytes, formatBytes, formatCount, formatTime, unknownValue } from '../../i18n/format.ts'
import { panelText, plotText } from '../../i18n/part-texts.ts'
import { sizesText } from '../../panels/details-text.ts'
import { flagWords } from '../../panels/flag-words.ts'
import { PointerOverlay, type Words } from '../../panels/pointer-overlay.ts'
import type { ReadOutPart, ReadOutRow } from '../../panels/read-out.ts'
import type { PlacedSpan } from '../../plot/annotations.ts'
import { curvesOf } from '../../plot/curve-lines.ts'
import { spanTitle } from '../../plot/draw-lane.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { allocationTitle, streamTitle } from '../../plot/legend.ts'
import { columnAt, type EventState, stateAt } from '../../plot/placed.ts'
import { exactTimeLabel } from '../../plot/ticks.ts'
import { shortName } from '../../plot/training-steps.ts'
import { type Hit, hitTest } from './model.ts'
import type { TimelineInput } from './model-input.ts'
import { timelineText as t } from './texts.ts'
import { type TimelineData, timelineData } from './timeline-data.ts'

/** Lines of the read-out of a state: what the curves show there. */
function stateRows(state: EventState, device: TimelineInput['device']): ReadOutRow[] {
  const rows = curvesOf(device).map(({ name }) => ({
    label: plotText(`curve.${name}`),
    value: formatBytes(state[name]),
    strong: name === 'allocated',
  }))
  return rows.length === 1 ? rows : [...rows, { label: t('cachedShort'), value: formatBytes(state.reserved - state.active) }]
}

/** What lies under the pointer. */
const bandPart = (row: AllocationRow): ReadOutPart => ({
  title: allocationTitle(row),
  aside: row.place,
  rows: [
    { label: t('size'), value: sizesText(row), strong: true },
    { label: panelText('details.stream'), value: streamTitle(row.stream) },
    { label: panelText('colorBy.category'), value: categoryName(row.categoryName) },
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
function spanFacts({ span, step, isWhole }: PlacedSpan): Pick<Words, 'aside' | 'rows'> {
  const isKnown = isWhole && span.endNs !== null
  const duration = { label: t('duration'), value: isKnown ? formatTime((span.endNs ?? 0) - span.startNs) : unknownValue }
  if (step === undefined) return { aside: t('annotation'), rows: [duration] }
  return { aside: t('stepAside'), rows: [{ label: t('endsWith'), value: shortName(span.name) }, duration] }
}

export class HoverOverlay {
  readonly #capture: CaptureSummary
  readonly #input: () => TimelineInput | undefined
  readonly #overlay: PointerOverlay
  readonly #line: HTMLElement
  readonly #level: HTMLElement

  constructor(capture: CaptureSummary, host: HTMLElement, input: () => TimelineInput | undefined) {
    this.#capture = capture
    this.#input = input
    this.#overlay = new PointerOverlay(host, {
      follow: (moved, changed) =>
        timelineData(capture.captureId).subscribe((data, old) => {
          if (partsDiffer(data, old, ['hover', 'hovered'])) moved()
          else if (data.hover && data.curves !== old.curves) changed()
        }),
      update: () => this.#update(),
    })
    this.#line = this.#overlay.add()
    this.#level = this.#overlay.add()
  }

  destroy(): void {
    this.#overlay.destroy()
  }

  #update(): void {
    const data = timelineData(this.#capture.captureId).getState()
    const { hover } = data
    const input = this.#input()
    const hit = hover && input && hitTest(input, hover.xPx, hover.yPx)
    if (!hover || !input || !hit) return
    const { plot, ruler } = input.layout
    if (hover.xPx < plot.xPx || hover.xPx > rightOf(plot)) return
    this.#overlay.showUpright(this.#line, hover.xPx, bottomOf(ruler), bottomOf(plot))
    if (hit.region === 'plot')
      this.#overlay.show(this.#level, { xPx: plot.xPx, yPx: Math.round(hover.yPx), widthPx: plot.widthPx, heightPx: 1 })
    const words = wordsOf(input, data, hit)
    if (words) this.#overlay.say(words, plot, hover)
  }
}

/** What the read-out says; undefined when there is nothing to say. */
function wordsOf(input: TimelineInput, { hovered, dragging }: TimelineData, hit: Hit): Words | undefined {
  if (hit.region === 'lane' && hit.placed) return { title: spanTitle(hit.placed), ...spanFacts(hit.placed) }
  if (hit.region === 'ruler' && hit.flag) return flagWords(hit.flag)
  const { curves } = input
  const column = curves && hit.region !== 'overview' ? columnAt(curves, hit.x) : undefined
  const state = curves && column !== undefined ? stateAt(curves, column) : undefined
  if (!state) return undefined
  const rows = stateRows(state, input.device)
  if (dragging) return { title: t('rangeOf', { range: rangeText(input, dragging) }), rows }
  const aside = Number.isNaN(state.timeNs) ? '' : exactTimeLabel(state.timeNs)
  return { title: eventTitle(state), aside, rows, part: partUnder(input, hit, hovered) }
}

const eventTitle = (state: EventState): string =>
  state.event < 0 ? t('beforeFirst') : t('eventNumber', { event: formatCount(state.event) })

/** A range of the axis in words: "1,780 – 3,639" or "1.20 ms". */
function rangeText(input: Pick<TimelineInput, 'axis'>, range: { readonly x0: number; readonly x1: number }): string {
  return input.axis === 'event' ? t('eventsCount', counted(Math.round(range.x1 - range.x0))) : formatTime(range.x1 - range.x0)
}
