// A table of any number of rows below the picture: only those in sight are elements.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'

export const mostListed = 500_000 // browsers cap the height of an element, Chromium at 33.5 million px
const rowPx = 24

interface RowsTableProps {
  readonly label: string
  readonly testId: string
  readonly className: string
  readonly count: number
  readonly isPending: boolean
  readonly head: ReactNode // <thead>
  readonly columnCount: number
  /** Cells of a row; undefined while it is not known. */
  readonly cells: (index: number) => ReactNode | undefined
  readonly isSelected?: (index: number) => boolean
  /** Called with the first row in sight. */
  readonly onFirst?: (index: number) => void
  /** Another value: the rows are others, and shown from the top. */
  readonly scrollKey: string
}

/** Head and rows. */
export function RowsTable(props: RowsTableProps) {
  const { label, testId, className, isPending, head, columnCount, cells, isSelected, onFirst, scrollKey } = props
  const count = Math.min(props.count, mostListed)
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    onChange: (instance) => onFirst?.(instance.range?.startIndex ?? 0),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the rows are others
  useEffect(() => scroller.current?.scrollTo({ top: 0 }), [scrollKey])
  const items = virtual.getVirtualItems()
  return (
    <div ref={scroller} className='trace-rows'>
      <table className={`data-table trace-table ${className}`} aria-rowcount={count + 1} aria-label={label} data-testid={testId}>
        {head}
        <tbody className={isPending ? 'pending' : undefined}>
          <Gap heightPx={items[0]?.start ?? 0} columnCount={columnCount} />
          {items.map(({ index, key }) => (
            <tr key={key} aria-rowindex={index + 2} className={isSelected?.(index) ? 'selected' : undefined}>
              {cells(index) ?? <td colSpan={columnCount} />}
            </tr>
          ))}
          <Gap heightPx={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} columnCount={columnCount} />
        </tbody>
      </table>
    </div>
  )
}

/** Stands for the rows above or below those in sight. */
function Gap({ heightPx, columnCount }: { readonly heightPx: number; readonly columnCount: number }) {
  if (heightPx <= 0) return null
  return (
    <tr>
      <td colSpan={columnCount} style={{ height: heightPx }} />
    </tr>
  )
}
