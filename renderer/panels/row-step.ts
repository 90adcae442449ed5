// Keys that walk through the rows of a table.

/** How many rows a key moves the selection; undefined: it does not. `page`: rows in sight; `count`: rows in all. */
export function rowStep(key: string, page: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -count, End: count }
  return steps[key]
}
