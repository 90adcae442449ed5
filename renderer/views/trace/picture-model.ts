// Display list of a finished picture: the view's own, a title and a legend.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { counted, formatCount } from '../../i18n/format.ts'
import { drawColorLegend } from '../../picture/draw-legend.ts'
import { drawTitle } from '../../picture/title.ts'
import { bottomOf, rightOf } from '../../plot/layout.ts'
import type { Swatch } from '../../plot/legend.ts'
import { timeLabels } from '../../plot/ticks.ts'
import type { DisplayList } from '../../scene/display-list.ts'
import { slotColor } from '../../theme/palette.ts'
import { shortTitle } from './labels.ts'
import { buildTrace } from './model.ts'
import type { TraceInput } from './model-input.ts'

/** The whole picture. */
export function buildPicture(capture: CaptureSummary, input: TraceInput, heightPx: number): DisplayList {
  const { layout, tokens, measure, t } = input
  const { plot, widthPx } = layout
  const whole = { xPx: 0, yPx: 0, widthPx, heightPx }
  const title = { heading: `${capture.sourceName} · ${t('picture.title')}`, facts: factsOf(capture, input) }
  const swatches = swatchesOf(input)
  const place = { left: plot.xPx, top: bottomOf(plot) + 20, right: rightOf(plot), totalBytes: 0, emphasis: undefined, tokens, measure }
  return [
    ...buildTrace(input),
    {
      clip: whole,
      items: [
        ...drawTitle(title, widthPx, tokens, measure),
        ...drawColorLegend({ kind: 'swatches', swatches, more: moreOf(input, swatches) }, place),
      ],
    },
  ]
}

function factsOf({ durationNs }: CaptureSummary, { visible, raster, shown, tracks, searchText, marksLeftOut, t }: TraceInput): string[] {
  const [from, to] = timeLabels([Math.max(visible.x0, 0), Math.min(visible.x1, durationNs ?? visible.x1)])
  const trackIds = new Set(shown.flatMap(({ row }) => ('track' in row ? [row.track.trackId] : [])))
  return [
    t('picture.times', { from: from?.text ?? '', to: to?.text ?? '' }),
    ...(searchText === undefined ? [] : [t('picture.search', { text: searchText })]),
    t('picture.tracks', { shown: formatCount(trackIds.size), all: formatCount(tracks.trackCount) }),
    ...(marksLeftOut > 0 ? [t('status.spansLeftOut', counted(marksLeftOut))] : []),
    ...(raster ? [t('picture.slices', counted(raster.data.inSight))] : []),
  ]
}

/** What the colours in the picture stand for, most total time first. */
function swatchesOf({ colorBy, tracks, tokens }: TraceInput): Swatch[] {
  const entries = colorBy === 'name' ? tracks.names.filter(({ slot }) => slot <= 12) : tracks.categories
  return entries.flatMap(({ text, slot }) => {
    const color = slotColor(tokens, 'stack', slot)
    return color ? [{ key: text, title: shortTitle(text), place: '', color, slots: [slot], count: undefined, bytes: undefined }] : []
  })
}

const moreOf = ({ colorBy, tracks }: TraceInput, swatches: readonly Swatch[]): number =>
  colorBy === 'name' ? Math.max(0, tracks.nameCount - swatches.length) : 0
