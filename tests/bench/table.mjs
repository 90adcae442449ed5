// What a run of the benchmark measured, as one table.

const lines = []

/** A line. `better`: whether larger (`more`) or smaller numbers are wanted. */
export function note(what, value, unit, better, atLeast, aim) {
  const meets = (limit) => (better === 'more' ? value >= limit : value <= limit)
  const verdict = meets(aim) ? 'aim' : meets(atLeast) ? 'at least' : 'MISSED'
  const sign = better === 'more' ? '≥' : '≤'
  lines.push([what, `${value.toFixed(unit === 'ms' ? 1 : 2)} ${unit}`, `${sign} ${atLeast}`, `${sign} ${aim}`, verdict])
}

/** Prints the table; answers whether a line was missed. */
export function print() {
  const table = [['what', 'measured', 'at least', 'aim', 'meets'], ...lines]
  const widths = table[0].map((_, column) => Math.max(...table.map((line) => line[column].length)))
  for (const line of table)
    process.stdout.write(
      `${line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd()}\n`,
    )
  return lines.some((line) => line[4] === 'MISSED')
}
