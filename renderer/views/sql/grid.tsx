// biome-ignore-all lint/a11y/useSemanticElements: a grid whose columns scroll to the side and whose rows come and go is laid out better without a table
// The rows: a grid of one stop for the Tab key, in which arrows move.
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type KeyboardEvent, type MouseEvent, useId, useMemo, useRef, useState } from 'react'
import type { ViewProps } from '../view.ts'
import { copyCells } from './actions.ts'
import { type CellRange, cellsIn, cellText, cellTitle, columnWidths, markdownText, numberColumns, plainText } from './cells.ts'
import { follow, leadsOf, leadText } from './leads.ts'
import type { SqlResult } from './sql-state.ts'
import { useSqlTexts } from './texts.ts'

interface GridProps extends ViewProps {
  readonly result: SqlResult
}

interface Cell {
  readonly row: number
  readonly column: number
}

/** Where the keyboard is, and from where it selects. */
interface Selection {
  readonly at: Cell
  readonly from: Cell
}

const rowPx = 24

const rangeOf = ({ at, from }: Selection): CellRange => ({
  row0: Math.min(at.row, from.row),
  row1: Math.max(at.row, from.row),
  column0: Math.min(at.column, from.column),
  column1: Math.max(at.column, from.column),
})

const contains = ({ row0, row1, column0, column1 }: CellRange, row: number, column: number): boolean =>
  row >= row0 && row <= row1 && column >= column0 && column <= column1

/** The cell that a key leads to; undefined: it moves nothing. */
function movedTo({ row, column }: Cell, { key, ctrlKey }: KeyboardEvent, last: Cell, pageRows: number): Cell | undefined {
  const moves: Readonly<Record<string, Cell>> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageDown: { row: row + pageRows, column },
    PageUp: { row: row - pageRows, column },
    Home: { row: ctrlKey ? 0 : row, column: 0 },
    End: { row: ctrlKey ? last.row : row, column: last.column },
  }
  const moved = moves[key]
  return moved && { row: Math.max(0, Math.min(moved.row, last.row)), column: Math.max(0, Math.min(moved.column, last.column)) }
}

/** The table with its head, and below it what the row in front leads to. */
export function ResultGrid({ capture, result }: GridProps) {
  const t = useSqlTexts()
  const id = useId()
  const { columns, rows } = result
  const [selection, setSelection] = useState<Selection>({ at: { row: 0, column: 0 }, from: { row: 0, column: 0 } })
  const scroller = useRef<HTMLDivElement>(null)
  const widths = useMemo(() => columnWidths(result, t), [result, t])
  const isNumbers = useMemo(() => numberColumns(result), [result])
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => rowPx, overscan: 8 })
  const items = virtual.getVirtualItems()
  const range = rangeOf(selection)
  const leads = leadsOf(capture, columns, rows[selection.at.row] ?? [])
  const moveTo = (at: Cell, extending: boolean) => {
    setSelection({ at, from: extending ? selection.from : at })
    virtual.scrollToIndex(at.row)
    document.getElementById(`${id}-h${at.column}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  const press = (cell: Cell, event: MouseEvent) => {
    // The grid keeps the focus: a cell may scroll away.
    event.preventDefault()
    scroller.current?.focus()
    moveTo(cell, event.shiftKey)
  }
  const enter = () => {
    const lead = leads.find(({ column }) => column === selection.at.column) ?? leads[0]
    if (lead) void follow(capture, lead)
  }
  const last = { row: rows.length - 1, column: columns.length - 1 }
  const modKey = (key: string, isShift: boolean): boolean => {
    if (key === 'a') setSelection({ at: last, from: { row: 0, column: 0 } })
    else if (key === 'c') void copyCells((isShift ? markdownText : plainText)(result, range, t), cellsIn(range))
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowPx) / rowPx) - 2)
    const moved = event.altKey ? undefined : movedTo(selection.at, event, last, page)
    const isMod = event.ctrlKey || event.metaKey
    if (moved) moveTo(moved, event.shiftKey)
    else if (event.key === 'Enter' && !isMod) enter()
    else if (!isMod || !modKey(event.key.toLowerCase(), event.shiftKey)) return
    event.preventDefault()
  }
  const gaps = [items[0]?.start ?? 0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0)] as const
  return (
    <>
      <div
        ref={scroller}
        className='sql-grid'
        role='grid'
        tabIndex={0}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-label={t('result.title')}
        aria-activedescendant={`${id}-${selection.at.row}-${selection.at.column}`}
        style={{ '--sql-columns': widths.map((width) => `${width}px`).join(' ') } as CSSProperties}
        onKeyDown={onKeyDown}
      >
        <GridHead id={id} columns={columns} isNumbers={isNumbers} />
        <div style={{ height: gaps[0] }} />
        {items.map(({ index }) => (
          <GridRow key={index} id={id} result={result} row={index} at={selection.at} range={range} isNumbers={isNumbers} onPress={press} />
        ))}
        <div style={{ height: gaps[1] }} />
      </div>
      <footer className='sql-leads'>
        {leads.map((lead) => (
          <button key={lead.column} type='button' className='tool-button' onClick={() => void follow(capture, lead)}>
            {leadText(lead)}
          </button>
        ))}
        <span className='weak truncate'>{t('result.copyHint')}</span>
      </footer>
    </>
  )
}

interface HeadProps {
  readonly id: string
  readonly columns: readonly string[]
  readonly isNumbers: readonly boolean[]
}

function GridHead({ id, columns, isNumbers }: HeadProps) {
  return (
    <div role='row' tabIndex={-1} className='sql-row sql-head' aria-rowindex={1}>
      {columns.map((column, at) => (
        <div
          key={column}
          id={`${id}-h${at}`}
          role='columnheader'
          tabIndex={-1}
          className={isNumbers[at] ? 'sql-cell number' : 'sql-cell'}
          title={column}
        >
          {column}
        </div>
      ))}
    </div>
  )
}

interface RowProps {
  readonly id: string
  readonly result: SqlResult
  readonly row: number
  readonly at: Cell
  readonly range: CellRange
  readonly isNumbers: readonly boolean[]
  readonly onPress: (cell: Cell, event: MouseEvent) => void
}

function GridRow({ id, result, row, at, range, isNumbers, onPress }: RowProps) {
  const t = useSqlTexts()
  return (
    <div role='row' tabIndex={-1} aria-rowindex={row + 2} className={row === at.row ? 'sql-row selected' : 'sql-row'}>
      {result.columns.map((name, column) => {
        const cell = result.rows[row]?.[column] ?? null
        const isActive = row === at.row && column === at.column
        const classes = ['sql-cell', isNumbers[column] && 'number', cell === null && 'null', isActive && 'active']
        return (
          <div
            key={name}
            id={`${id}-${row}-${column}`}
            role='gridcell'
            tabIndex={-1}
            aria-selected={contains(range, row, column)}
            className={classes.filter(Boolean).join(' ')}
            title={cellTitle(cell, name, t)}
            onMouseDown={(event) => onPress({ row, column }, event)}
          >
            {cellText(cell, t)}
          </div>
        )
      })}
    </div>
  )
}
