// How a table is sorted.

export interface Order<T extends string> {
  readonly column: T
  readonly descending: boolean
}

/** Rows by a number, equal ones in the order they had. */
export function sortedBy<R>(rows: readonly R[], descending: boolean, numberOf: (row: R) => number): R[] {
  const sign = descending ? -1 : 1
  return [...rows].sort((a, b) => sign * (numberOf(a) - numberOf(b)))
}
