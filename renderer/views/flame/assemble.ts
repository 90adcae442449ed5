// View state, the view's own state and answers of the engine → the model's input.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { categoryNames } from '../../../preload/contract/queries.ts'
import { focusData } from '../../focus/focus-data.ts'
import { measureOnScreen } from '../../scene/live-scene.ts'
import { type ViewState, viewOf } from '../../state/view-state.ts'
import { currentTokens } from '../../theme/theme.ts'
import { type FlameBox, risingBoxes, rowsOf, shownBoxes } from './boxes.ts'
import { type Answer, flameData, type Weighed } from './flame-data.ts'
import { type FlameState, flameState, isRising, isUpsideDown, optionsOf } from './flame-state.ts'
import { spotMarks, spotNumbers, templateOf } from './hot-spots.ts'
import { type FlameLayout, mostScrollPx, rowPx, rowsInSight } from './layout.ts'
import type { FlameInput } from './model-input.ts'
import { type FlameNodes, isPivot, placesBelow, placesOfStack, rootsOf } from './nodes.ts'
import { frameMatches } from './search.ts'
import { flameText } from './texts.ts'
import type { Measured } from './words.ts'

/** How the weights of an answer are written. */
export const measuredOf = (
  capture: CaptureSummary,
  { weight, unit, valueType }: Pick<Weighed, 'weight' | 'unit' | 'valueType'>,
): Measured => ({
  weight,
  unit,
  hasTimes: capture.hasTimes,
  valueType,
})

/** The node that is zoomed to; 0 = all. */
export const rootOf = ({ trail }: Pick<FlameState, 'trail'>): number => trail.at(-1)?.node ?? 0

/** True while an answer is of the device and the options in view. */
const isOfView = (capture: CaptureSummary, view: ViewState, state: FlameState, { weighed, options }: Answer): boolean =>
  weighed.device === view.device && options === JSON.stringify(optionsOf(state, capture.kind))

/** Places of the nodes below `root` whose frame the search finds; undefined without a search. */
function hitsOf(nodes: FlameNodes, root: number, search: string): ReadonlySet<number> | undefined {
  const text = search.trim()
  if (text === '') return undefined
  const found = nodes.tree.frames.map((frame) => frameMatches(frame, text))
  const shown = rootsOf(nodes, root).flatMap((each) => placesBelow(nodes, each))
  return new Set(shown.filter((place) => found[nodes.tree.frame[place] ?? -1]))
}

/** Places of the selected allocation's stack. */
function markedOf({ captureId }: CaptureSummary, nodes: FlameNodes, state: FlameState): ReadonlySet<number> {
  const { details } = focusData(captureId).getState()
  if (!details || details.allocationId !== viewOf(captureId)?.selectedAllocation) return new Set()
  const { frames } = details // innermost first
  const bare = categoryNames.indexOf(details.category.category) + 1
  return new Set(placesOfStack(nodes, isUpsideDown(state) ? frames : frames.toReversed(), state.merge, bare))
}

/** The marks of the hot spots that are shown, with the pointed one's places; undefined while there are none for these nodes. */
function spotsOf(captureId: string, { nodes, options, weighed }: Answer, { template }: FlameState) {
  const { spots, pointedSpot } = flameData(captureId).getState()
  const shown = spots?.options === options && spots.device === weighed.device ? templateOf(spots.templates, template) : undefined
  if (!shown) return undefined
  const marks = spotMarks(nodes, shown)
  const number = spotNumbers(shown)[shown.spots.findIndex(({ id }) => id === pointedSpot)]
  const pointed = new Set([...marks].flatMap(([place, numbers]) => (number !== undefined && numbers.includes(number) ? [place] : [])))
  return { marks, pointed: pointed.size > 0 ? pointed : undefined } // what is nowhere to be seen makes nothing else step back
}

/** The boxes as they stand on the canvas, and how many rows they take: where they rise, the root's row is at its lower end. */
function placedBoxes(nodes: FlameNodes, root: number, { rows }: FlameLayout, state: FlameState) {
  const boxes = shownBoxes(nodes, root, rows.widthPx)
  const rises = isRising(state) && nodes.upperFrom === undefined
  const rowCount = rises ? Math.max(rowsOf(boxes), rowsInSight(rows.heightPx)) : rowsOf(boxes)
  return { boxes: rises ? risingBoxes(boxes, rowCount) : boxes, rowCount, isRising: rises }
}

/** Where the rows stand until they are scrolled: at the root's, or with the pivot in the middle. */
function homeScrollPx(nodes: FlameNodes, boxes: readonly FlameBox[], { rows }: FlameLayout): number {
  const pivot = nodes.upperFrom === undefined ? undefined : boxes.find((box) => box.kind === 'node' && isPivot(nodes, box.place))
  return pivot ? Math.max(0, pivot.row * rowPx - (rows.heightPx - rowPx) / 2) : 0
}

/** The model's input as drawn now; undefined while there is no answer of the device in view. */
export function inputOf(capture: CaptureSummary): FlameInput | undefined {
  const { captureId } = capture
  const view = viewOf(captureId)
  const state = flameState(captureId).getState()
  const { answer, layout } = flameData(captureId).getState()
  if (!view || !answer || !layout || answer.weighed.device !== view.device) return undefined
  const { nodes, weighed, direction } = answer
  const isCurrent = isOfView(capture, view, state, answer)
  const root = (isCurrent ? nodes.placeOf.get(rootOf(state)) : undefined) ?? 0
  const { boxes, rowCount, isRising: rises } = placedBoxes(nodes, root, layout, state)
  const homePx = rises ? Number.POSITIVE_INFINITY : homeScrollPx(nodes, boxes, layout)
  const spots = spotsOf(captureId, answer, state)
  const selected = isCurrent && view.selectedNode !== undefined ? nodes.placeOf.get(view.selectedNode) : undefined
  return {
    nodes,
    root,
    boxes,
    rowCount,
    isRising: rises,
    weighed,
    direction,
    measured: measuredOf(capture, weighed),
    colorBy: state.colorBy,
    isCurrent,
    layout,
    rowPx,
    scrollPx: Math.min(state.scrollPx ?? homePx, mostScrollPx(rowCount, layout.rows.heightPx)),
    selected,
    marked: isCurrent ? markedOf(capture, nodes, state) : new Set(),
    hits: spots?.pointed ?? hitsOf(nodes, root, state.search),
    spots: spots?.marks,
    kind: capture.kind,
    tokens: currentTokens(),
    measure: measureOnScreen(),
    t: flameText,
  }
}
