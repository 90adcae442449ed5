// Tables as CSV text: RFC 4180 with line feeds.

/** A cell that holds a separator is quoted; one that starts like a formula becomes text, since names in a capture come from strangers. */
function csvCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as lines, the head first. Numbers are written with all digits. */
export const csvText = (rows: readonly (readonly (string | number)[])[]): string =>
  `${rows.map((cells) => cells.map(csvCell).join(',')).join('\n')}\n`
