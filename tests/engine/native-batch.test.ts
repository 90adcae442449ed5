import { describe, expect, test } from 'vitest'
import { decodeBatch } from '../../main/engine/native-batch.ts'
import { codeOf, expectValue } from './engine-client.ts'

interface Column {
  readonly name: string
  readonly type: number
  readonly count: number
  readonly bytes: Uint8Array
}

/** A batch as native/README.md describes it. */
function batchOf(columns: readonly Column[]): Uint8Array {
  const head = Buffer.alloc(8 + 40 * columns.length)
  head.write('TMB1', 'latin1')
  head.writeUInt32LE(columns.length, 4)
  const bodies: Buffer[] = []
  let offset = head.length
  columns.forEach(({ name, type, count, bytes }, index) => {
    const at = 8 + 40 * index
    head.write(name, at, 'latin1')
    head.writeUInt32LE(type, at + 24)
    head.writeUInt32LE(count, at + 32)
    head.writeUInt32LE(offset, at + 36)
    const padded = Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)])
    bodies.push(padded)
    offset += padded.length
  })
  return Buffer.concat([head, ...bodies])
}

const numbers = (...values: number[]) => new Uint8Array(new Float64Array(values).buffer)
const batch = batchOf([
  { name: 'time', type: 3, count: 2, bytes: numbers(1.5, -1) },
  { name: 'cells', type: 1, count: 3, bytes: new Uint8Array([1, 2, 3]) },
  { name: 'meta', type: 4, count: 9, bytes: Buffer.from('{"of":42}') },
])

describe('a native batch', () => {
  test('gives its columns by name and type', () => {
    const decoded = expectValue(decodeBatch(batch))
    expect([...decoded.f64('time')]).toEqual([1.5, -1])
    expect([...decoded.u8('cells')]).toEqual([1, 2, 3])
    expect(decoded.json('meta')).toEqual({ of: 42 })
    expect(() => decoded.f64('cells')).toThrow('f64 column cells')
    expect(() => decoded.u8('missing')).toThrow('u8 column missing')
  })

  test('is read from memory that is not aligned, and its columns share one fresh memory', () => {
    const shifted = new Uint8Array(batch.length + 3).subarray(3)
    shifted.set(batch)
    const decoded = expectValue(decodeBatch(shifted))
    expect([...decoded.f64('time')]).toEqual([1.5, -1])
    expect(decoded.f64('time').buffer).toBe(decoded.u8('cells').buffer)
    expect(decoded.f64('time').buffer.byteLength).toBe(batch.length)
  })

  test.each([
    ['nothing', () => new Uint8Array()],
    ['another magic', () => Buffer.from(batch).fill(0, 0, 4)],
    ['more columns than bytes', () => Buffer.from(batch).fill(255, 4, 8)],
    ['a column beyond the end', () => Buffer.from(batch).fill(255, 8 + 32, 8 + 35)],
    ['an unknown type', () => Buffer.from(batch).fill(2, 8 + 24, 8 + 25)],
    ['a cut', () => batch.subarray(0, batch.length - 20)],
  ])('with %s is refused', (_what, make) => {
    expect(codeOf(decodeBatch(make()))).toBe('engine/internal')
  })
})
