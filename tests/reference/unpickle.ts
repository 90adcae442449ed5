// A small, slow reader of data-only pickles, independent of the native one: what it answers is what the tests hold against the index.
// Dicts become objects without a prototype, tuples arrays, integers numbers where exact and bigints above.

export type Py = null | boolean | number | bigint | string | Uint8Array | Py[] | PyDict
export interface PyDict {
  [key: string]: Py
}

const mark = Symbol('mark')
type Slot = Py | typeof mark

/** Reads one pickle; throws on anything but plain data. */
export function unpickle(bytes: Buffer): Py {
  return new Machine(bytes).run()
}

const toNumber = (value: bigint): number | bigint =>
  value >= -BigInt(Number.MAX_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value

class Machine {
  readonly #bytes: Buffer
  #at = 0
  readonly #stack: Slot[] = []
  readonly #memo = new Map<number, Slot>()

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  run(): Py {
    for (;;) {
      const code = this.#take(1)[0] ?? 0
      if (code === 0x2e) return this.#pop()
      if (!(this.#number(code) || this.#text(code) || this.#container(code) || this.#memory(code))) {
        throw new Error(`opcode 0x${code.toString(16)} at ${this.#at - 1}`)
      }
    }
  }

  #take(count: number): Buffer {
    const end = this.#at + count
    if (end > this.#bytes.length) throw new Error('the pickle ends early')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  #line(): string {
    const end = this.#bytes.indexOf(0x0a, this.#at)
    if (end < 0) throw new Error('the pickle ends in a line')
    const line = this.#bytes.toString('latin1', this.#at, end)
    this.#at = end + 1
    return line
  }

  #push(value: Slot): true {
    this.#stack.push(value)
    return true
  }

  #pop(): Py {
    const value = this.#stack.pop()
    if (value === undefined || value === mark) throw new Error('the stack is empty')
    return value
  }

  #popToMark(): Py[] {
    const from = this.#stack.lastIndexOf(mark)
    if (from < 0) throw new Error('no MARK')
    return this.#stack.splice(from).slice(1) as Py[]
  }

  #number(code: number): boolean {
    switch (String.fromCharCode(code)) {
      case 'N':
        return this.#push(null)
      case 'K':
        return this.#push(this.#take(1)[0] ?? 0)
      case 'M':
        return this.#push(this.#take(2).readUInt16LE())
      case 'J':
        return this.#push(this.#take(4).readInt32LE())
      case 'G':
        return this.#push(this.#take(8).readDoubleBE())
      case 'F':
        return this.#push(Number(this.#line()))
      case 'L':
        return this.#push(toNumber(BigInt(this.#line().replace(/L$/, ''))))
      case 'I':
        return this.#push(integerLine(this.#line()))
      case '\x88':
      case '\x89':
        return this.#push(code === 0x88)
      case '\x8a':
        return this.#push(this.#long(this.#take(1)[0] ?? 0))
      default:
        return false
    }
  }

  #long(count: number): number | bigint {
    let value = 0n
    for (const byte of [...this.#take(count)].reverse()) value = (value << 8n) | BigInt(byte)
    return toNumber(BigInt.asIntN(count * 8, value))
  }

  #text(code: number): boolean {
    switch (String.fromCharCode(code)) {
      case '\x8c':
        return this.#push(this.#take(this.#take(1)[0] ?? 0).toString('utf8'))
      case 'X':
        return this.#push(this.#take(this.#take(4).readUInt32LE()).toString('utf8'))
      case '\x8d':
        return this.#push(this.#take(Number(this.#take(8).readBigUInt64LE())).toString('utf8'))
      case 'V':
        return this.#push(unescapeLine(this.#line()))
      case 'C':
        return this.#push(this.#take(this.#take(1)[0] ?? 0))
      case 'B':
        return this.#push(this.#take(this.#take(4).readUInt32LE()))
      default:
        return false
    }
  }

  #container(code: number): boolean {
    switch (String.fromCharCode(code)) {
      case '}':
        return this.#push(Object.create(null) as PyDict)
      case ']':
      case ')':
        return this.#push([])
      case '(':
        return this.#push(mark)
      case 't':
      case 'l':
        return this.#push(this.#popToMark())
      case 'd':
        return this.#push(fill(Object.create(null) as PyDict, this.#popToMark()))
      case '\x85':
      case '\x86':
      case '\x87':
        return this.#push(this.#stack.splice(this.#stack.length - (code - 0x84)) as Py[])
      case 'a':
        return this.#appendAll([this.#pop()])
      case 'e':
        return this.#appendAll(this.#popToMark())
      case 's':
        return this.#setAll(this.#stack.splice(-2) as Py[])
      case 'u':
        return this.#setAll(this.#popToMark())
      default:
        return false
    }
  }

  #appendAll(items: Py[]): true {
    const list = this.#stack.at(-1)
    if (!Array.isArray(list)) throw new Error('APPEND to something else than a list')
    for (const item of items) list.push(item)
    return true
  }

  #setAll(items: Py[]): true {
    fill(this.#stack.at(-1) as PyDict, items)
    return true
  }

  #memory(code: number): boolean {
    switch (String.fromCharCode(code)) {
      case '\x80':
        this.#take(1)
        return true
      case '\x95':
        this.#take(8)
        return true
      case '\x94':
        return this.#remember(this.#memo.size)
      case 'q':
        return this.#remember(this.#take(1)[0] ?? 0)
      case 'r':
        return this.#remember(this.#take(4).readUInt32LE())
      case 'p':
        return this.#remember(Number(this.#line()))
      case 'h':
        return this.#recall(this.#take(1)[0] ?? 0)
      case 'j':
        return this.#recall(this.#take(4).readUInt32LE())
      case 'g':
        return this.#recall(Number(this.#line()))
      default:
        return false
    }
  }

  #remember(index: number): true {
    const top = this.#stack.at(-1)
    if (top === undefined) throw new Error('nothing to remember')
    this.#memo.set(index, top)
    return true
  }

  #recall(index: number): true {
    const value = this.#memo.get(index)
    if (value === undefined) throw new Error(`memo ${index} is empty`)
    return this.#push(value)
  }
}

function integerLine(line: string): Py {
  if (line === '00' || line === '01') return line === '01'
  return toNumber(BigInt(line))
}

function fill(dict: PyDict, items: Py[]): PyDict {
  for (let at = 0; at + 1 < items.length; at += 2) dict[String(items[at])] = items[at + 1] ?? null
  return dict
}

const unescapeLine = (line: string) =>
  line.replace(/\\u([0-9a-f]{4})|\\U([0-9a-f]{8})/g, (_, short, long) => String.fromCodePoint(Number.parseInt(short ?? long, 16)))
