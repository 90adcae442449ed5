// Crosshair and read-out under the pointer on the curves: plain elements moved by transforms, so that hovering draws nothing on the canvas.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { later } from '../../data/later.ts'
import { formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { plotText } from '../../i18n/part-texts.ts'
import { crosshair, placeElement, ReadOut, type ReadOutRow } from '../../panels/read-out.ts'
import { spanTitle } from '../../plot/draw-lane.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { columnAt } from '../../plot/placed.ts'
import { exactTimeLabel } from '../../plot/ticks.ts'
import type { CurveInput } from './curve-input.ts'
import { bothPlots } from './curve-layout.ts'
import { hitCurves } from './curve-model.ts'
import { fragmentationData } from './fragmentation-data.ts'
import { cachedOf, externalOf, type Measures, measuresAt, partOf, parts, roundingOf } from './measures.ts'
import { fragmentationText as t } from './texts.ts'

const restPaceMs = 100

/** All measures of a moment, in the order of the picture from the top down. */
function measureRows(measures: Measures): ReadOutRow[] {
  return [
    { label: plotText('curve.reserved'), value: formatBytes(measures.reserved), strong: true },
    ...parts.toReversed().map((part) => ({ label: t(`part.${part}`), value: formatBytes(partOf(measures, part)) })),
    { label: t('tile.cached'), value: formatBytes(cachedOf(measures)) },
    { label: t('line.largestFree'), value: formatBytes(measures.largestFree) },
    { label: t('line.inactiveSplit'), value: formatBytes(measures.inactiveSplit) },
    { label: t('tile.rounding'), value: formatBytes(roundingOf(measures)) },
    { label: t('tile.external'), value: formatShare(externalOf(measures), cachedOf(measures) > 0 ? 1 : 0), strong: true },
    { label: t('tile.freeBlocks'), value: formatCount(measures.freeBlocks) },
  ]
}

export class HoverOverlay {
  readonly #capture: CaptureSummary
  readonly #input: () => CurveInput | undefined
  readonly #line: HTMLElement
  readonly #box: ReadOut
  readonly #stop: () => void
  #frame = 0
  #cancel: (() => void) | undefined

  constructor(capture: CaptureSummary, host: HTMLElement, input: () => CurveInput | undefined) {
    this.#capture = capture
    this.#input = input
    this.#line = crosshair(host)
    this.#box = new ReadOut(host)
    this.#stop = fragmentationData(capture.captureId).subscribe((data, old) => {
      if (data.hover !== old.hover) this.#frame ||= requestAnimationFrame(() => this.#update())
      // While a pan brings curves with every frame, the read-out of a resting pointer follows at its own pace.
      else if (data.hover && data.curves !== old.curves) this.#cancel ??= later(restPaceMs, () => this.#update())
    })
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame)
    this.#cancel?.()
    this.#stop()
    this.#line.remove()
    this.#box.element.remove()
  }

  #update(): void {
    this.#frame = 0
    this.#cancel?.()
    this.#cancel = undefined
    const { hover } = fragmentationData(this.#capture.captureId).getState()
    const input = this.#input()
    const curves = input?.curves // those of the device and axis in view
    const hit = hover && input && hitCurves(input, hover.xPx, hover.yPx)
    const isInside = hover && input && hover.xPx >= input.layout.plot.xPx && hover.xPx <= rightOf(input.layout.plot)
    const column = curves && hit && hit.region !== 'overview' ? columnAt(curves, hit.x) : undefined
    const measures = curves && column !== undefined ? measuresAt(curves, column) : undefined
    const isShown = isInside === true && measures !== undefined
    this.#line.hidden = !isShown
    this.#box.element.hidden = !isShown
    if (!isShown || !hit) return
    const { ruler } = input.layout
    const both = bothPlots(input.layout)
    placeElement(this.#line, Math.round(hover.xPx), bottomOf(ruler), 1, bottomOf(both) - bottomOf(ruler))
    if (hit.region === 'lane' && hit.placed) this.#box.fill(spanTitle(hit.placed), '', [])
    else this.#box.fill(eventTitle(measures), Number.isNaN(measures.timeNs) ? '' : exactTimeLabel(measures.timeNs), measureRows(measures))
    this.#box.placeBeside(both, hover.xPx, hover.yPx)
  }
}

/** The moment in words. */
export const eventTitle = ({ event }: Pick<Measures, 'event'>): string =>
  event < 0 ? t('beforeFirst') : t('eventNumber', { event: formatCount(event) })
