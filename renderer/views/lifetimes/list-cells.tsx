// Cells that both lists have.
import { exactBytes, formatAddressVersion, formatBytes, formatCount, formatTime } from '../../i18n/format.ts'
import { stackTitle } from '../../plot/legend.ts'
import { cssColor, slotColor } from '../../theme/palette.ts'
import { useTokens } from '../../theme/theme.ts'
import type { ListRow } from './list-rows.ts'

interface RowProps {
  readonly row: ListRow
}

function StackSwatch({ slot }: { readonly slot: number }) {
  const tokens = useTokens()
  return <span className='swatch' style={{ background: cssColor(slotColor(tokens, 'stack', slot) ?? [0, 0, 0]) }} />
}

/** An allocation by its stack. */
export function StackCell({ row }: RowProps) {
  return (
    <>
      <StackSwatch slot={row.slot} />
      <strong>{stackTitle(row.title)}</strong> <span className='weak'>{row.place}</span>
    </>
  )
}

/** An allocation by the name of its life: the n-th use of an address. */
export function VersionCell({ row }: RowProps) {
  return (
    <span title={`${stackTitle(row.title)} ${row.place}`}>
      <StackSwatch slot={row.slot} />
      <span className='mono'>{formatAddressVersion(row.address, row.version)}</span>
    </span>
  )
}

export function BytesCell({ bytes }: { readonly bytes: number }) {
  return <span title={exactBytes(bytes)}>{formatBytes(bytes)}</span>
}

/** A life inside the range, in the unit of the axis. */
export const lifeText = (life: number, axis: 'event' | 'time'): string => (axis === 'event' ? formatCount(life) : formatTime(life))
