// Names on the parts and beside the lines over them: names alone, since their numbers belong to one moment and stand in tiles and legend.
import { plotText } from '../../i18n/part-texts.ts'
import { inkOf } from '../../plot/ink.ts'
import { rightOf } from '../../plot/layout.ts'
import { columnAt } from '../../plot/placed.ts'
import { bytesToPx, pxToBytes, pxToX } from '../../plot/scales.ts'
import type { TextItem } from '../../scene/display-list.ts'
import { lines, parts } from '../../space/measures.ts'
import { inkOn, type Rgb } from '../../theme/palette.ts'
import { partColor } from './colors.ts'
import { type CurveInput, scalesOf } from './curve-input.ts'
import { momentPx } from './draw-moment.ts'
import { partTops } from './draw-parts.ts'
import { crosses, heightsIn, isTaken, nameBeside, type Profile, profileOf, type Surroundings } from './line-names.ts'

const nameSizePx = 12
const leastNamePx = 17 // height of a part that can hold its name
const tries = 60 // places along the plot
const black: Rgb = [22, 24, 28]
const white: Rgb = [255, 255, 255]

/** The height of one value a column on screen. */
function profile(input: CurveInput, values: Float64Array | undefined): Profile {
  const { curves } = input
  const scales = scalesOf(input)
  return profileOf(input.layout.plot, (xPx) => {
    const column = curves && columnAt(curves, pxToX(scales, xPx))
    return column === undefined ? Number.NaN : bytesToPx(scales, values?.[column] ?? 0)
  })
}

/** The drawn lines by their texts. */
function lineProfiles(input: CurveInput): { readonly text: string; readonly line: Profile }[] {
  const { curves, t } = input
  if (!curves) return []
  return [
    { text: plotText('curve.reserved'), line: profile(input, curves.data.reserved.rep) },
    ...lines.map((name) => ({ text: t(`line.${name}`), line: profile(input, curves.data[name].rep) })),
  ]
}

/** What lies under a place of the plot: the colour of its part, the canvas outside. */
function fillAt(input: CurveInput, tops: readonly Float64Array[], xPx: number, yPx: number): Rgb {
  const { curves } = input
  const column = curves && columnAt(curves, pxToX(scalesOf(input), xPx))
  const bytes = pxToBytes(scalesOf(input), yPx)
  const part = column === undefined ? undefined : parts.find((_, index) => bytes < (tops[index]?.[column] ?? 0))
  return part ? partColor(input.tokens, part, input.emphasis) : inkOf(input.tokens).canvas
}

const lookOn = (fill: Rgb): Pick<TextItem, 'color' | 'halo'> => ({ color: inkOn(fill) === 'light' ? white : black, halo: fill })

/** All names of the plot, clear of the texts `placed` before them; what finds no place is named in the legend. */
export function drawNames(input: CurveInput, placed: readonly TextItem[]): TextItem[] {
  if (!input.curves) return []
  const named = lineProfiles(input)
  const tops = partTops(input)
  const names: TextItem[] = []
  const around = (): Surroundings => ({
    frame: input.layout.plot,
    lines: named.map(({ line }) => line),
    placed: [...placed, ...names],
    markPx: momentPx(input),
    measure: input.measure,
  })
  for (const { text, line } of named) {
    const name = nameBeside(text, line, around(), ({ xPx, yPx }) => lookOn(fillAt(input, tops, xPx, yPx)))
    if (name) names.push(name)
  }
  const edges = [profile(input, undefined), ...tops.map((top) => profile(input, top))]
  for (const [index, part] of parts.entries()) {
    const [low, high] = [edges[index], edges[index + 1]]
    const look = lookOn(partColor(input.tokens, part, input.emphasis))
    const name = low && high && nameWithin(input.t(`part.${part}`), low, high, around(), look)
    if (name) names.push(name)
  }
  return names
}

/** A name in the band between two edges, where the band is high and by choice no line passes; undefined where it fits nowhere. */
function nameWithin(
  text: string,
  low: Profile,
  high: Profile,
  around: Surroundings,
  look: Pick<TextItem, 'color' | 'halo'>,
): TextItem | undefined {
  const { frame, lines: over, measure } = around
  const widthPx = measure(text, nameSizePx, true)
  const roomPx = rightOf(frame) - frame.xPx - 12 - widthPx
  let best: { readonly item: TextItem; readonly worth: number } | undefined
  for (let each = 0; each <= tries && roomPx > 0; each++) {
    const xPx = frame.xPx + 6 + (roomPx * each) / tries
    const bottomPx = heightsIn(low, xPx - 4, xPx + widthPx + 4)?.topPx ?? Number.NaN
    const topPx = heightsIn(high, xPx - 4, xPx + widthPx + 4)?.bottomPx ?? Number.NaN
    const heightPx = bottomPx - topPx
    if (!(heightPx >= leastNamePx)) continue
    for (const share of [0.5, 0.3, 0.7]) {
      const yPx = topPx + heightPx * share
      const item: TextItem = { kind: 'text', xPx, yPx, spans: [{ text, strong: true }], sizePx: nameSizePx, align: 'left', ...look }
      const isClear = !over.some((line) => crosses(line, { xPx, yPx: yPx - nameSizePx / 2, widthPx, heightPx: nameSizePx }))
      const worth = Math.min(yPx - topPx, bottomPx - yPx) + (isClear ? frame.heightPx : 0)
      const isInside = Math.min(yPx - topPx, bottomPx - yPx) >= leastNamePx / 2
      if (isInside && worth > (best?.worth ?? 0) && !isTaken(item, around)) best = { item, worth }
    }
  }
  return best?.item
}
