// Tables in Markdown, for issues and wikis. Pure.

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replace(/\r?\n/g, '<br>')

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`

/** A table with its head; columns of numbers stand to the right. Ends with a line break. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  isNumber: (column: number) => boolean = () => false,
): string {
  const rule = head.map((_, column) => (isNumber(column) ? '---:' : '---'))
  return line(head.map(escaped)) + line(rule) + rows.map((cells) => line(cells.map(escaped))).join('')
}
