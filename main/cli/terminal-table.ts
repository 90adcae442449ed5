// Cells under each other on a terminal. Pure.

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/g

/** Columns of a terminal that a text takes: it gives two to a wide sign. */
const widthOf = (text: string): number => text.length + (text.match(wide)?.length ?? 0)

/** The text with blanks behind it, or before it, up to a width. */
export function padded(text: string, width: number, isRight = false): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)))
  return isRight ? blanks + text : text + blanks
}

/** What each column needs for all of its cells. */
export const widthsOf = (lines: readonly (readonly string[])[]): number[] =>
  (lines[0] ?? []).map((_, column) => lines.reduce((widest, line) => Math.max(widest, widthOf(line[column] ?? '')), 0))

/** One line without blanks at its end; cells of which `isRight` is true end under each other, the others begin so. */
export const tableLine = (
  cells: readonly string[],
  widths: readonly number[],
  isRight: (column: number) => boolean = () => false,
): string =>
  cells
    .map((cell, column) => padded(cell, widths[column] ?? 0, isRight(column)))
    .join('  ')
    .trimEnd()

/** The line between heads and rows. */
export const tableRule = (widths: readonly number[]): string => widths.map((width) => '─'.repeat(width)).join('  ')
