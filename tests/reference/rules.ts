// The allocator's constants: rounding and splitting, from its settings.
import type { PyDict } from './unpickle.ts'

const MiB = 1 << 20
const smallest = 512
/** max_non_split_rounding, unless configured. */
const mostWaste = 20 * MiB

export interface Rules {
  /** Bytes that a request of `requested` bytes occupies at least. */
  round(requested: number): number
  /** Whether the rest of a free block stays free when `rounded` bytes are taken from its left end. */
  splits(blockSize: number, rounded: number, expandable: boolean): boolean
  /** Whether a free block is kept from a request of `rounded` bytes although it is large enough. */
  keeps(blockSize: number, rounded: number): boolean
}

/** Rules under these `allocator_settings`; the defaults where the file has none. waste: what oversize requests accept is less. */
export function rulesOf(settings: PyDict | null, waste = mostWaste): Rules {
  const divisions = (settings?.roundup_power2_divisions ?? {}) as PyDict
  const given = Number(settings?.max_split_size ?? -1)
  const maxSplit = given < 0 ? Number.POSITIVE_INFINITY : given
  return {
    round: (requested) => roundSize(requested, divisions),
    splits: (blockSize, rounded, expandable) => {
      const rest = blockSize - rounded
      const fromSmallPool = rounded <= MiB
      return fromSmallPool || expandable ? rest >= smallest : rounded < maxSplit && rest > MiB
    },
    keeps: (blockSize, rounded) => (rounded < maxSplit ? blockSize >= maxSplit : blockSize - rounded >= waste),
  }
}

function roundSize(requested: number, divisions: PyDict): number {
  if (requested < smallest) return smallest
  const parts = divisionsFor(requested, divisions)
  if (parts > 1 && requested > smallest * parts) return toNextDivision(requested, parts)
  return Math.ceil(requested / smallest) * smallest
}

/** The setting of the power of two at or below the size in MiB: keys "1" … "32768". */
function divisionsFor(requested: number, divisions: PyDict): number {
  const power = Math.min(15, Math.max(0, Math.floor(Math.log2(requested / MiB))))
  return Number(divisions[String(2 ** power)] ?? 0)
}

function toNextDivision(requested: number, parts: number): number {
  const floor = 2 ** Math.floor(Math.log2(requested))
  const step = floor / parts
  return Math.ceil(requested / step) * step
}
