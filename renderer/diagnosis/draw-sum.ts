// The bars of the sum for pictures: the same model as on screen.
import type { DiagnosisSituation } from '../../preload/contract/diagnosis.ts'
import { formatCount } from '../i18n/format.ts'
import { inkOf } from '../plot/ink.ts'
import { fitText } from '../plot/text-fit.ts'
import type { Frame, Item, Measure, TextItem } from '../scene/display-list.ts'
import { parseHex, type Rgb } from '../theme/palette.ts'
import type { Tokens } from '../theme/tokens.ts'
import { type AmountUnit, comparison, limitText, outcomeText, partsText, unitOf } from './amounts.ts'
import { type Arithmetic, type ArithmeticBar, arithmeticOf, type BarPart, labelStretch, type PartKind } from './arithmetic.ts'
import { diagnosisText as t } from './words.ts'

const [labelPx, outcomePx, barPx, rowPx, scalePx, textPx] = [150, 190, 24, 56, 40, 11]

/** Of what is in use, and of the numbers on it. */
export const allocatedFill = ({ categories, t2 }: Tokens): Rgb => parseHex(categories[1] ?? t2)
export const onAllocated: Rgb = [255, 255, 255]

interface DrawTools {
  readonly tokens: Tokens
  readonly measure: Measure
}

interface Drawn extends DrawTools {
  readonly sum: Arithmetic
  readonly unit: AmountUnit
  readonly left: number
  readonly widthPx: number
}

/** Height of the bars in CSS pixels; 0 where there are none. */
export function sumHeightPx(situation: DiagnosisSituation): number {
  const sum = arithmeticOf(situation)
  return sum ? scalePx + sum.bars.length * rowPx : 0
}

/** The bars below their scale; nothing where no amounts are known. */
export function drawSum(situation: DiagnosisSituation, frame: Frame, { tokens, measure }: DrawTools): Item[] {
  const sum = arithmeticOf(situation)
  if (!sum) return []
  const unit = unitOf(sum, situation.precisionBytes)
  const drawn = { tokens, measure, sum, unit, left: frame.xPx + labelPx, widthPx: frame.widthPx - labelPx - outcomePx }
  return [
    ...drawScale(drawn, frame),
    ...sum.bars.flatMap((bar, at) => drawBar(bar, frame.yPx + scalePx + at * rowPx, frame, situation.isFailure, drawn)),
  ]
}

const words = (text: string, xPx: number, yPx: number, align: 'left' | 'right' | 'center', color: Rgb, strong = false): TextItem => ({
  kind: 'text',
  xPx,
  yPx,
  spans: [{ text, strong }],
  sizePx: textPx,
  align,
  color,
})

const box = (xPx: number, yPx: number, widthPx: number, heightPx: number, color: Rgb): Item => ({
  kind: 'box',
  xPx,
  yPx,
  widthPx,
  heightPx,
  color,
  alpha: 1,
})

function drawScale({ sum, unit, left, widthPx, tokens }: Drawn, { yPx }: Frame): Item[] {
  const ink = inkOf(tokens)
  const xOf = (bytes: number) => left + (bytes / sum.most) * widthPx
  const bottom = yPx + scalePx + sum.bars.filter(({ enlarged }) => enlarged === 1).length * rowPx
  const { limit, limitBelow } = sum
  const top = yPx + scalePx - 6
  return [
    words(t('sum.unit', { unit: unit.name }), left - labelPx, yPx + 8, 'left', ink.t3),
    ...sum.ticks.flatMap((tick) => {
      const line = box(Math.round(xOf(tick)), yPx + scalePx - 4, 1, bottom - yPx - scalePx + 4, ink.grid)
      return [line, words(unit.whole(tick), xOf(tick), yPx + 26, tick === 0 ? 'left' : 'center', ink.t3)]
    }),
    ...(limit === null || limitBelow === null
      ? []
      : [
          {
            kind: 'hatch',
            xPx: xOf(limit),
            yPx: top,
            widthPx: xOf(limitBelow) - xOf(limit),
            heightPx: bottom - top,
            color: ink.mark,
          } satisfies Item,
        ]),
    ...(limit === null
      ? []
      : [
          {
            kind: 'path',
            points: [xOf(limit), top, xOf(limit), bottom],
            color: ink.bad,
            alpha: 1,
            widthPx: 1.5,
            dashPx: [4, 3],
          } satisfies Item,
          words(limitText(sum, unit, t) ?? '', xOf(limit), yPx + 8, limit / sum.most > 0.8 ? 'right' : 'center', ink.bad, true),
        ]),
  ]
}

function drawBar(bar: ArithmeticBar, top: number, frame: Frame, isFailure: boolean, drawn: Drawn): Item[] {
  const { sum, unit, left, widthPx, tokens, measure } = drawn
  const ink = inkOf(tokens)
  const { kind, parts, outcome, enlarged } = bar
  const label = kind === 'largest' ? t('bar.largest') : t(isFailure ? `bar.${kind}.failure` : `bar.${kind}.peak`)
  const color = outcome === 'fits' ? ink.good : outcome === 'unknown' ? ink.t3 : ink.bad
  const mark = outcome === 'fits' ? '✓ ' : outcome === 'unknown' ? '' : '✕ '
  const note = `${partsText(bar, unit, t)}${enlarged > 1 ? ` · ${t('sum.enlarged', { times: formatCount(enlarged) })}` : ''}`
  const right = frame.xPx + frame.widthPx
  const scale = { left, widthPx, most: sum.most / enlarged, isBesideLimit: enlarged === 1 && kind !== 'largest' }
  const limit = enlarged === 1 && kind !== 'largest' ? (sum.limitBelow ?? sum.limit) : null
  return [
    words(label, frame.xPx, top + barPx / 2, 'left', ink.t1),
    ...(limit !== null && bar.sum > limit
      ? [
          {
            kind: 'hatch',
            xPx: left + (limit / sum.most) * widthPx,
            yPx: top,
            widthPx: ((bar.sum - limit) / sum.most) * widthPx,
            heightPx: barPx,
            color: ink.bad,
          } satisfies Item,
        ]
      : []),
    ...parts.flatMap((part) => drawPart(part, top, scale, drawn)),
    words(fitText(note, widthPx, (text) => measure(text, textPx, false)) ?? '', left, top + barPx + 11, 'left', ink.t3),
    words(comparison(bar, unit), right, top + 7, 'right', ink.t1, true),
    words(`${mark}${outcomeText(bar, unit, t)}`, right, top + 23, 'right', color),
  ]
}

interface BarScale {
  readonly left: number
  readonly widthPx: number
  readonly most: number
  readonly isBesideLimit: boolean // the limit is drawn across the bar
}

/** Filled: in use. Outlined: free. Dashed: asked for. Hatched: held by others. */
function drawPart({ kind, from, to }: BarPart, top: number, scale: BarScale, { tokens, unit, measure, sum }: Drawn): Item[] {
  const ink = inkOf(tokens)
  const xOf = (bytes: number) => scale.left + (bytes / scale.most) * scale.widthPx
  const [x0, x1] = [xOf(from), xOf(to)]
  const label = unit.between(from, to)
  const stretch = labelStretch({ from, to }, sum, scale.isBesideLimit)
  const hasRoom = measure(label, textPx, false) + 8 < xOf(stretch.to) - xOf(stretch.from)
  const color = kind === 'allocated' ? onAllocated : kind === 'largest' ? ink.selectionEdge : ink.t1
  const number = words(label, (xOf(stretch.from) + xOf(stretch.to)) / 2, top + barPx / 2, 'center', color)
  const onHatch: readonly PartKind[] = ['request', 'outside']
  const text: Item[] = hasRoom && kind !== 'missing' ? [onHatch.includes(kind) ? { ...number, halo: ink.canvas } : number] : []
  const width = Math.max(1, x1 - x0)
  const edges = (edge: Rgb, dashPx?: readonly [number, number]): Item => ({
    kind: 'path',
    points: [x0 + 0.5, top + 0.5, x1 - 0.5, top + 0.5, x1 - 0.5, top + barPx - 0.5, x0 + 0.5, top + barPx - 0.5, x0 + 0.5, top + 0.5],
    color: edge,
    alpha: 1,
    widthPx: 1,
    ...(dashPx ? { dashPx } : {}),
  })
  if (kind === 'allocated') return [box(x0, top, width, barPx, allocatedFill(tokens)), ...text]
  if (kind === 'largest') return [box(x0, top, width, barPx, ink.selection), edges(ink.selectionEdge), ...text]
  if (kind === 'outside')
    return [{ kind: 'hatch', xPx: x0, yPx: top, widthPx: width, heightPx: barPx, color: ink.mark }, edges(ink.mark), ...text]
  if (kind === 'free') return [edges(ink.mark), ...text]
  return [edges(ink.bad, [4, 3]), ...text]
}
