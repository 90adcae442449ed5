// The table twin: what is alive at the cursor (or the peak), sorted by the engine, any number of rows.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { AllocationRow, liveSortSchema } from '../../../preload/contract/queries.ts'
import { runCommand } from '../../commands/registry.ts'
import { engine } from '../../data/engine-client.ts'
import { counted, exactBytes, formatBytes, formatCount } from '../../i18n/format.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { AllocationFlag } from '../../panels/note-flag.tsx'
import { allocationTitle, streamTitle } from '../../plot/legend.ts'
import { askFilter, isFiltering } from '../../state/filter.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import { patchView } from '../../state/view-state.ts'
import { cssColor, slotColor } from '../../theme/palette.ts'
import { useTokens } from '../../theme/theme.ts'
import type { TimelineKey } from './texts.ts'
import { timelineData } from './timeline-data.ts'
import { useTexts } from './use-timeline.ts'

type Sort = z.output<typeof liveSortSchema>
interface Order {
  readonly sort: Sort
  readonly descending: boolean
}

const rowPx = 24
const pageRows = 200
const columns: readonly (readonly [sort: Sort, key: TimelineKey])[] = [
  ['title', 'table.stack'],
  ['sizeBytes', 'table.size'],
  ['requestedBytes', 'table.requested'],
  ['allocEvent', 'table.allocEvent'],
  ['address', 'table.address'],
]

interface Pages {
  readonly key: string // order, event and filter they belong to
  readonly total: number // passing the filter
  readonly totalBytes: number
  readonly aliveCount: number
  readonly aliveBytes: number
  readonly rows: ReadonlyMap<number, AllocationRow>
}

const nothing: Pages = { key: '', total: 0, totalBytes: 0, aliveCount: 0, aliveBytes: 0, rows: new Map() }

interface LiveQuestion extends Order {
  readonly captureId: string
  readonly device: number
  readonly event: number
}

/** One page of those that pass the filter as it is now. */
async function askPage(question: LiveQuestion, page: number) {
  const filter = await askFilter(question.captureId)
  if (!filter.ok) return filter
  return engine.call('allocation.live', { ...question, filter: filter.value, offset: page * pageRows, limit: pageRows })
}

/** Rows around the ones in sight, page by page; a new order, event or filter starts afresh. */
function useLiveRows(question: LiveQuestion, first: number): Pages & { readonly isPending: boolean } {
  const [pages, setPages] = useState<Pages>(nothing)
  const { captureId, device, event, sort, descending } = question
  const filter = useView(captureId, (view) => view.filter)
  const key = JSON.stringify([captureId, device, event, sort, descending, filter])
  const current = useRef({ key: '', asked: new Set<number>() })
  const page = Math.floor(first / pageRows)
  useEffect(() => {
    if (current.current.key !== key) current.current = { key, asked: new Set() }
    const { asked } = current.current
    for (const each of [page, page + 1]) {
      if (asked.has(each)) continue
      asked.add(each)
      void askPage({ captureId, device, event, sort, descending }, each).then((answer) => {
        if (current.current.key !== key) return
        if (!answer.ok) {
          timelineData(captureId).setState({ failure: { question: 'live', error: answer.error } })
          return
        }
        const { rows, ...totals } = answer.value
        setPages((old) => {
          const kept = new Map(old.key === key ? old.rows : [])
          for (const [index, row] of rows.entries()) kept.set(each * pageRows + index, row)
          return { key, ...totals, rows: kept }
        })
      })
    }
  }, [key, page, captureId, device, event, sort, descending])
  return { ...pages, isPending: pages.key !== key }
}

/** The grid with its head. */
export function LiveTable({ capture }: { readonly capture: CaptureSummary }) {
  const t = useTexts()
  const device = useDevice(capture)
  const cursorEvent = useView(capture.captureId, (view) => view.cursorEvent)
  const isFiltered = useView(capture.captureId, (view) => isFiltering(view.filter))
  const event = cursorEvent ?? device?.peakEvent ?? -1
  const [order, setOrder] = useState<Order>({ sort: 'sizeBytes', descending: true })
  const scroller = useRef<HTMLDivElement>(null)
  const [first, setFirst] = useState(0)
  const pages = useLiveRows({ captureId: capture.captureId, device: device?.device ?? 0, event, ...order }, first)
  const virtual = useVirtualizer({
    count: pages.total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    onChange: (instance) => setFirst(instance.range?.startIndex ?? 0),
  })
  const items = virtual.getVirtualItems()
  return (
    <section className='timeline-live' aria-label={t('table.title')}>
      <header className='timeline-live-head'>
        <span className='t1'>{cursorEvent === undefined ? t('table.aliveAtPeak') : t('table.aliveAt', { event: formatCount(event) })}</span>
        <span className={pages.isPending ? 'weak pending' : 'weak'}>
          {t(isFiltered ? 'table.passing' : 'table.total', {
            ...counted(pages.total),
            bytes: formatBytes(pages.totalBytes),
            all: formatCount(pages.aliveCount),
            allBytes: formatBytes(pages.aliveBytes),
          })}
        </span>
        <span className='spacer' />
        <button type='button' className='tool-button' onClick={() => runCommand('file.exportCsv')}>
          {t('table.csv')}
        </button>
        <button type='button' className='tool-button' onClick={() => patchView(capture.captureId, { showTable: false })}>
          {t('table.close')}
        </button>
      </header>
      <div ref={scroller} className='timeline-live-rows'>
        <table className='data-table live selectable' aria-rowcount={pages.total + 1} aria-label={t('table.title')}>
          <HeadRow order={order} onOrder={setOrder} />
          <tbody className={pages.isPending ? 'pending' : undefined}>
            <Gap heightPx={items[0]?.start ?? 0} />
            {items.map((item) => (
              <LiveRow key={item.key} capture={capture} row={pages.rows.get(item.index)} index={item.index} />
            ))}
            <Gap heightPx={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** Stands for the rows above or below those in sight. */
function Gap({ heightPx }: { readonly heightPx: number }) {
  if (heightPx <= 0) return null
  return (
    <tr>
      <td colSpan={columns.length + 1} style={{ height: heightPx }} />
    </tr>
  )
}

function HeadRow({ order, onOrder }: { readonly order: Order; readonly onOrder: (order: Order) => void }) {
  const t = useTexts()
  const choose = (sort: Sort) =>
    onOrder({ sort, descending: order.sort === sort ? !order.descending : sort !== 'title' && sort !== 'address' })
  return (
    <thead>
      <tr>
        {columns.map(([sort, key]) => {
          const isChosen = order.sort === sort
          const direction = order.descending ? 'descending' : 'ascending'
          return (
            <th key={sort} scope='col' aria-sort={isChosen ? direction : 'none'}>
              <button type='button' onClick={() => choose(sort)}>
                {t(key)} {isChosen ? (order.descending ? '▾' : '▴') : ''}
              </button>
            </th>
          )
        })}
        <th scope='col'>{t('table.stream')}</th>
      </tr>
    </thead>
  )
}

interface LiveRowProps {
  readonly capture: CaptureSummary
  readonly row: AllocationRow | undefined
  readonly index: number
}

function LiveRow({ capture, row, index }: LiveRowProps) {
  const tokens = useTokens()
  const selected = useView(capture.captureId, (view) => view.selectedAllocation)
  if (!row) {
    return (
      <tr aria-rowindex={index + 2}>
        <td colSpan={columns.length + 1} />
      </tr>
    )
  }
  const isSelected = selected === row.allocationId
  const select = () => patchView(capture.captureId, { selectedAllocation: row.allocationId, showDetails: true })
  const color = cssColor(slotColor(tokens, 'stack', row.slot) ?? [0, 0, 0])
  return (
    <tr aria-rowindex={index + 2} className={isSelected ? 'selected' : undefined}>
      <td className='stack-cell'>
        <button type='button' aria-pressed={isSelected} onClick={select}>
          <span className='swatch' style={{ background: color }} />
          <strong>{allocationTitle(row)}</strong> <span className='weak'>{row.place}</span>
        </button>
        <AllocationFlag captureId={capture.captureId} allocationId={row.allocationId} />
      </td>
      <td title={exactBytes(row.sizeBytes)}>{formatBytes(row.sizeBytes)}</td>
      <td title={exactBytes(row.requestedBytes)}>{formatBytes(row.requestedBytes)}</td>
      <td title={row.allocEvent === null ? panelText('details.beforeFirst') : undefined}>
        {row.allocEvent === null ? panelText('beforeHistory') : formatCount(row.allocEvent)}
      </td>
      <td className='mono'>{row.address}</td>
      <td>{streamTitle(row.stream)}</td>
    </tr>
  )
}
