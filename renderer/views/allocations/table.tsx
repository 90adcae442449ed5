// The table itself: rows in sight only, of lists of any length; keys select, heads sort.
import { type KeyboardEvent, useId, useRef } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { AllocationRow } from '../../../preload/contract/queries.ts'
import { counted } from '../../i18n/format.ts'
import { rowStep } from '../../panels/row-step.ts'
import { SortHead } from '../../panels/sort-head.tsx'
import { allocationTitle } from '../../plot/legend.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import { patchView } from '../../state/view-state.ts'
import { cssColor, slotColor } from '../../theme/palette.ts'
import { useTokens } from '../../theme/theme.ts'
import type { ViewProps } from '../view.ts'
import { selectRow, setOrder, walkBy } from './actions.ts'
import { allocationsData, type Column, columns, useAllocations } from './allocations-data.ts'
import { type CellLook, cellHint, cellText, columnTitle } from './cells.ts'
import { scrollMap } from './scroll-map.ts'
import { useAllocationsTexts } from './texts.ts'
import { useBar } from './use-bar.ts'

const ascendingFirst = ['stack', 'made', 'freed', 'address', 'stream', 'pool', 'category', 'id'] as const

/** Rows under their heads, with a bar that reaches all of them. */
export function AllocationsTable({ capture }: ViewProps) {
  const t = useAllocationsTexts()
  const { captureId } = capture
  const device = useDevice(capture)
  const axis = useView(captureId, (view) => view.axis) ?? 'event'
  const selected = useView(captureId, (view) => view.selectedAllocation)
  const { first, shown, count, rows, order, answered, asked } = useAllocations(captureId, (data) => data)
  const scroller = useRef<HTMLDivElement>(null)
  const heightPx = useBar(capture, scroller)
  const id = useId()
  const inSight = Array.from({ length: Math.max(0, Math.min(shown + 1, count - first)) }, (_, at) => first + at)
  const active = inSight.find((index) => rows.get(index)?.allocationId === selected)
  const isCurrent = answered !== '' && answered === asked
  return (
    <div
      ref={scroller}
      className='alloc-rows'
      role='application'
      aria-label={t('gridHint', counted(count))}
      aria-activedescendant={active === undefined ? undefined : `${id}-${active}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys walk through the rows, so it takes the focus
      tabIndex={0}
      data-testid='allocations-table'
      data-drawn={isCurrent ? 'yes' : 'no'}
      onKeyDown={(event) => onKeyDown(capture, event)}
    >
      <div style={{ height: heightPx + scrollMap(count, shown).heightPx }}>
        <div className='alloc-page' style={{ height: heightPx }}>
          <table className='data-table alloc selectable' aria-rowcount={count + 1} aria-label={t('tableLabel')}>
            <SortHead
              columns={columns}
              title={(column) => columnTitle(column, axis)}
              hint={(column) => t(`hint.${column}`)}
              order={order}
              ascendingFirst={ascendingFirst}
              onOrder={(next) => setOrder(capture, next)}
            />
            <tbody className={isCurrent ? undefined : 'pending'}>
              {inSight.map((index) => {
                const row = rows.get(index)
                const isSelected = row !== undefined && row.allocationId === selected
                const place = { capture, id: `${id}-${index}`, index, isSelected }
                return row && device ? (
                  <Row key={index} {...place} row={row} look={{ device, axis }} />
                ) : (
                  <tr key={index} aria-rowindex={index + 2}>
                    <td colSpan={columns.length} />
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      </div>
    </div>
  )
}

/** Moves the selection; Enter shows its details. */
function onKeyDown(capture: CaptureSummary, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const { shown, count } = allocationsData(capture.captureId).getState()
  const step = rowStep(event.key, shown, count)
  const sorts = event.target instanceof HTMLElement && event.target.closest('thead') !== null
  if (step !== undefined) void walkBy(capture, step)
  else if (event.key === 'Enter' && !sorts) patchView(capture.captureId, { showDetails: true })
  else return
  event.preventDefault()
}

interface RowProps extends ViewProps {
  readonly id: string
  readonly index: number
  readonly row: AllocationRow
  readonly look: CellLook
  readonly isSelected: boolean
}

function Row({ capture, id, index, row, look, isSelected }: RowProps) {
  return (
    <tr id={id} aria-rowindex={index + 2} className={isSelected ? 'selected' : undefined}>
      {columns.map((column) => (
        <td key={column} className={column} title={cellHint(row, column)}>
          {column === 'stack' ? (
            <button type='button' tabIndex={-1} aria-pressed={isSelected} onClick={() => selectRow(capture, index, row, true)}>
              <StackCell row={row} />
            </button>
          ) : (
            <Cell row={row} column={column} look={look} />
          )}
        </td>
      ))}
    </tr>
  )
}

/** Colour, function and place of the stack. */
function StackCell({ row }: { readonly row: AllocationRow }) {
  const tokens = useTokens()
  return (
    <>
      <span className='swatch' style={{ background: cssColor(slotColor(tokens, 'stack', row.slot) ?? [0, 0, 0]) }} />
      <strong>{allocationTitle(row)}</strong> <span className='weak'>{row.place}</span>
    </>
  )
}

const Cell = ({ row, column, look }: { readonly row: AllocationRow; readonly column: Column; readonly look: CellLook }) => (
  <>{cellText(row, column, look)}</>
)
