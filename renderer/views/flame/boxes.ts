// Where nodes lie: row by row, each below its parent, the narrow ones of a parent as one. Pure.
import type { FlameNodes } from './nodes.ts'

/** Narrower nodes are merged. */
export const leastBoxPx = 3

interface Stretch {
  readonly row: number // 0 = the root shown
  readonly xPx: number // from the left end of the root
  readonly widthPx: number
}

export interface NodeBox extends Stretch {
  readonly kind: 'node'
  readonly place: number
}

/** Children of one parent that are too narrow, with what the answer left out of them. */
export interface SmallBox extends Stretch {
  readonly kind: 'small'
  readonly parent: number
  readonly places: readonly number[]
  readonly width: number // in the unit of the weights
  readonly hasRest: boolean
}

export type FlameBox = NodeBox | SmallBox

/** The boxes at and below a node that is `widthPx` wide. Those of a parent, and its own share (nothing is drawn there), are as wide as it. */
export function boxesOf(nodes: FlameNodes, root: number, widthPx: number): readonly FlameBox[] {
  const whole = nodes.width[root] ?? 0
  if (!(whole > 0)) return []
  const perPx = whole / widthPx
  const boxes: FlameBox[] = [{ kind: 'node', place: root, row: 0, xPx: 0, widthPx }]
  // Grows while it is walked: each box adds those below it.
  for (const box of boxes) if (box.kind === 'node') boxes.push(...boxesBelow(nodes, box, perPx))
  return boxes
}

function boxesBelow({ children, width, restWidth }: FlameNodes, { place: parent, row, xPx }: NodeBox, perPx: number): FlameBox[] {
  const boxes: FlameBox[] = []
  const narrow: number[] = []
  let [x, small] = [xPx, restWidth[parent] ?? 0]
  const hasRest = small > 0
  for (const place of children[parent] ?? []) {
    const own = width[place] ?? 0
    if (own / perPx < leastBoxPx) {
      narrow.push(place)
      small += own
      continue
    }
    boxes.push({ kind: 'node', place, row: row + 1, xPx: x, widthPx: own / perPx })
    x += own / perPx
  }
  if (small > 0) boxes.push({ kind: 'small', parent, places: narrow, hasRest, width: small, row: row + 1, xPx: x, widthPx: small / perPx })
  return boxes
}

/** The boxes of a picture: below its root, or about a pivot with the callers above it, the outermost on top. */
export function shownBoxes(nodes: FlameNodes, root: number, widthPx: number): readonly FlameBox[] {
  const { upperFrom } = nodes
  if (upperFrom === undefined) return boxesOf(nodes, root, widthPx)
  const callers = boxesOf(nodes, upperFrom, widthPx)
  const top = rowsOf(callers) - 1
  // Row 0 of either tree is all stacks, row 1 the pivot: it stands once.
  return [
    ...callers.filter(({ row }) => row > 1).map((box) => ({ ...box, row: top - box.row })),
    ...boxesOf(nodes, 0, widthPx)
      .filter(({ row }) => row > 0)
      .map((box) => ({ ...box, row: top - 2 + box.row })),
  ]
}

/** The same the other way up: the root in the last of `rows` rows, what it calls above it. Rows without room are negative. */
export const risingBoxes = (boxes: readonly FlameBox[], rows: number): readonly FlameBox[] =>
  boxes.map((box) => ({ ...box, row: rows - 1 - box.row }))

/** How many rows boxes take. */
export const rowsOf = (boxes: readonly FlameBox[]): number => boxes.reduce((most, { row }) => Math.max(most, row + 1), 0)

/** The box at a place of the canvas: x from the root's left end. */
export const boxAt = (boxes: readonly FlameBox[], row: number, xPx: number): FlameBox | undefined =>
  boxes.find((box) => box.row === row && xPx >= box.xPx && xPx < box.xPx + box.widthPx)
