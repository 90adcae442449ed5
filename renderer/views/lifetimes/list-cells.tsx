// Cells that both lists have.
import { exactBytes, formatAddressVersion, formatBytes } from '../../i18n/format.ts'
import { allocationTitle } from '../../plot/legend.ts'
import { cssColor, slotColor } from '../../theme/palette.ts'
import { useTokens } from '../../theme/theme.ts'
import type { ListRow } from './list-rows.ts'
import { valueText } from './units.ts'

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
      <strong>{allocationTitle(row)}</strong> <span className='weak'>{row.place}</span>
    </>
  )
}

/** An allocation by its stack's function; which use of which address it is stands in the tooltip. */
export function FunctionCell({ row }: RowProps) {
  return (
    <span title={`${allocationTitle(row)} ${row.place}\n${formatAddressVersion(row.address, row.version)}`}>
      <StackSwatch slot={row.slot} />
      <strong>{allocationTitle(row)}</strong>
    </span>
  )
}

export function BytesCell({ bytes }: { readonly bytes: number }) {
  return <span title={exactBytes(bytes)}>{formatBytes(bytes)}</span>
}

/** Bytes × life, in the unit of the axis. */
export const AreaCell = ({ row, axis }: RowProps & { readonly axis: 'event' | 'time' }) => <>{valueText('area', axis, row.area)}</>
