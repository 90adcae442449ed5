// Stacks that a reader cannot tell apart are one row: their titles name the same line.

/** One list a title, in order of first sight. `keyOf`: what tells rows apart besides. */
export function byTitle<T extends { readonly title: string }>(rows: readonly T[], keyOf: (row: T) => string = () => ''): T[][] {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const key = JSON.stringify([row.title, keyOf(row)])
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups.values()]
}

export const sumOf = <T>(rows: readonly T[], bytesOf: (row: T) => number): number => rows.reduce((sum, row) => sum + bytesOf(row), 0)
