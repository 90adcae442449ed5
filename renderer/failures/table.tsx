// A row a failure: rows in sight only; keys walk, Enter opens, heads sort.
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useId } from 'react'
import type { FailureRow } from '../../preload/contract/diagnosis.ts'
import { counted } from '../i18n/format.ts'
import { rowStep } from '../panels/row-step.ts'
import { SortHead } from '../panels/sort-head.tsx'
import { type Column, columns, patchLook, useLook } from './look.ts'
import { cellHint, cellText } from './rows.ts'
import { useFailuresTexts } from './texts.ts'

interface TableProps {
  readonly tabId: number
  readonly rows: readonly FailureRow[]
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly onOpen: (row: FailureRow) => void
}

const rowPx = 24
const headPx = 32
const ascendingFirst: readonly Column[] = ['name', 'verdict', 'reason', 'evidence']

function useWalk({ tabId, rows, onOpen }: TableProps, virtual: Virtualizer<HTMLDivElement, Element>) {
  const { selected } = useLook(tabId)
  const at = rows.findIndex(({ index }) => index === selected)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || rows.length === 0) return
    const page = Math.max(1, Math.floor(((virtual.scrollElement?.clientHeight ?? rowPx) - headPx) / rowPx) - 1)
    const step = rowStep(event.key, page, rows.length)
    const sorts = event.target instanceof HTMLElement && event.target.closest('thead') !== null
    if (step !== undefined) {
      const next = at < 0 ? 0 : Math.max(0, Math.min(at + step, rows.length - 1))
      patchLook(tabId, { selected: rows[next]?.index })
    } else if (event.key === 'Enter' && !sorts) {
      const row = rows[at]
      if (row) onOpen(row)
    } else return
    event.preventDefault()
  }
  return { at, onKeyDown }
}

/** Rows under their heads. */
export function FailuresTable(props: TableProps) {
  const { tabId, rows, scroller, onOpen } = props
  const t = useFailuresTexts()
  const { order } = useLook(tabId)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    scrollPaddingStart: headPx,
  })
  const { at, onKeyDown } = useWalk(props, virtual)
  // Also when the table comes back from a failure's page.
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at)
  }, [at, virtual])
  const id = useId()
  const items = virtual.getVirtualItems()
  const gaps = [items[0]?.start ?? 0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0)] as const
  return (
    <div
      ref={scroller}
      className='fail-rows'
      role='application'
      aria-label={t('table.hint', counted(rows.length))}
      aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys walk through the rows, so it takes the focus
      tabIndex={0}
      data-testid='failures-table'
      onKeyDown={onKeyDown}
    >
      <table className='data-table failures selectable' aria-rowcount={rows.length + 1} aria-label={t('table.label')}>
        <SortHead
          columns={columns}
          title={(column) => t(`column.${column}`)}
          order={order as typeof order & { readonly column: Column }}
          ascendingFirst={ascendingFirst}
          onOrder={(next) => patchLook(tabId, { order: next })}
        />
        <tbody>
          <Gap heightPx={gaps[0]} />
          {items.map(({ index }) => {
            const row = rows[index]
            return (
              row && (
                <Row key={row.index} id={`${id}-${index}`} at={index} row={row} tabId={tabId} isSelected={index === at} onOpen={onOpen} />
              )
            )
          })}
          <Gap heightPx={gaps[1]} />
        </tbody>
      </table>
      {rows.length === 0 && <p className='fail-none weak'>{t('table.none')}</p>}
    </div>
  )
}

/** The rows out of sight. */
const Gap = ({ heightPx }: { readonly heightPx: number }) =>
  heightPx > 0 && (
    <tr className='fail-gap' style={{ height: heightPx }}>
      <td colSpan={columns.length} />
    </tr>
  )

interface RowProps {
  readonly id: string
  readonly at: number
  readonly row: FailureRow
  readonly tabId: number
  readonly isSelected: boolean
  readonly onOpen: (row: FailureRow) => void
}

function Row({ id, at, row, tabId, isSelected, onOpen }: RowProps) {
  const t = useFailuresTexts()
  const opens = t(row.captureToken === null ? 'opens.page' : 'opens.capture')
  return (
    <tr id={id} aria-rowindex={at + 2} className={isSelected ? 'selected' : undefined} onDoubleClick={() => onOpen(row)}>
      {columns.map((column) => (
        <td key={column} className={column} title={cellHint(row, column)}>
          {column === 'name' ? (
            <button
              type='button'
              tabIndex={-1}
              aria-pressed={isSelected}
              aria-description={opens}
              onClick={() => patchLook(tabId, { selected: row.index })}
            >
              {row.name}
            </button>
          ) : (
            cellText(row, column)
          )}
        </td>
      ))}
    </tr>
  )
}
