// Cells under each other on a terminal. Pure.

/** Characters that each column needs for all of its cells. */
export const widthsOf = (lines: readonly (readonly string[])[]): number[] =>
  (lines[0] ?? []).map((_, column) => lines.reduce((widest, line) => Math.max(widest, line[column]?.length ?? 0), 0))

/** One line without blanks at its end; cells of which `isRight` is true end under each other, the others begin so. */
export const tableLine = (
  cells: readonly string[],
  widths: readonly number[],
  isRight: (column: number) => boolean = () => false,
): string =>
  cells
    .map((cell, column) => (isRight(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
    .join('  ')
    .trimEnd()

/** The line between heads and rows. */
export const tableRule = (widths: readonly number[]): string => widths.map((width) => '─'.repeat(width)).join('  ')
