// Marks of hot spots on the flame graph: the number of the spot at the right end of its box, or an edge where there is no room for it. Pure.
import { inkOf } from '../../plot/ink.ts'
import type { Frame, Item } from '../../scene/display-list.ts'
import type { NodeBox } from './boxes.ts'
import type { FlameInput } from './model-input.ts'

const insetPx = 3
const leastBoxPx = 40 // narrower boxes keep their room for the name
const textPx = 11

type Marked = Pick<FlameInput, 'spots' | 'measure' | 'tokens'>

const textAt = ({ spots }: Marked, { place }: NodeBox): string | undefined => spots?.get(place)?.join(' ')

/** True where a box is wide enough for a number. */
export const hasNumber = ({ widthPx }: Pick<NodeBox, 'widthPx'>): boolean => widthPx >= leastBoxPx

/** Width that a mark takes from the box's label. */
export function markRoom(input: Marked, box: NodeBox): number {
  const text = textAt(input, box)
  return text === undefined || !hasNumber(box) ? 0 : input.measure(text, textPx, true) + 8 + insetPx
}

/** `frame`: of the box. */
export function drawSpots(input: Marked, box: NodeBox, frame: Frame): Item[] {
  const text = textAt(input, box)
  if (text === undefined) return []
  const { t1: color, canvas } = inkOf(input.tokens)
  const room = markRoom(input, box)
  const { xPx, yPx, heightPx } = frame
  if (room === 0) return [{ kind: 'box', ...frame, heightPx: 3, color, alpha: 1 }]
  const widthPx = room - insetPx
  const left = xPx + frame.widthPx - room
  return [
    { kind: 'box', xPx: left, yPx: yPx + insetPx, widthPx, heightPx: heightPx - 2 * insetPx, color, alpha: 1 },
    {
      kind: 'text',
      xPx: left + widthPx / 2,
      yPx: yPx + heightPx / 2,
      spans: [{ text, strong: true }],
      sizePx: textPx,
      align: 'center',
      color: canvas,
    },
  ]
}
