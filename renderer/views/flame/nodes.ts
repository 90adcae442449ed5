// An answer about stacks as a tree with widths. Pure.
import type { FlameOptions, FlameTree } from '../../../preload/contract/queries.ts'
import type { FlameFrame } from './flame-state.ts'

type FlameMerge = FlameOptions['merge']

/** Places are those in the answer's arrays; 0 = its root. */
export interface FlameNodes {
  readonly tree: FlameTree
  readonly width: Float64Array // in the unit of the weights
  readonly selfWidth: Float64Array
  readonly restWidth: Float64Array // of the children that the answer left out
  readonly children: readonly (readonly number[])[] // in the order of the answer
  readonly placeOf: ReadonlyMap<number, number> // of a node
  readonly upperFrom?: number // from this place on the nodes are those of a second tree, the callers of the pivot; its root
}

/** A smaller rest is what rounding leaves of numbers beyond 2^53. */
const leastShare = 1e-9

/**
 * Widths that add up: a node is as wide as its own share, its children and what the answer left out of them. Where two moments are compared
 * each of these parts is as wide as the larger of both, so that what has gone has room as well as what has come.
 */
export function nodesOf(tree: FlameTree): FlameNodes {
  const count = tree.node.length
  const children: number[][] = Array.from({ length: count }, () => [])
  const [restTotal, restBase] = [tree.total.slice(), tree.baseTotal.slice()]
  const take = (place: number, total: number, base: number): void => {
    restTotal[place] = (restTotal[place] ?? 0) - total
    restBase[place] = (restBase[place] ?? 0) - base
  }
  for (let place = 0; place < count; place++) {
    take(place, tree.self[place] ?? 0, tree.baseSelf[place] ?? 0)
    const parent = tree.parent[place] ?? -1
    if (parent < 0) continue
    children[parent]?.push(place)
    take(parent, tree.total[place] ?? 0, tree.baseTotal[place] ?? 0)
  }
  const larger = (a: Float64Array, b: Float64Array) => a.map((value, place) => Math.max(0, value, b[place] ?? 0))
  const selfWidth = larger(tree.self, tree.baseSelf)
  const whole = larger(tree.total, tree.baseTotal)
  const restWidth = larger(restTotal, restBase).map((rest, place) => (rest > (whole[place] ?? 0) * leastShare ? rest : 0))
  const width = selfWidth.map((self, place) => self + (restWidth[place] ?? 0))
  for (let place = count - 1; place > 0; place--) {
    const parent = tree.parent[place] ?? 0
    width[parent] = (width[parent] ?? 0) + (width[place] ?? 0)
  }
  return { tree, width, selfWidth, restWidth, children, placeOf: new Map([...tree.node].map((node, place) => [node, place])) }
}

/** The frame of a place; undefined: the root, and what has no stack. */
export const frameAt = ({ tree }: FlameNodes, place: number): FlameFrame | undefined => tree.frames[tree.frame[place] ?? -1]

/** Where a node's function is, with the line that all its frames are of; line 0: they are of several, or it is not known. */
export const sourceAt = ({ tree }: Pick<FlameNodes, 'tree'>, place: number): Pick<FlameFrame, 'filename' | 'line'> => ({
  filename: tree.frames[tree.frame[place] ?? -1]?.filename ?? '',
  line: tree.line[place] ?? 0,
})

/** The frames of places, each with the line that all frames of its node are of. */
export const framesAt = (nodes: FlameNodes, places: readonly number[]): FlameFrame[] =>
  places.flatMap((place) => {
    const frame = frameAt(nodes, place)
    return frame ? [{ ...frame, line: sourceAt(nodes, place).line }] : []
  })

/** The category that holds most of a node's bytes, and how much of them; undefined where the node holds nothing. */
export function categoryAt(
  { tree }: Pick<FlameNodes, 'tree'>,
  place: number,
): { readonly slot: number; readonly share: number } | undefined {
  const [slot, bytes] = [tree.category[place] ?? 0, tree.bytes[place] ?? 0]
  return slot > 0 && bytes > 0 ? { slot, share: (tree.categoryBytes[place] ?? 0) / bytes } : undefined
}

/** True for the node of what has no stack. */
export const hasNoStack = ({ tree }: FlameNodes, place: number): boolean => (tree.frame[place] ?? -1) < 0 && (tree.depth[place] ?? 0) > 0

/** Places from below `from` down to `place`, outermost first; empty when `place` does not lie below. */
export function pathBetween({ tree }: Pick<FlameNodes, 'tree'>, from: number, place: number): number[] {
  const path: number[] = []
  for (let at = place; at !== from; at = tree.parent[at] ?? -1) {
    if (at < 0) return []
    path.unshift(at)
  }
  return path
}

/**
 * Places that a stack leads through from the root of the whole tree on, its frames in the order of the tree; hidden frames are passed over.
 * bare: slot of the allocation's category, which tells where it is without frames.
 */
export function placesOfStack(
  nodes: FlameNodes,
  frames: readonly Pick<FlameFrame, 'name' | 'filename' | 'line'>[],
  merge: FlameMerge,
  bare: number,
): number[] {
  if (nodes.tree.depth[0] !== 0 || nodes.upperFrom !== undefined) return []
  if (frames.length === 0) return (nodes.children[0] ?? []).filter((place) => nodes.tree.bare[place] === bare)
  const found: number[] = []
  for (const { name, filename, line } of frames) {
    const next = nodes.children[found.at(-1) ?? 0]?.find((place) => {
      const frame = frameAt(nodes, place)
      return frame?.name === name && frame.filename === filename && (merge === 'function' || frame.line === line)
    })
    if (next !== undefined) found.push(next)
  }
  return found
}

/** How many rows lie below a place, itself included. */
export function rowsBelow({ children }: Pick<FlameNodes, 'children'>, root: number): number {
  let rows = 0
  for (let row: readonly number[] = [root]; row.length > 0; rows++) row = row.flatMap((place) => children[place] ?? [])
  return rows
}

/** All places at and below one, in the order in which they are drawn. */
export function placesBelow({ children }: Pick<FlameNodes, 'children'>, root: number): number[] {
  const found: number[] = []
  const stack = [root]
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    found.push(place)
    stack.push(...(children[place] ?? []).toReversed())
  }
  return found
}

/** How much more a node holds at the second moment than at the first. */
export const growthAt = ({ tree }: Pick<FlameNodes, 'tree'>, place: number): number =>
  (tree.total[place] ?? 0) - (tree.baseTotal[place] ?? 0)

/** The number of a node of the callers' tree, where both trees are together. */
export const upperNode = (node: number): number => -1 - node

/** True for the callers of a pivot. */
export const isUpper = ({ upperFrom }: Pick<FlameNodes, 'upperFrom'>, place: number): boolean =>
  upperFrom !== undefined && place >= upperFrom

/** True for the node that stands between its callers and what it calls. */
export const isPivot = ({ upperFrom, tree }: Pick<FlameNodes, 'upperFrom' | 'tree'>, place: number): boolean =>
  upperFrom !== undefined && place < upperFrom && tree.parent[place] === 0

/** The roots of what is shown below a place: its own, and with a pivot that of the callers. */
export const rootsOf = ({ upperFrom }: Pick<FlameNodes, 'upperFrom'>, root: number): readonly number[] =>
  upperFrom === undefined ? [root] : [root, upperFrom]

/** Two trees about one pivot as one answer: what it calls, then its callers. Their roots weigh the same. */
export function withCallers(callees: FlameTree, callers: FlameTree): FlameNodes {
  const upperFrom = callees.node.length
  const frames = callees.frames.length
  const joined = (a: Float64Array, b: Float64Array, changed = (value: number): number => value) =>
    Float64Array.from([...a, ...b.map(changed)])
  const tree: FlameTree = {
    parent: joined(callees.parent, callers.parent, (place) => (place < 0 ? place : place + upperFrom)),
    node: joined(callees.node, callers.node, upperNode),
    frame: joined(callees.frame, callers.frame, (place) => (place < 0 ? place : place + frames)),
    line: joined(callees.line, callers.line),
    bare: joined(callees.bare, callers.bare),
    depth: joined(callees.depth, callers.depth),
    total: joined(callees.total, callers.total),
    self: joined(callees.self, callers.self),
    baseTotal: joined(callees.baseTotal, callers.baseTotal),
    baseSelf: joined(callees.baseSelf, callers.baseSelf),
    count: joined(callees.count, callers.count),
    bytes: joined(callees.bytes, callers.bytes),
    category: joined(callees.category, callers.category),
    categoryBytes: joined(callees.categoryBytes, callers.categoryBytes),
    categories: callees.categories,
    frames: [...callees.frames, ...callers.frames],
    leftOut: callees.leftOut + callers.leftOut,
    hiddenFrames: callees.hiddenFrames,
  }
  return { ...nodesOf(tree), upperFrom }
}
