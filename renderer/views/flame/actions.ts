// What the user does in the flame graph, as functions on view state and the view's own state.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { FlameOrder } from '../../../preload/contract/queries.ts'
import { selectedDetails } from '../../focus/selection-actions.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { detailsText } from '../../panels/details-text.ts'
import { copyText } from '../../state/copy-text.ts'
import { showMessage } from '../../state/shell.ts'
import { patchView, viewOf } from '../../state/view-state.ts'
import { announce } from '../../widgets/announce.ts'
import { inputOf } from './assemble.ts'
import type { FlameBox } from './boxes.ts'
import { type FlameColor, type FlameFrame, type FlameShape, type FlameState, type FrameRef, flameState, patchFlame } from './flame-state.ts'
import { mostScrollPx } from './layout.ts'
import { boxOfPlace } from './model.ts'
import type { FlameInput } from './model-input.ts'
import { type FlameNodes, frameAt, framesAt, isUpper, pathBetween, placesBelow, rootsOf } from './nodes.ts'
import { flameText } from './texts.ts'
import { nodeTitle, weightText } from './words.ts'

/** Scrolls the rows, inside what there is. */
export function scrollTo(capture: CaptureSummary, scrollPx: number): void {
  const input = inputOf(capture)
  if (!input) return
  const next = Math.min(Math.max(scrollPx, 0), mostScrollPx(input.rowCount, input.layout.rows.heightPx))
  if (next !== flameState(capture.captureId).getState().scrollPx) patchFlame(capture.captureId, { scrollPx: next })
}

/** Brings a place into sight: scrolls to its row, and zooms to its parent where it is too narrow to be seen. */
function reveal(capture: CaptureSummary, input: FlameInput, place: number): void {
  const box = boxOfPlace(input, place)
  const parent = input.nodes.tree.parent[place] ?? -1
  if (!box || box.kind === 'small') {
    if (parent > 0 && parent !== input.root && zoomTo(capture, parent)) revealBelowRoot(capture)
    return
  }
  revealRow(capture, box.row)
}

/** The row next to that of the node that is zoomed to. */
function revealBelowRoot(capture: CaptureSummary): void {
  const input = inputOf(capture)
  const box = input && boxOfPlace(input, input.root)
  if (box) revealRow(capture, box.row + (input.isRising ? -1 : 1))
}

function revealRow(capture: CaptureSummary, row: number): void {
  const input = inputOf(capture)
  if (!input) return
  const { rowPx, scrollPx, layout } = input
  const topPx = row * rowPx
  if (topPx < scrollPx) scrollTo(capture, topPx)
  else if (topPx + rowPx > scrollPx + layout.rows.heightPx) scrollTo(capture, topPx + rowPx - layout.rows.heightPx)
}

/** Selects a node of the picture, opens the drawer and says what it is. */
export function selectPlace(capture: CaptureSummary, place: number | undefined): void {
  const input = inputOf(capture)
  const node = place === undefined ? undefined : input?.nodes.tree.node[place]
  if (!input || place === undefined || node === undefined) {
    patchView(capture.captureId, { selectedNode: undefined })
    return
  }
  patchView(capture.captureId, { selectedNode: node, showDetails: true })
  const { nodes, measured, kind } = input
  announce(`${nodeTitle(nodes, place, kind, flameText)}, ${weightText(nodes, place, measured, flameText)}`)
  reveal(capture, input, place)
}

/** What a click means: the node, or of the merged ones their parent. */
export const placeOfBox = (box: FlameBox): number => (box.kind === 'node' ? box.place : box.parent)

/** Shows a function with its callers above and what it calls below; false where that is what is shown. */
export function turnAbout(capture: CaptureSummary, frame: FlameFrame | undefined): boolean {
  if (!frame || flameState(capture.captureId).getState().pivot?.frameId === frame.frameId) return false
  setOptions(capture, { pivot: refOf(frame) })
  return true
}

/** Shows a node as wide as the canvas, or about a pivot the node's function as the next one; false where it is already, or is not among the nodes of the picture. */
export function zoomTo(capture: CaptureSummary, place: number): boolean {
  const input = inputOf(capture)
  const { captureId } = capture
  const node = input?.nodes.tree.node[place]
  if (!input?.isCurrent || node === undefined || place === input.root) return false
  if (input.nodes.upperFrom !== undefined) return turnAbout(capture, frameAt(input.nodes, place))
  const path = pathBetween(input.nodes, input.root, place)
  if (path.length === 0) return false
  const frames = framesAt(input.nodes, path)
  patchFlame(captureId, { trail: [...flameState(captureId).getState().trail, { node, path: frames }], scrollPx: undefined })
  return true
}

/** Goes up the trail to its first `steps` steps; 0 = all. */
export function zoomOutTo(capture: CaptureSummary, steps: number): void {
  const { captureId } = capture
  const { trail, pivot } = flameState(captureId).getState()
  if (pivot) setOptions(capture, { pivot: undefined })
  else if (steps < trail.length) patchFlame(captureId, { trail: trail.slice(0, steps), scrollPx: undefined })
}

export function isZoomed({ captureId }: CaptureSummary): boolean {
  const { trail, pivot } = flameState(captureId).getState()
  return trail.length > 0 || pivot !== undefined
}

/** One step up the trail. */
export const zoomOut = (capture: CaptureSummary): void =>
  zoomOutTo(capture, Math.max(0, flameState(capture.captureId).getState().trail.length - 1))

/** Zooms to the selected node. */
export function zoomIn(capture: CaptureSummary): void {
  const selected = inputOf(capture)?.selected
  if (selected === undefined) announce(flameText('selectFirst'))
  else zoomTo(capture, selected)
}

/** Zooms to the selected node, or to everything where it is what is shown. */
export function focusSelection(capture: CaptureSummary): void {
  const selected = inputOf(capture)?.selected
  if (selected === undefined || !zoomTo(capture, selected)) zoomOutTo(capture, 0)
}

export type Step = 'parent' | 'child' | 'before' | 'after'

/** Selects the node above or below the selected one, as the picture has them. */
export function walkRows(capture: CaptureSummary, way: 'up' | 'down'): void {
  const isDown = way === 'down'
  walk(capture, inputOf(capture)?.isRising === isDown ? 'parent' : 'child')
}

/** Selects the node that lies one step from the selected one; the root where none is. */
export function walk(capture: CaptureSummary, step: Step): void {
  const input = inputOf(capture)
  if (!input) return
  const { selected, nodes } = input
  const next =
    selected === undefined
      ? firstOf(input)
      : isUpper(nodes, selected)
        ? callerBeside(input, selected, step)
        : neighbourOf(input, selected, step)
  if (next === undefined) announce(flameText('noNeighbour'))
  else selectPlace(capture, next)
}

/** The root, or the pivot. */
const firstOf = ({ nodes, root }: FlameInput): number => (nodes.upperFrom === undefined ? root : (nodes.children[0]?.[0] ?? root))

/** Callers grow upwards from the pivot, which is a node of the lower tree. */
function callerBeside(input: FlameInput, place: number, step: Step): number | undefined {
  const flipped = step === 'parent' ? 'child' : step === 'child' ? 'parent' : step
  const next = neighbourOf(input, place, flipped)
  return next === input.nodes.children[input.nodes.upperFrom ?? -1]?.[0] ? firstOf(input) : next
}

function neighbourOf({ nodes, root }: FlameInput, place: number, step: Step): number | undefined {
  if (step === 'child') return nodes.children[place]?.[0]
  const parent = nodes.tree.parent[place] ?? -1
  if (place === root || parent < 0) return undefined
  if (nodes.upperFrom !== undefined && parent === 0) return step === 'parent' ? largestCaller(nodes, nodes.upperFrom) : undefined
  if (step === 'parent') return parent
  const siblings = nodes.children[parent] ?? []
  return siblings[siblings.indexOf(place) + (step === 'after' ? 1 : -1)]
}

const largestCaller = ({ children }: FlameNodes, upperFrom: number): number | undefined => children[children[upperFrom]?.[0] ?? -1]?.[0]

/** Changes what is done with the stacks: nodes have other numbers then, so zoom and selection go. */
export function setOptions({ captureId }: CaptureSummary, patch: Partial<FlameState>): void {
  patchFlame(captureId, { ...patch, trail: [], scrollPx: undefined })
  patchView(captureId, { selectedNode: undefined })
}

/** From the outermost frames down, or from the innermost up. */
export const invert = (capture: CaptureSummary): void =>
  setDirection(capture, flameState(capture.captureId).getState().direction === 'callees' ? 'callers' : 'callees')

/** Shows the tree from the outermost or the innermost frames on, about no pivot. */
export const setDirection = (capture: CaptureSummary, direction: FlameState['direction']): void =>
  setOptions(capture, { direction, pivot: undefined })

/** Which way the rows go from the root. */
export const setShape = (capture: CaptureSummary, shape: FlameShape): void => patchFlame(capture.captureId, { shape, scrollPx: undefined })

/** In which order siblings stand; nodes keep their numbers, so zoom and selection stay. */
export const setOrder = (capture: CaptureSummary, order: FlameOrder): void => patchFlame(capture.captureId, { order })

/** The other way up, and the other order. */
export const flip = (capture: CaptureSummary): void =>
  setShape(capture, flameState(capture.captureId).getState().shape === 'icicle' ? 'flame' : 'icicle')
export const cycleOrder = (capture: CaptureSummary): void =>
  setOrder(capture, flameState(capture.captureId).getState().order === 'size' ? 'time' : 'size')

/** What the colours of functions say. */
export const setColorBy = ({ captureId }: CaptureSummary, colorBy: FlameColor): void => patchFlame(captureId, { colorBy })

/** The next way to colour. */
export function cycleColorBy(capture: CaptureSummary): void {
  setColorBy(capture, flameState(capture.captureId).getState().colorBy === 'module' ? 'category' : 'module')
}

const refOf = ({ frameId, title }: FlameFrame): FrameRef => ({ frameId, title })

/** Keeps only the stacks with a function, or those without. */
export function filterBy(capture: CaptureSummary, frame: FlameFrame, how: 'with' | 'without'): void {
  const known = flameState(capture.captureId).getState()[how]
  if (!known.some(({ frameId }) => frameId === frame.frameId)) setOptions(capture, { [how]: [...known, refOf(frame)] })
}

/** Takes such a filter away. */
export const unfilter = (capture: CaptureSummary, frameId: number, how: 'with' | 'without'): void =>
  setOptions(capture, {
    [how]: flameState(capture.captureId)
      .getState()
      [how].filter((each) => each.frameId !== frameId),
  })

/** The frames from the first of the tree that a place lies in down to it. */
function framesTo(capture: CaptureSummary, input: FlameInput, place: number): readonly FlameFrame[] {
  const { trail } = flameState(capture.captureId).getState()
  const { nodes } = input
  if (nodes.upperFrom !== undefined && isUpper(nodes, place)) return framesAt(nodes, pathBetween(nodes, nodes.upperFrom, place))
  const above = input.isCurrent ? framesAbove(input, trail) : []
  return [...above, ...framesAt(input.nodes, pathBetween(input.nodes, 0, place))]
}

/** Frames of the trail down to the answer's own root, itself included; none where the answer holds the whole tree. */
function framesAbove({ nodes }: FlameInput, trail: FlameState['trail']): readonly FlameFrame[] {
  const last = trail.findIndex(({ node }) => node === nodes.tree.node[0])
  return trail.slice(0, last + 1).flatMap(({ path }) => path)
}

/** The same frames, the innermost first. */
export function innermostFirstTo(capture: CaptureSummary, input: FlameInput, place: number): readonly FlameFrame[] {
  const frames = framesTo(capture, input, place)
  return input.direction === 'callers' || isUpper(input.nodes, place) ? frames : frames.toReversed()
}

/** The stack of the selected node as text, innermost frame first. */
export function stackText(capture: CaptureSummary): string | undefined {
  const input = inputOf(capture)
  if (input?.selected === undefined) return undefined
  const innermostFirst = innermostFirstTo(capture, input, input.selected)
  const title = nodeTitle(input.nodes, input.selected, input.kind, flameText)
  const head = `${title} · ${weightText(input.nodes, input.selected, input.measured, flameText)}`
  return [head, ...innermostFirst.map((frame) => `  ${frame.name} ${frame.filename === '' ? '' : fullPlace(frame)}`.trimEnd())].join('\n')
}

const fullPlace = ({ filename, line }: FlameFrame): string => (line > 0 ? `${filename}:${line}` : filename)

/** Puts that stack on the clipboard. */
export async function copyStack(capture: CaptureSummary): Promise<void> {
  const text = stackText(capture)
  if (text !== undefined && (await copyText(text))) showMessage(flameText('copied'))
}

/** True while there is something to copy: the stack of the selected node, else the details of the selected allocation. */
export const canCopy = (capture: CaptureSummary): boolean =>
  inputOf(capture)?.selected !== undefined || selectedDetails(capture) !== undefined

/** Puts that on the clipboard. */
export async function copySelected(capture: CaptureSummary): Promise<void> {
  const details = selectedDetails(capture)
  if (inputOf(capture)?.selected !== undefined) await copyStack(capture)
  else if (details && (await copyText(detailsText(details)))) announce(panelText('details.copied'))
}

/** Selects the next (+1) or previous (−1) node that the search finds, in the order of the picture. */
export function stepThroughHits(capture: CaptureSummary, direction: 1 | -1): void {
  const input = inputOf(capture)
  if (!input?.hits || input.hits.size === 0) return
  const { nodes, root, hits, selected } = input
  const order = rootsOf(nodes, root)
    .toReversed()
    .flatMap((each) => placesBelow(nodes, each))
  const at = selected === undefined ? -1 : order.indexOf(selected)
  const start = at < 0 && direction < 0 ? 0 : at
  const around = order.map((_, index) => order[(start + direction * (index + 1) + 2 * order.length) % order.length] ?? root)
  selectPlace(
    capture,
    around.find((place) => hits.has(place)),
  )
}

/** True while Esc has something of this view to take away. */
export function canStepBack({ captureId }: CaptureSummary): boolean {
  const { search } = flameState(captureId).getState()
  const view = viewOf(captureId)
  return search !== '' || [view?.selectedNode, view?.selectedRange, view?.cursorEvent].some((each) => each !== undefined)
}

/** One step back: the search, the selection, the range, the cursor. */
export function stepBack({ captureId }: CaptureSummary): void {
  const { search } = flameState(captureId).getState()
  const view = viewOf(captureId)
  if (search !== '') patchFlame(captureId, { search: '' })
  else if (view?.selectedNode !== undefined) patchView(captureId, { selectedNode: undefined })
  else if (view?.selectedRange !== undefined) patchView(captureId, { selectedRange: undefined })
  else patchView(captureId, { cursorEvent: undefined })
}
