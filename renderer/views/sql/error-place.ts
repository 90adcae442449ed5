// Where in the text a failure lies. SQLite names the word; the place is known when it stands there once. Pure.
export interface Place {
  readonly from: number
  readonly to: number
  readonly line: number // from 1
  readonly column: number
}

const named = [
  /near "([^"]+)": syntax error/,
  /no such (?:column|table|function): (?:\w+\.)?(\w+)/,
  /ambiguous column name: (?:\w+\.)?(\w+)/,
  /^(\w+)(?:\(\))? is not (?:run|called)/,
]

/** Undefined where the message names no word, or one that stands in the text several times. */
export function placeOf(message: string, sql: string): Place | undefined {
  const word = named.map((pattern) => pattern.exec(message)?.[1]).find((each) => each !== undefined)
  if (word === undefined) return undefined
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const edge = /^\w+$/.test(word) ? '\\b' : ''
  const found = [...sql.matchAll(new RegExp(`${edge}${escaped}${edge}`, 'gi'))]
  const [only] = found
  if (only === undefined || found.length > 1) return undefined
  const before = sql.slice(0, only.index)
  const line = before.split('\n').length
  return { from: only.index, to: only.index + word.length, line, column: only.index - (before.lastIndexOf('\n') + 1) + 1 }
}
