// Long traces, made from a real one: its events again and again, each time later and under other numbers, written as they come.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

/** Numbers that change from copy to copy. Times keep their width, so the last digits of a time are never near a carry of its length. */
const shiftedFields = /"(ts|id|correlation|External id|Python id|Python parent id|Ev Idx)": (-?\d+)/g
const pieceBytes = 8 << 20

/** Where the numbers stand in the events' text, and what they say. */
function fieldsOf(text) {
  const fields = []
  let [first, last, largestId] = [Number.POSITIVE_INFINITY, 0, 0]
  for (const match of text.matchAll(shiftedFields)) {
    const isTime = match[1] === 'ts'
    const value = Number(match[2])
    if (isTime && value > 0) [first, last] = [Math.min(first, value), Math.max(last, value)]
    else if (!isTime) largestId = Math.max(largestId, value)
    const end = match.index + match[0].length
    fields.push({ start: end - match[2].length, end, value, isTime })
  }
  return { fields, spanUs: last - first + 1000, idStep: largestId + 1 }
}

/** Collects pieces and writes them in large blocks. */
class Writer {
  #block = Buffer.allocUnsafe(pieceBytes)
  #used = 0
  bytes = 0

  constructor(path) {
    this.file = openSync(path, 'w')
  }
  copy(source, from, to) {
    for (let at = from; at < to; ) {
      if (this.#used === pieceBytes) this.flush()
      const length = Math.min(to - at, pieceBytes - this.#used)
      source.copy(this.#block, this.#used, at, at + length)
      this.#used += length
      at += length
    }
  }
  text(text) {
    if (this.#used + text.length > pieceBytes) this.flush()
    this.#used += this.#block.write(text, this.#used, 'latin1')
  }
  flush() {
    writeSync(this.file, this.#block, 0, this.#used)
    this.bytes += this.#used
    this.#used = 0
  }
  finish() {
    this.flush()
    closeSync(this.file)
    return this.bytes
  }
}

/**
 * Writes to `out` a trace of at least `bytes` made of the events of `source`, an object whose traceEvents are an array over many lines.
 * Answers its size.
 */
export function writeLongTrace(source, out, bytes) {
  const whole = readFileSync(source)
  const opened = whole.indexOf('"traceEvents": [') + '"traceEvents": ['.length
  const closed = whole.lastIndexOf(']')
  const events = whole.subarray(opened, closed)
  const { fields, spanUs, idStep } = fieldsOf(events.toString('latin1'))
  const writer = new Writer(out)
  writer.copy(whole, 0, opened)
  const copies = Math.ceil(bytes / events.length)
  for (let copy = 0; copy < copies; copy += 1) {
    if (copy > 0) writer.text(',')
    let at = 0
    for (const { start, end, value, isTime } of fields) {
      writer.copy(events, at, start)
      writer.text(String(value + copy * (isTime ? spanUs : idStep)))
      at = end
    }
    writer.copy(events, at, events.length)
  }
  writer.copy(whole, closed, whole.length)
  return writer.finish()
}
