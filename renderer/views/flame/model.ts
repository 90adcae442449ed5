// The flame graph's view model: an answer + viewport + theme → display list and hit test. Pure; screen, PNG and SVG share it.

import { formatCount } from '../../i18n/format.ts'
import { inkOf } from '../../plot/ink.ts'
import { fitText } from '../../plot/text-fit.ts'
import type { Box, DisplayList, Frame, Item, TextSpan } from '../../scene/display-list.ts'
import { inkOn, mix, type Rgb, slotColor } from '../../theme/palette.ts'
import { bareShort } from './bare.ts'
import { boxAt, type FlameBox, type NodeBox, type SmallBox } from './boxes.ts'
import { drawSpots, markRoom } from './draw-spots.ts'
import { isSigned } from './flame-state.ts'
import type { FlameInput } from './model-input.ts'
import { frameColor, growthColor, noStackStrength, plainColor, smallStrength } from './modules.ts'
import { categoryAt, frameAt, growthAt, hasNoStack, isPivot, sourceAt } from './nodes.ts'
import { nodeTitle, placeText, weightText } from './words.ts'

const insetPx = 6
const gapPx = 1
const ownBarPx = 2
const leastBarBoxPx = 12 // narrower boxes would be all bar
const leastLabelPx = 24
const textPx = 12
const faded = 0.62 // how far boxes step back that a search does not find
const emptyStrength = 0.55 // of what holds nothing

/** All layers, back to front. */
export function buildFlame(input: FlameInput): DisplayList {
  const { rows } = input.layout
  const inSight = input.boxes.filter(({ row }) => isInSight(input, row))
  return [
    { clip: grown(rows, 4), items: inSight.map((box) => drawBox(input, box)) },
    {
      clip: grown(rows, 4),
      items: inSight.flatMap((box) => [
        ...drawBar(input, box),
        ...drawHit(input, box),
        ...drawPivot(input, box),
        ...drawMarked(input, box),
        ...drawLabel(input, box),
        ...(box.kind === 'node' ? drawSpots(input, box, frameOf(input, box)) : []),
      ]),
    },
    { clip: grown(rows, 4), items: drawSelected(input) },
  ]
}

const grown = ({ xPx, yPx, widthPx, heightPx }: Frame, byPx: number): Frame => ({
  xPx: xPx - byPx,
  yPx: yPx - byPx,
  widthPx: widthPx + 2 * byPx,
  heightPx: heightPx + 2 * byPx,
})

function isInSight({ rowPx, scrollPx, layout }: FlameInput, row: number): boolean {
  const topPx = row * rowPx - scrollPx
  return topPx > -rowPx && topPx < layout.rows.heightPx
}

/** The rectangle of a box on the canvas; a gap keeps neighbours apart. */
export function frameOf({ layout, rowPx, scrollPx }: FlameInput, { row, xPx, widthPx }: FlameBox): Frame {
  const gap = widthPx >= 4 ? gapPx : 0
  const yPx = layout.rows.yPx + row * rowPx - Math.round(scrollPx)
  return { xPx: layout.rows.xPx + xPx, yPx, widthPx: widthPx - gap, heightPx: rowPx - gapPx }
}

/** Module or category, or where two moments are compared how much of the node has come or gone. */
export function fillOf(input: FlameInput, box: FlameBox): Rgb {
  const { nodes, tokens, measured, hits } = input
  const isHit = hits === undefined || (box.kind === 'node' ? hits.has(box.place) : box.places.some((place) => hits.has(place)))
  const color = box.kind === 'small' ? plainColor(tokens, smallStrength) : colorOf()
  return isHit ? color : mix(color, inkOf(tokens).canvas, faded)

  function colorOf(): Rgb {
    const place = (box as NodeBox).place
    if (isSigned(measured.weight)) {
      const larger = Math.max(nodes.tree.total[place] ?? 0, nodes.tree.baseTotal[place] ?? 0)
      return growthColor(larger > 0 ? growthAt(nodes, place) / larger : 0)
    }
    if (isCategorised(input, place))
      return slotColor(tokens, 'category', categoryAt(nodes, place)?.slot ?? 0) ?? plainColor(tokens, emptyStrength)
    const frame = frameAt(nodes, place)
    return frame ? frameColor(tokens, frame) : plainColor(tokens, noStackStrength)
  }
}

/** True where a node's colour tells its category: all but the root of the whole tree, which is of every kind. */
const isCategorised = ({ nodes, colorBy, measured }: FlameInput, place: number): boolean =>
  colorBy === 'category' && !isSigned(measured.weight) && (nodes.tree.depth[place] ?? 0) > 0

const drawBox = (input: FlameInput, box: FlameBox): Box => ({
  kind: 'box',
  ...frameOf(input, box),
  color: fillOf(input, box),
  alpha: 1,
})

/** True where even what has no stack has a colour that tells something. */
const isStrong = (input: FlameInput, place: number): boolean => isSigned(input.measured.weight) || isCategorised(input, place)

const isOwn = ({ nodes }: FlameInput, box: FlameBox): boolean => box.kind === 'node' && frameAt(nodes, box.place)?.kind === 'own'

const inkFor = (fill: Rgb): Rgb => (inkOn(fill) === 'light' ? [255, 255, 255] : [22, 24, 28])

/** Own code has a bar at its left end, whatever its colour; what has no stack is hatched. */
function drawBar(input: FlameInput, box: FlameBox): Item[] {
  const frame = frameOf(input, box)
  if (box.kind === 'node' && hasNoStack(input.nodes, box.place))
    return [
      { kind: 'hatch', ...frame, color: mix(fillOf(input, box), inkOf(input.tokens).canvas, isStrong(input, box.place) ? 0.25 : 0.5) },
    ]
  if (!isOwn(input, box) || box.widthPx < leastBarBoxPx) return []
  const bar = { xPx: frame.xPx + 3, yPx: frame.yPx + 3, widthPx: ownBarPx, heightPx: frame.heightPx - 6 }
  return [{ kind: 'box', ...bar, color: inkFor(fillOf(input, box)), alpha: 1 }]
}

/** Found frames are outlined as well as not faded. */
function drawHit(input: FlameInput, box: FlameBox): Item[] {
  if (box.kind !== 'node' || !input.hits?.has(box.place) || box.widthPx < 4) return []
  return [outline(grown(frameOf(input, box), -1), inkOf(input.tokens).t1, 2)]
}

/** A line under the frames of the selected allocation's stack. */
function drawMarked(input: FlameInput, box: FlameBox): Item[] {
  if (box.kind !== 'node' || !input.marked.has(box.place)) return []
  const ink = inkOf(input.tokens)
  const frame = frameOf(input, box)
  const line = { kind: 'box', ...frame, heightPx: 2, alpha: 1 } as const
  const bottom = frame.yPx + frame.heightPx
  return [
    { ...line, yPx: bottom - 3, heightPx: 3, color: ink.selectionEdge },
    { ...line, yPx: bottom - 2, color: ink.selection },
  ]
}

/** Lines at either end of the pivot's row, where callers end and what it calls begins. */
function drawPivot(input: FlameInput, box: FlameBox): Item[] {
  if (box.kind !== 'node' || !isPivot(input.nodes, box.place)) return []
  const frame = frameOf(input, box)
  const line = { kind: 'box', ...frame, heightPx: 2, color: inkOf(input.tokens).t1, alpha: 1 } as const
  return [
    { ...line, yPx: frame.yPx - 1 },
    { ...line, yPx: frame.yPx + frame.heightPx - 1 },
  ]
}

function outline({ xPx, yPx, widthPx, heightPx }: Frame, color: Rgb, strokePx: number): Item {
  const [right, bottom] = [xPx + widthPx, yPx + heightPx]
  return { kind: 'path', points: [xPx, yPx, right, yPx, right, bottom, xPx, bottom, xPx, yPx], color, alpha: 1, widthPx: strokePx }
}

/** The selection, with an edge that keeps it visible on any colour. */
function drawSelected(input: FlameInput): Item[] {
  const { selected, tokens } = input
  const box = selected === undefined ? undefined : boxOfPlace(input, selected)
  if (!box || !isInSight(input, box.row)) return []
  const ink = inkOf(tokens)
  const frame = frameOf(input, box)
  return [outline(frame, ink.selectionEdge, 4), outline(frame, ink.selection, 2)]
}

/** The box that shows a place: its own, or the one that it is merged into. */
export const boxOfPlace = ({ boxes }: Pick<FlameInput, 'boxes'>, place: number): FlameBox | undefined =>
  boxes.find((box) => (box.kind === 'node' ? box.place === place : box.places.includes(place)))

/** Name, weight and file of a box, as much as has room. */
function drawLabel(input: FlameInput, box: FlameBox): Item[] {
  const { tokens, measure, rowPx } = input
  const frame = frameOf(input, box)
  const room = frame.widthPx - 2 * insetPx - (isOwn(input, box) ? ownBarPx : 0) - (box.kind === 'node' ? markRoom(input, box) : 0)
  if (box.widthPx < leastLabelPx) return []
  const ink = inkOf(tokens)
  const isPlain = box.kind === 'small' || (hasNoStack(input.nodes, box.place) && !isStrong(input, box.place))
  const color = isPlain ? ink.t1 : inkFor(fillOf(input, box))
  const sizePx = rowPx < 20 ? textPx - 1 : textPx
  const width = (text: string, strong = false) => measure(text, sizePx, strong)
  const spans = box.kind === 'small' ? smallSpans(input, box, room, width) : nodeSpans(input, box, room, width)
  if (spans.length === 0) return []
  const xPx = frame.xPx + insetPx + (isOwn(input, box) ? ownBarPx : 0)
  const halo = isPlain ? { halo: ink.canvas } : {}
  return [{ kind: 'text', xPx, yPx: frame.yPx + frame.heightPx / 2, spans, sizePx, align: 'left', color, ...halo }]
}

type Width = (text: string, strong?: boolean) => number

function smallSpans({ t }: FlameInput, { places, hasRest }: SmallBox, room: number, width: Width): TextSpan[] {
  const text = fitText(t('small', { formatted: `${formatCount(places.length)}${hasRest ? '+' : ''}` }), room, width)
  return text === undefined ? [] : [{ text }]
}

function nodeSpans(input: FlameInput, { place }: NodeBox, room: number, width: Width): TextSpan[] {
  const { nodes, measured, kind, t } = input
  const frame = frameAt(nodes, place)
  const strong = frame?.kind === 'own' || place === input.root || isPivot(nodes, place)
  const whole = nodeTitle(nodes, place, kind, t)
  // What has no stack is named by what it is and why: without room for both by the first alone.
  const isShort = hasNoStack(nodes, place) && width(whole, strong) > room
  const title = isShort ? bareShort(nodes.tree.bare[place] ?? 0, kind, t) : whole
  const weight = weightText(nodes, place, measured, t)
  const file = placeText(sourceAt(nodes, place))
  const name = fitText(title, room, (text) => width(text, strong))
  if (name === undefined) return []
  const spans: TextSpan[] = [{ text: name, strong }]
  if (name !== title) return spans
  let left = room - width(title, strong)
  for (const text of [weight, file]) {
    const spaced = `  ${text}`
    if (text === '' || width(spaced) > left) continue
    spans.push({ text: spaced })
    left -= width(spaced)
  }
  return spans
}

/** What lies at a place of the canvas. */
export function hitFlame(input: FlameInput, xPx: number, yPx: number): FlameBox | undefined {
  const { rows } = input.layout
  if (yPx < rows.yPx || yPx >= rows.yPx + rows.heightPx) return undefined
  return boxAt(input.boxes, Math.floor((yPx - rows.yPx + input.scrollPx) / input.rowPx), xPx - rows.xPx)
}
