// The block map's view model: answers of the engine + viewport + theme → display list and hit test. Pure; screen, PNG and SVG share it.
import type { DisplayList, Frame } from '../../scene/display-list.ts'
import { drawAxis } from './draw-axis.ts'
import { type Box, drawBars, drawBoxes, drawFrames, drawRounding, eachBox } from './draw-blocks.ts'
import { drawChange, drawDragging, drawFitting, drawLargest, drawSelected, largestFreeHeld } from './draw-marks.ts'
import { drawRequest } from './draw-request.ts'
import { drawRows } from './draw-rows.ts'
import { addressAt } from './lines.ts'
import { type BlocksInput, pxToX, scaleOfLine } from './model-input.ts'

const markRoomPx = 5 // outlines reach past the bars' ends

/** All layers of the block map, back to front. */
export function buildBlocks(input: BlocksInput): DisplayList {
  const { layout } = input
  const head: Frame = { xPx: 0, yPx: layout.ruler.yPx, widthPx: layout.widthPx, heightPx: layout.rows.yPx - layout.ruler.yPx }
  const { plot } = layout
  const bars: Frame = { ...plot, xPx: plot.xPx - markRoomPx, widthPx: plot.widthPx + 2 * markRoomPx }
  return [
    { clip: head, items: [...drawAxis(input), ...drawRequest(input)] },
    { clip: layout.rows, items: drawRows(input) },
    { clip: plot, items: [...drawBars(input), ...drawBoxes(input, largestFreeHeld(input)), ...drawRounding(input), ...drawFrames(input)] },
    {
      clip: bars,
      items: [...drawLargest(input), ...drawFitting(input), ...drawChange(input), ...drawSelected(input), ...drawDragging(input)],
    },
  ]
}

export type Hit =
  | { readonly region: 'ruler'; readonly x: number }
  | { readonly region: 'name'; readonly row: number; readonly segment: number }
  | {
      readonly region: 'bar'
      readonly x: number
      readonly row: number
      readonly segment: number
      readonly address: string // of the byte under the pointer
      readonly box: Box | undefined // where blocks are drawn one by one
    }
  | { readonly region: 'rows'; readonly x: number } // between or beside the bars

/** What lies under a point of the canvas. */
export function hitTest(input: BlocksInput, xPx: number, yPx: number): Hit | undefined {
  const { layout, picture, rowPx, scrollPx } = input
  const { plot, rows } = layout
  const x = pxToX(input, xPx)
  const isBeside = xPx < plot.xPx || xPx >= plot.xPx + plot.widthPx
  if (yPx < rows.yPx) return isBeside ? undefined : { region: 'ruler', x }
  const row = Math.floor((yPx - rows.yPx + scrollPx) / rowPx)
  const line = picture.list.lines[row]
  if (!line) return { region: 'rows', x }
  if (isBeside) return { region: 'name', row, segment: line.segment }
  const inLine = x / scaleOfLine(input, line)
  if (inLine < 0 || inLine >= line.bytes) return { region: 'rows', x }
  const address = addressAt(picture.segments, line.segment, line.offset + inLine)
  return { region: 'bar', x, row, segment: line.segment, address, box: boxAt(input, row, inLine) }
}

function boxAt(input: BlocksInput, row: number, inLine: number): Box | undefined {
  let found: Box | undefined
  eachBox(input, (box) => {
    if (box.line === row && inLine >= box.from && inLine < box.from + box.bytes) found = box
  })
  return found
}
