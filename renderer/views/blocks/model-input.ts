// Everything the block map's picture depends on. Same input, same picture: on screen, in PNG and in SVG.
import type { BlockAt, EventRow, WouldFit } from '../../../preload/contract/queries.ts'
import type { Frame, Measure } from '../../scene/display-list.ts'
import type { Range } from '../../state/view-state.ts'
import type { Tokens } from '../../theme/tokens.ts'
import type { Picture } from './blocks-data.ts'
import type { BlocksLayout } from './layout.ts'
import { type Line, placeOfAddress, type Scaling } from './lines.ts'
import type { Translate } from './texts.ts'
import type { Judged, Refusal } from './verdict.ts'

/** A size whose place is looked for. */
export interface Request {
  readonly bytes: number
  readonly isFailed: boolean // the capture's own: this event is its failure
  readonly fit: WouldFit | undefined // until the engine has answered
  readonly refused: Refusal | undefined // what the capture says was refused at the same moment
}

/** The request once the engine has answered. */
export const judgedOf = ({ fit, isFailed, refused }: Request): Judged | undefined => fit && { fit, isFailed, refused }

export interface BlocksInput {
  readonly picture: Picture
  readonly home: Range // all there is along x, bytes from a line's start
  readonly visible: Range
  readonly scrollPx: number
  readonly rowPx: number
  readonly layout: BlocksLayout
  readonly selected: BlockAt | undefined // block of the selected allocation
  readonly segment: string | undefined // address of the selected segment
  readonly request: Request | undefined
  readonly change: EventRow | undefined // what the event did
  readonly isFlashing: boolean
  readonly dragging: Range | undefined
  readonly isFinished: boolean // a picture for a report: nothing in it scrolls
  readonly hasOrigin: boolean // several streams or pools: rows name theirs
  readonly tokens: Tokens
  readonly measure: Measure
  readonly t: Translate
}

const mostRequestLines = 3 // a longer request is drawn cut off

/** All there is along x: the longest line, and the request where it is not much longer. Stretched rows have no scale for a request. */
export function homeOf(longest: number, requestBytes: number | undefined, scaling: Scaling = 'scale'): Range {
  const isDrawn = requestBytes !== undefined && scaling !== 'normalise' && requestBytes <= longest * mostRequestLines
  const request = isDrawn ? requestBytes : 0
  return { x0: 0, x1: Math.max(longest, request, 512) }
}

export const spanOf = ({ x0, x1 }: Range): number => x1 - x0

export const xToPx = ({ visible, layout }: Pick<BlocksInput, 'visible' | 'layout'>, x: number): number =>
  layout.plot.xPx + ((x - visible.x0) / spanOf(visible)) * layout.plot.widthPx

export const pxToX = ({ visible, layout }: Pick<BlocksInput, 'visible' | 'layout'>, xPx: number): number =>
  visible.x0 + ((xPx - layout.plot.xPx) / layout.plot.widthPx) * spanOf(visible)

/** Rows in sight, half-open. */
export function rowsInSight(lineCount: number, rowPx: number, scrollPx: number, rows: Frame): readonly [first: number, end: number] {
  const first = Math.max(0, Math.floor(scrollPx / rowPx))
  return [Math.min(first, lineCount), Math.min(lineCount, Math.ceil((scrollPx + rows.heightPx) / rowPx))]
}

export const rowTop = ({ layout, rowPx, scrollPx }: Pick<BlocksInput, 'layout' | 'rowPx' | 'scrollPx'>, row: number): number =>
  layout.rows.yPx + row * rowPx - scrollPx

/** The bar of a row: six of its eighths. */
export function barOf(
  input: Pick<BlocksInput, 'layout' | 'rowPx' | 'scrollPx'>,
  row: number,
): { readonly yPx: number; readonly heightPx: number } {
  const eighth = input.rowPx / 8
  return { yPx: Math.round(rowTop(input, row) + eighth), heightPx: Math.round(eighth * 6) }
}

/** Bytes of the shown scale a byte of the line. */
export const scaleOfLine = ({ picture: { scaling, list } }: Pick<BlocksInput, 'picture'>, line: Line): number =>
  scaling === 'normalise' ? list.longest / line.bytes : 1

/** A piece of a row's bar on screen. */
export interface Piece {
  readonly row: number
  readonly x0: number // px, uncut
  readonly x1: number
  readonly yPx: number
  readonly heightPx: number
}

export interface Held {
  readonly segment: number
  readonly offset: number // bytes from the segment's start
  readonly bytes: number
}

/** A stretch of memory given by its address; undefined when no segment holds it. */
export function heldAt({ segments }: Picture, address: string, bytes: number): Held | undefined {
  const place = placeOfAddress(segments, address)
  return place && { ...place, bytes }
}
