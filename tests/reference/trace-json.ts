// A plain recursive reader of healthy JSON for the reference of traces. It keeps the text of numbers, so that no time passes through a
// double, and where each object of an array lies in the file.

/** A number as the file writes it. */
export class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type JsonValue = string | boolean | null | NumberText | readonly JsonValue[] | JsonObject
export type JsonObject = ReadonlyMap<string, JsonValue>

const quote = 0x22
const backslash = 0x5c
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '"': '"', '\\': '\\', '/': '/' }

/** Reads one document. Throws where it is not JSON. */
export class JsonReader {
  readonly #bytes: Buffer
  #at = 0
  /** Byte offset of every object, and that behind it. */
  readonly spans = new Map<JsonObject, readonly [number, number]>()

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  document(): JsonValue {
    const value = this.#value()
    if (this.#peek() !== '') throw new Error(`bytes behind the document at ${this.#at}`)
    return value
  }

  #peek(): string {
    while (this.#at < this.#bytes.length && (this.#bytes[this.#at] ?? 0) <= 0x20) this.#at += 1
    return this.#bytes.toString('latin1', this.#at, this.#at + 1)
  }

  #expect(character: string): void {
    if (this.#peek() !== character) throw new Error(`${character} expected at ${this.#at}`)
    this.#at += 1
  }

  #value(): JsonValue {
    switch (this.#peek()) {
      case '{':
        return this.#object()
      case '[':
        return this.#array()
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #word<T>(word: string, value: T): T {
    if (this.#bytes.toString('latin1', this.#at, this.#at + word.length) !== word) throw new Error(`${word} expected at ${this.#at}`)
    this.#at += word.length
    return value
  }

  #number(): NumberText {
    const from = this.#at
    while (/[-+.0-9eE]/.test(this.#bytes.toString('latin1', this.#at, this.#at + 1))) this.#at += 1
    const text = this.#bytes.toString('latin1', from, this.#at)
    if (!/^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text)) throw new Error(`no number at ${from}: ${text}`)
    return new NumberText(text)
  }

  #string(): string {
    this.#expect('"')
    const from = this.#at
    while (this.#bytes[this.#at] !== quote) {
      if (this.#at >= this.#bytes.length) throw new Error(`a string without end at ${from}`)
      this.#at += this.#bytes[this.#at] === backslash ? 2 : 1
    }
    const text = this.#bytes.toString('utf8', from, this.#at)
    this.#at += 1
    if (!text.includes('\\')) return text
    const plain = text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, hex, short) => unescaped(hex, short))
    return Buffer.from(plain, 'utf8').toString('utf8') // half a surrogate pair becomes U+FFFD
  }

  #array(): JsonValue[] {
    this.#expect('[')
    const values: JsonValue[] = []
    if (this.#peek() !== ']') {
      values.push(this.#value())
      while (this.#peek() === ',') {
        this.#at += 1
        values.push(this.#value())
      }
    }
    this.#expect(']')
    return values
  }

  #object(): JsonObject {
    this.#peek()
    const from = this.#at
    this.#expect('{')
    const entries = new Map<string, JsonValue>()
    while (this.#peek() !== '}') {
      if (entries.size > 0) this.#expect(',')
      this.#peek()
      const key = this.#string()
      this.#expect(':')
      entries.set(key, this.#value())
    }
    this.#expect('}')
    this.spans.set(entries, [from, this.#at])
    return entries
  }
}

function unescaped(hex: string | undefined, short: string | undefined): string {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
  const character = escapes[short ?? '']
  if (character === undefined) throw new Error(`the escape \\${short}`)
  return character
}
