// Crosshair and read-out under the pointer on the curves.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { plotText } from '../../i18n/part-texts.ts'
import { flagWords } from '../../panels/flag-words.ts'
import { PointerOverlay } from '../../panels/pointer-overlay.ts'
import type { ReadOutRow } from '../../panels/read-out.ts'
import { spanTitle } from '../../plot/draw-lane.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import { columnAt } from '../../plot/placed.ts'
import { exactTimeLabel } from '../../plot/ticks.ts'
import { cachedOf, externalOf, type Measures, measuresAt, partOf, parts, roundingOf } from '../../space/measures.ts'
import type { CurveInput } from './curve-input.ts'
import { bothPlots } from './curve-layout.ts'
import { hitCurves } from './curve-model.ts'
import { fragmentationData } from './fragmentation-data.ts'
import { fragmentationText as t } from './texts.ts'

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
  readonly #overlay: PointerOverlay
  readonly #line: HTMLElement

  constructor(capture: CaptureSummary, host: HTMLElement, input: () => CurveInput | undefined) {
    this.#capture = capture
    this.#input = input
    this.#overlay = new PointerOverlay(host, {
      follow: (moved, changed) =>
        fragmentationData(capture.captureId).subscribe((data, old) => {
          if (data.hover !== old.hover) moved()
          else if (data.hover && data.curves !== old.curves) changed()
        }),
      update: () => this.#update(),
    })
    this.#line = this.#overlay.add()
  }

  destroy(): void {
    this.#overlay.destroy()
  }

  #update(): void {
    const { hover } = fragmentationData(this.#capture.captureId).getState()
    const input = this.#input()
    const curves = input?.curves // those of the device and axis in view
    const hit = hover && input && hitCurves(input, hover.xPx, hover.yPx)
    if (!curves || !hit || hit.region === 'overview') return
    const { plot, ruler } = input.layout
    const column = columnAt(curves, hit.x)
    const measures = column === undefined ? undefined : measuresAt(curves, column)
    if (!measures || hover.xPx < plot.xPx || hover.xPx > rightOf(plot)) return
    const both = bothPlots(input.layout)
    this.#overlay.showUpright(this.#line, hover.xPx, bottomOf(ruler), bottomOf(both))
    const aside = Number.isNaN(measures.timeNs) ? '' : exactTimeLabel(measures.timeNs)
    const words =
      hit.region === 'lane' && hit.placed
        ? { title: spanTitle(hit.placed) }
        : hit.region === 'ruler' && hit.flag
          ? flagWords(hit.flag)
          : { title: eventTitle(measures), aside, rows: measureRows(measures) }
    this.#overlay.say(words, both, hover)
  }
}

/** The moment in words. */
export const eventTitle = ({ event }: Pick<Measures, 'event'>): string =>
  event < 0 ? t('beforeFirst') : t('eventNumber', { event: formatCount(event) })
