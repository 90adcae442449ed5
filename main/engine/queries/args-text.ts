// The `args` of a trace event as keys and values: split by hand, since a parsed number would lose digits and the dialects write NaN and worse.

const maxKeyLength = 4096
const maxValueLength = 200_000
const maxTotalLength = 1_000_000 // of all values
const maxEntries = 1000

export interface Argument {
  readonly key: string
  readonly value: string
}

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, Math.max(0, length - 1))}…`)

/** What a JSON text in quotes says; the text itself where it is none. */
function plain(json: string): string {
  if (!json.startsWith('"')) return json
  try {
    return String(JSON.parse(json))
  } catch {
    return json.slice(1, -1)
  }
}

/** Offset behind the text in quotes that begins at `at`. */
function behindQuotes(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next++) {
    if (text[next] === '\\') next++
    else if (text[next] === '"') return next + 1
  }
  return text.length
}

/** Offset of the comma or bracket that ends the value which begins at `at`. */
function endOfValue(text: string, at: number): number {
  let depth = 0
  for (let next = at; next < text.length; next++) {
    const character = text[next]
    if (character === '"') next = behindQuotes(text, next) - 1
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') {
      if (depth-- === 0) return next
    } else if (character === ',' && depth === 0) return next
  }
  return text.length
}

/** The entries of a JSON object in its order: texts as they are, all else as it is written; … ends what is cut. What is no object is one value without a key. */
export function splitArguments(json: string): Argument[] {
  const text = json.trim()
  if (!text.startsWith('{')) return [{ key: '', value: cut(plain(text), maxValueLength) }]
  const entries: Argument[] = []
  let left = maxTotalLength
  for (let at = 1; entries.length < maxEntries; ) {
    const keyAt = text.indexOf('"', at)
    if (keyAt < 0) break
    const keyEnd = behindQuotes(text, keyAt)
    const colon = text.indexOf(':', keyEnd)
    if (colon < 0) break
    const end = endOfValue(text, colon + 1)
    const value = cut(plain(text.slice(colon + 1, end).trim()), Math.min(maxValueLength, left))
    entries.push({ key: cut(plain(text.slice(keyAt, keyEnd)), maxKeyLength), value })
    left = Math.max(0, left - value.length)
    at = end + 1
  }
  return entries
}
