// Which values the cells of a picture have: its legend tells those colours only.

const known = new WeakMap<Uint8Array, readonly number[]>()

/** The values that occur, ascending. The same array is looked through once. */
export function valuesIn(cells: Uint8Array): readonly number[] {
  const before = known.get(cells)
  if (before) return before
  const seen = new Uint8Array(256)
  for (const cell of cells) seen[cell] = 1
  const values = [...seen.keys()].filter((value) => seen[value] === 1)
  known.set(cells, values)
  return values
}

/** Colour slots of the timeline's cells. */
export const slotsIn = (cells: Uint8Array): ReadonlySet<number> => new Set(valuesIn(cells).map((cell) => cell & 63))
