// The size asked for, at the scale of the rows.
import { counted, formatBytes, formatCount } from '../../i18n/format.ts'
import { inkOf } from '../../plot/ink.ts'
import type { Item, TextItem } from '../../scene/display-list.ts'
import { type BlocksInput, judgedOf, type Request, spanOf } from './model-input.ts'
import { streamWord } from './names.ts'
import type { Translate } from './texts.ts'
import { outcomeOf } from './verdict.ts'

const insetPx = 12
const leastBarPx = 3
const sizePx = 12

/** The request as an empty bar, as long as a block must be that could hold it. Stretched rows have no common scale: only its words. */
export function drawRequest(input: BlocksInput): Item[] {
  const { request, layout, tokens, t, picture } = input
  const { request: frame, plot } = layout
  if (!request || frame.heightPx === 0) return []
  const ink = inkOf(tokens)
  const isStretched = picture.scaling === 'normalise'
  const middle = frame.yPx + frame.heightPx / 2
  const barPx = ((request.fit?.rounded ?? request.bytes) / spanOf(input.visible)) * plot.widthPx
  const words = isStretched ? t('request.unscaled') : t(barPx > plot.widthPx + 1 ? 'request.cut' : 'request.toScale')
  const aside = request.fit ? t('request.place', { stream: streamWord(request.fit.stream, t) }) : ''
  const name = { kind: 'text', xPx: 16, align: 'left' } as const
  const names: Item[] = [
    { ...name, yPx: middle - 8, spans: [{ text: t('request.title'), strong: true }], sizePx, color: ink.t1 },
    { ...name, yPx: middle + 8, spans: [{ text: aside }], sizePx: 11, color: ink.t3 },
  ]
  const end = isStretched ? plot.xPx : plot.xPx + Math.min(Math.max(barPx, leastBarPx), plot.widthPx)
  const label = drawWords(input, request, words, end, middle)
  return isStretched ? [...names, label] : [drawBox(input, request, end), ...names, label]
}

function drawBox({ layout: { request: frame, plot }, tokens }: BlocksInput, request: Request, end: number): Item {
  const ink = inkOf(tokens)
  const judged = judgedOf(request)
  const outcome = judged && outcomeOf(judged)
  const color = outcome === 'fits' ? ink.good : outcome === 'fails' ? ink.bad : ink.t2
  const sixth = frame.heightPx / 6
  const [top, bottom] = [Math.round(frame.yPx + sixth) + 0.5, Math.round(frame.yPx + frame.heightPx - sixth) + 0.5]
  const [left, right] = [plot.xPx + 0.5, end - 0.5]
  return {
    kind: 'path',
    points: [left, top, right, top, right, bottom, left, bottom, left, top],
    color,
    alpha: 1,
    widthPx: 1.5,
    dashPx: [5, 3],
  }
}

/** Size and words inside the bar where they have room, else on the longer side of its end; whole words only, never through the end. */
function drawWords(
  { layout: { plot }, tokens, measure, t }: BlocksInput,
  request: Request,
  words: string,
  end: number,
  yPx: number,
): TextItem {
  const ink = inkOf(tokens)
  const size = formatBytes(request.bytes)
  const fits = request.fit ? fittingWords(request.fit, t) : words
  const sentences = [`  ${words} · ${fits}`, `  ${fits}`, `  ${words}`]
  const width = (text: string): number => measure(size, sizePx, true) + measure(text, sizePx, false) + 2 * insetPx
  const [inside, beside] = [end - plot.xPx, plot.xPx + plot.widthPx - end]
  const isInside = width(sentences[0] ?? '') <= inside || inside >= beside
  const sentence = sentences.find((text) => width(text) <= (isInside ? inside : beside)) ?? ''
  const xPx = (isInside ? plot.xPx : end) + insetPx
  const spans = [{ text: size, strong: true, color: ink.t1 }, { text: sentence }]
  return { kind: 'text', xPx, yPx, spans, sizePx, align: 'left', color: ink.t2, halo: ink.canvas }
}

/** How many free blocks would do; where the pool has none, that. */
export function fittingWords({ fittingCount, free, segmentType }: NonNullable<Request['fit']>, t: Translate): string {
  if (free.count === 0) return t(segmentType === 'small' ? 'request.noneSmall' : 'request.noneLarge')
  return t('request.fitting', { ...counted(fittingCount), all: formatCount(free.count) })
}
