// Notes on the ruler: a flag with the note's number where it begins, a bar along its range; a hollow flag for the mark of the moment.
import { noteText } from '../i18n/part-texts.ts'
import type { Frame, Item } from '../scene/display-list.ts'
import { type AxisInput, xScaleOf } from './axis-input.ts'
import { type Ink, inkOf } from './ink.ts'
import { bottomOf, contains, rightOf } from './layout.ts'
import { xToPx } from './scales.ts'
import { crisp } from './step-curve.ts'

/** A note, or the mark of the moment, on the axis shown. */
export interface RulerMark {
  readonly noteId: string | undefined // undefined: the mark of the moment
  readonly number: number // of the note
  readonly text: string
  readonly x0: number
  readonly x1: number
}

/** What a flag stands for: notes closer than their flags share one. */
export interface Flag {
  readonly marks: readonly [RulerMark, ...RulerMark[]]
  readonly label: string
  readonly xPx: number // of its pole
  readonly frame: Frame
}

const flagPx = 14
const footPx = 3 // of the pole, below the flag
const paddingPx = 4
const textPx = 10
const leastBarPx = 4

/** A moment stands in the middle of its step, a range at its start. */
export const poleX = ({ axis }: Pick<AxisInput, 'axis'>, { x0, x1 }: RulerMark): number =>
  axis === 'event' && x1 - x0 <= 1 ? x0 + 0.5 : x0

function flagOf(input: AxisInput, marks: Flag['marks']): Flag {
  const { ruler, plot } = input.layout
  const [first, ...others] = marks
  const number = others.length === 0 ? String(first.number) : `${first.number}+${others.length}`
  const label = first.noteId === undefined ? noteText('keepHint') : number
  const xPx = xToPx(xScaleOf(input), poleX(input, first))
  const widthPx = Math.ceil(input.measure(label, textPx, true)) + 2 * paddingPx
  const left = xPx + widthPx > rightOf(plot) ? Math.round(xPx) - widthPx + 1 : Math.round(xPx)
  return { marks, label, xPx, frame: { xPx: left, yPx: bottomOf(ruler) - flagPx - footPx, widthPx, heightPx: flagPx } }
}

/** The flags in sight, from left to right; that of the moment is the last. */
export function flagsOf(input: AxisInput): Flag[] {
  const { plot } = input.layout
  const isInSight = (mark: RulerMark): boolean => {
    const xPx = xToPx(xScaleOf(input), poleX(input, mark))
    return xPx >= plot.xPx - 1 && xPx <= rightOf(plot) + 1
  }
  const shown = (input.noteMarks ?? []).filter(isInSight)
  const flags: Flag[] = []
  for (const mark of shown.filter(({ noteId }) => noteId !== undefined).sort((a, b) => a.x0 - b.x0 || a.number - b.number)) {
    const last = flags.at(-1)
    if (last && xToPx(xScaleOf(input), poleX(input, mark)) < rightOf(last.frame))
      flags[flags.length - 1] = flagOf(input, [...last.marks, mark])
    else flags.push(flagOf(input, [mark]))
  }
  const ofMoment = shown.find(({ noteId }) => noteId === undefined)
  return ofMoment ? [...flags, flagOf(input, [ofMoment])] : flags
}

/** The flag at a place of the canvas. */
export const flagAt = (input: AxisInput, xPx: number, yPx: number): Flag | undefined =>
  flagsOf(input).findLast(({ frame }) => contains({ ...frame, yPx: frame.yPx - footPx, heightPx: flagPx + 2 * footPx }, xPx, yPx))

/** The flags on the ruler, with the bars of their ranges. */
export function drawFlags(input: AxisInput, flags: readonly Flag[]): Item[] {
  const ink = inkOf(input.tokens)
  return [...(input.noteMarks ?? []).flatMap((mark) => barOf(input, mark, ink)), ...flags.flatMap((flag) => drawFlag(input, flag, ink))]
}

function barOf(input: AxisInput, { x0, x1 }: RulerMark, ink: Ink): Item[] {
  const { plot, ruler } = input.layout
  const left = Math.round(Math.max(xToPx(xScaleOf(input), x0), plot.xPx))
  const right = Math.round(Math.min(xToPx(xScaleOf(input), x1), rightOf(plot)))
  if (right - left < leastBarPx) return []
  const yPx = bottomOf(ruler) - footPx
  const end = { kind: 'box', yPx, widthPx: 1, heightPx: footPx, color: ink.t1, alpha: 1 } as const
  return [
    { kind: 'box', xPx: left, yPx, widthPx: right - left, heightPx: 1, color: ink.t1, alpha: 1 },
    { ...end, xPx: left },
    { ...end, xPx: right - 1 },
  ]
}

function drawFlag(input: AxisInput, { label, marks, xPx, frame }: Flag, ink: Ink): Item[] {
  const isOfMoment = marks[0].noteId === undefined
  const pole = crisp(xPx)
  const [left, right, top, bottom] = [frame.xPx + 0.5, rightOf(frame) - 0.5, frame.yPx + 0.5, bottomOf(frame) - 0.5]
  return [
    { kind: 'path', points: [pole, top, pole, bottomOf(input.layout.ruler)], color: ink.t1, alpha: 1, widthPx: 1 },
    { kind: 'box', ...frame, color: isOfMoment ? ink.panel : ink.t1, alpha: 1 },
    { kind: 'path', points: [left, top, right, top, right, bottom, left, bottom, left, top], color: ink.t1, alpha: 1, widthPx: 1 },
    {
      kind: 'text',
      xPx: frame.xPx + frame.widthPx / 2,
      yPx: frame.yPx + flagPx / 2,
      spans: [{ text: label, strong: true }],
      sizePx: textPx,
      align: 'center',
      color: isOfMoment ? ink.t1 : ink.canvas,
    },
  ]
}
