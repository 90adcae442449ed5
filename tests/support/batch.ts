// Reads the BLOBs of the native query functions (native/README.md, Batches), without the engine's decoder.

export type BatchColumn = Uint8Array | Float64Array | string

/** Columns by name. Throws when the container is malformed. */
export function readBatch(blob: unknown): ReadonlyMap<string, BatchColumn> {
  if (!(blob instanceof Uint8Array)) throw new Error('the query answered no BLOB')
  const bytes = Buffer.from(blob)
  if (bytes.toString('latin1', 0, 4) !== 'TMB1') throw new Error('not a batch')
  return new Map(Array.from({ length: bytes.readUInt32LE(4) }, (_, index) => readColumn(bytes, 8 + index * 40)))
}

function readColumn(bytes: Buffer, at: number): [string, BatchColumn] {
  const name = bytes.toString('latin1', at, at + 24).replace(/\0+$/, '')
  const [type, count, offset] = [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 32), bytes.readUInt32LE(at + 36)]
  const from = (width: number) => Uint8Array.from(bytes.subarray(offset, offset + count * width))
  switch (type) {
    case 1:
      return [name, from(1)]
    case 3:
      return [name, new Float64Array(from(8).buffer)]
    case 4:
      return [name, Buffer.from(from(1)).toString('utf8')]
    default:
      throw new Error(`column ${name} has the unknown type ${type}`)
  }
}

/** A column of numbers; throws when it is missing or of another type. */
export function f64(batch: ReadonlyMap<string, BatchColumn>, name: string): Float64Array {
  const column = batch.get(name)
  if (!(column instanceof Float64Array)) throw new Error(`the batch has no numbers ${name}`)
  return column
}
