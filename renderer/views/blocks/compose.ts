// Answers of the engine for runs of lines → one raster for the canvas. A run: neighbouring lines that the engine counts one after the
// other and that share a scale.
import type { BlockRaster } from '../../../preload/contract/queries.ts'
import type { Range } from '../../state/view-state.ts'
import { eighths } from './layout.ts'
import type { Line, LineList, Scaling } from './lines.ts'

/** Neighbouring rows that one question answers. */
export interface Run {
  readonly row: number // first, index into the lines
  readonly rows: number
  readonly place: number // first line, as the engine counts them
  readonly lines: number // lines to ask for; more than rows where hidden ones lie between
  readonly scale: number // bytes of the shown scale a byte of the line (normalise stretches short lines)
}

export interface Chunk {
  readonly run: Run
  readonly data: BlockRaster
}

/** Hidden lines between two shown ones that are cheaper asked for than skipped. */
const mostSkipped = 64

/** How much a line is stretched: normalised lines are all as long as the longest. */
export const scaleOf = (scaling: Scaling, longest: number, line: Line): number => (scaling === 'normalise' ? longest / line.bytes : 1)

/** The questions for the rows [first, end). */
export function runsOf({ lines, longest }: LineList, scaling: Scaling, first: number, end: number): Run[] {
  const runs: Run[] = []
  for (let row = first; row < Math.min(end, lines.length); row++) {
    const line = lines[row]
    const last = runs.at(-1)
    if (!line) break
    const scale = scaleOf(scaling, longest, line)
    const skipped = last ? line.place - (last.place + last.lines) : 0
    if (last && last.scale === scale && skipped <= mostSkipped)
      runs[runs.length - 1] = { ...last, rows: last.rows + 1, lines: last.lines + skipped + 1 }
    else runs.push({ row, rows: 1, place: line.place, lines: 1, scale })
  }
  return runs
}

export interface ComposedRaster {
  readonly columns: number
  readonly rows: number // eighths of lines
  readonly cells: Uint8Array // column-major, row 0 lowest, as the scene wants it
}

/** Cells of the rows [first, end): six eighths of bar between gaps. All chunks have the same columns. */
export function composeRaster(
  lines: readonly Line[],
  first: number,
  end: number,
  columns: number,
  chunks: readonly Chunk[],
): ComposedRaster {
  const rows = Math.max(0, end - first) * eighths
  const cells = new Uint8Array(columns * rows)
  for (const { run, data } of chunks) {
    for (let row = run.row; row < run.row + run.rows; row++) {
      const from = ((lines[row]?.place ?? 0) - run.place) * columns
      const top = rows - 1 - (row - first) * eighths
      for (let column = 0; column < columns; column++) {
        const cell = data.cells[from + column] ?? 0
        if (cell !== 0) cells.fill(cell, column * rows + top - (eighths - 2), column * rows + top)
      }
    }
  }
  return { columns, rows, cells }
}

/** x of the shown scale → bytes from a line's start. */
export const inLine = (range: Range, scale: number): Range => ({ x0: range.x0 / scale, x1: range.x1 / scale })
