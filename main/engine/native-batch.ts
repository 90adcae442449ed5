// Decodes the batch container of the native query functions (native/README.md, Batches): named typed columns in one BLOB.
import { fail, ok, type Result } from '../../preload/contract/errors.ts'

const magic = 0x31424d54 // 'TMB1', little endian
const headerBytes = 8
const columnHeaderBytes = 40
const nameBytes = 24

type Column = Uint8Array<ArrayBuffer> | Float64Array<ArrayBuffer> | { readonly json: unknown }

export class NativeBatch {
  readonly #columns: ReadonlyMap<string, Column>

  constructor(columns: ReadonlyMap<string, Column>) {
    this.#columns = columns
  }

  /** Throws when the column is missing or of another type: then library and engine are of different versions. */
  f64(name: string): Float64Array<ArrayBuffer> {
    const column = this.#columns.get(name)
    if (column instanceof Float64Array) return column
    throw new Error(`The native batch has no f64 column ${name}`)
  }

  /** As `f64`. */
  u8(name: string): Uint8Array<ArrayBuffer> {
    const column = this.#columns.get(name)
    if (column instanceof Uint8Array) return column
    throw new Error(`The native batch has no u8 column ${name}`)
  }

  /** As `f64`. */
  json(name: string): unknown {
    const column = this.#columns.get(name)
    if (column && 'json' in column) return column.json
    throw new Error(`The native batch has no JSON column ${name}`)
  }
}

function readColumn(buffer: ArrayBuffer, type: number, count: number, offset: number): Column | undefined {
  const fits = (width: number) => offset % 8 === 0 && offset + count * width <= buffer.byteLength
  if (type === 1 && fits(1)) return new Uint8Array(buffer, offset, count)
  if (type === 3 && fits(8)) return new Float64Array(buffer, offset, count)
  if (type === 4 && fits(1)) return { json: JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, offset, count))) as unknown }
  return undefined
}

/** Decodes a batch. The columns share one fresh, aligned memory, so a structured clone copies it once. Errors: `engine/internal`. */
export function decodeBatch(blob: Uint8Array): Result<NativeBatch> {
  const malformed = fail('engine/internal', 'The native library answered with a malformed batch.')
  const buffer = new Uint8Array(blob).buffer
  const view = new DataView(buffer)
  if (buffer.byteLength < headerBytes || view.getUint32(0, true) !== magic) return malformed
  const columnCount = view.getUint32(4, true)
  if (headerBytes + columnCount * columnHeaderBytes > buffer.byteLength) return malformed
  const columns = new Map<string, Column>()
  for (let index = 0; index < columnCount; index++) {
    const at = headerBytes + index * columnHeaderBytes
    const name = new TextDecoder().decode(new Uint8Array(buffer, at, nameBytes)).replace(/\0+$/, '')
    const field = (offset: number) => view.getUint32(at + nameBytes + offset, true)
    const column = readColumn(buffer, field(0), field(8), field(12))
    if (!column) return malformed
    columns.set(name, column)
  }
  return ok(new NativeBatch(columns))
}
