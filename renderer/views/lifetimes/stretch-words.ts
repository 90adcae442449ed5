// A part of the addresses in words.
import { formatAddress, formatBytes, formatCount } from '../../i18n/format.ts'
import type { Translate } from './texts.ts'
import { heightOf, rowsIn, type SpaceRow, type YRange } from './y-axis.ts'

/** Blocks begin at multiples of this; a hand on the mouse is not more exact. */
const blockBytes = 512

interface Stretch {
  readonly address: bigint
  readonly bytes: number
}

/** The addresses of a row that lie in a part of y, in whole blocks. */
function stretchOf(row: SpaceRow, band: YRange): Stretch | undefined {
  if (row.address === undefined || row.bytes === undefined) return undefined
  const bytesAt = (y: number): number => (Math.min(Math.max(y - row.y0, 0), heightOf(row)) / heightOf(row)) * (row.bytes ?? 0)
  const from = Math.floor(bytesAt(band.y0) / blockBytes) * blockBytes
  const to = Math.min(Math.ceil(bytesAt(band.y1) / blockBytes) * blockBytes, row.bytes)
  return { address: BigInt(row.address) + BigInt(from), bytes: Math.max(to - from, 0) }
}

/** Start and length; of several stretches the first start, all lengths and how many they are. */
export function stretchWords(rows: readonly SpaceRow[], band: YRange, t: Translate): string | undefined {
  const stretches = rowsIn(rows, band).flatMap((row) => stretchOf(row, band) ?? [])
  const [first] = stretches
  if (!first) return undefined
  const bytes = stretches.reduce((sum, stretch) => sum + stretch.bytes, 0)
  const start = `${formatAddress(`0x${first.address.toString(16)}`)} + ${formatBytes(bytes)}`
  return stretches.length === 1 ? start : t('rectangle.stretches', { start, stretches: formatCount(stretches.length) })
}
