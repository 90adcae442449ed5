// The table twin: the segments of the moment shown, or the blocks of the selected one.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { Failure } from '../../../preload/contract/errors.ts'
import { runCommand } from '../../commands/registry.ts'
import { exactBytes, formatAddress, formatBytes, formatCount } from '../../i18n/format.ts'
import { Switch } from '../../panels/chooser.tsx'
import { SortHead } from '../../panels/sort-head.tsx'
import { stackTitle } from '../../plot/legend.ts'
import { useView } from '../../state/use-view.ts'
import { patchView } from '../../state/view-state.ts'
import type { ViewProps } from '../view.ts'
import { showSegment, zoomToBlock } from './actions.ts'
import { blocksData, type Picture, useBlocksData } from './blocks-data.ts'
import { patchBlocks, useBlocksState } from './blocks-state.ts'
import { askBlocksOf } from './questions.ts'
import { type BlockRow, blockColumns, segmentCell, segmentColumns, sortBlocks, sortSegments, stateNames } from './table-rows.ts'
import { useBlocksTexts } from './texts.ts'

const rowPx = 24

/** The grid with its head. */
export function BlocksTable({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const { captureId } = capture
  const picture = useBlocksData(captureId, (data) => data.picture)
  const tableOf = useBlocksState(captureId, (state) => state.tableOf)
  if (!picture) return null
  return (
    <section className='blocks-table' aria-label={t('table.title')} data-testid='blocks-table'>
      <header className='blocks-table-head'>
        <Switch
          label={t('table.of')}
          value={tableOf}
          options={(['segments', 'blocks'] as const).map((value) => ({ value, label: t(`table.${value}`) }))}
          onChoose={(value) => patchBlocks(captureId, { tableOf: value })}
        />
        <span className='spacer' />
        <button type='button' className='tool-button' onClick={() => runCommand('file.exportCsv')}>
          {t(tableOf === 'segments' ? 'table.csv' : 'table.csvBlocks')}
        </button>
        <button type='button' className='tool-button' onClick={() => patchView(captureId, { showTable: false })}>
          {t('table.close')}
        </button>
      </header>
      {tableOf === 'segments' ? <SegmentTable capture={capture} picture={picture} /> : <BlockTable capture={capture} picture={picture} />}
    </section>
  )
}

interface TableProps extends ViewProps {
  readonly picture: Picture
}

function useRows(count: number) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({ count, getScrollElement: () => scroller.current, estimateSize: () => rowPx, overscan: 8 })
  const items = virtual.getVirtualItems()
  return { scroller, items, above: items[0]?.start ?? 0, below: virtual.getTotalSize() - (items.at(-1)?.end ?? 0) }
}

/** Stands for the rows above or below those in sight. */
function Gap({ heightPx, columns }: { readonly heightPx: number; readonly columns: number }) {
  if (heightPx <= 0) return null
  return (
    <tr>
      <td colSpan={columns} style={{ height: heightPx }} />
    </tr>
  )
}

function SegmentTable({ capture, picture }: TableProps) {
  const t = useBlocksTexts()
  const { segments } = picture
  const sort = useBlocksState(capture.captureId, (state) => state.segmentSort)
  const selected = useBlocksState(capture.captureId, (state) => state.segment)
  const order = useMemo(() => sortSegments(segments, sort), [segments, sort])
  const { scroller, items, above, below } = useRows(order.length)
  return (
    <div ref={scroller} className='blocks-table-rows'>
      <table className='data-table' aria-rowcount={order.length + 1} aria-label={t('table.segments')}>
        <SortHead
          columns={segmentColumns}
          title={(column) => t(`column.${column}`)}
          order={sort}
          ascendingFirst={['address', 'stream', 'pool']}
          onOrder={(segmentSort) => patchBlocks(capture.captureId, { segmentSort })}
        />
        <tbody>
          <Gap heightPx={above} columns={segmentColumns.length} />
          {items.map((item) => {
            const index = order[item.index] ?? 0
            const address = segments.addresses[index] ?? ''
            return (
              <tr key={address} aria-rowindex={item.index + 2} className={address === selected ? 'selected' : undefined}>
                {segmentColumns.map((column) =>
                  column === 'address' ? (
                    <th key={column} scope='row' className='mono'>
                      <button
                        type='button'
                        className='jump plain'
                        aria-pressed={address === selected}
                        onClick={() => showSegment(capture, address)}
                      >
                        {segmentCell(segments, index, column)}
                      </button>
                    </th>
                  ) : (
                    <td key={column} title={column === 'pool' ? segments.pools[index] : undefined}>
                      {segmentCell(segments, index, column)}
                    </td>
                  ),
                )}
              </tr>
            )
          })}
          <Gap heightPx={below} columns={segmentColumns.length} />
        </tbody>
      </table>
    </div>
  )
}

interface SegmentBlocks {
  readonly device: number
  readonly event: number
  readonly address: string // of the segment
  readonly rows: readonly BlockRow[] | undefined // undefined: more than one answer holds
}

/** Keeps the failure of the table's question among those of the map; undefined takes it away. */
function keepFailure(captureId: string, error: Failure | undefined): void {
  const store = blocksData(captureId)
  if (error) store.setState({ failure: { question: 'table', error } })
  else if (store.getState().failure?.question === 'table') store.setState({ failure: undefined })
}

/** The blocks of one segment of the picture; those of an earlier event, pending, until the answer is there. */
function useSegmentBlocks({ captureId }: CaptureSummary, picture: Picture, segment: number) {
  const [found, setFound] = useState<SegmentBlocks>()
  const { device, event, order, segments } = picture
  const address = segments.addresses[segment] ?? ''
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    void askBlocksOf(captureId, { device, event, order, segments }, segment, { signal }).then((answer) => {
      if (signal.aborted) return
      keepFailure(captureId, answer.ok ? undefined : answer.error)
      setFound(answer.ok ? { device, event, address, rows: answer.value } : undefined)
    })
    return () => {
      abort.abort()
      keepFailure(captureId, undefined)
    }
  }, [captureId, device, event, order, segments, segment, address])
  const isOfSegment = found?.device === device && found.address === address
  return { found: isOfSegment ? found : undefined, isPending: isOfSegment && found.event !== event }
}

function BlockTable({ capture, picture }: TableProps) {
  const t = useBlocksTexts()
  const selected = useBlocksState(capture.captureId, (state) => state.segment)
  const allocation = useView(capture.captureId, (view) => view.selectedAllocation)
  const segment = Math.max(0, picture.segments.addresses.indexOf(selected ?? ''))
  const { found, isPending } = useSegmentBlocks(capture, picture, segment)
  const sort = useBlocksState(capture.captureId, (state) => state.blockSort)
  const unsorted = found?.rows
  const rows = useMemo(() => sortBlocks(unsorted ?? [], sort), [unsorted, sort])
  const { scroller, items, above, below } = useRows(rows.length)
  const address = formatAddress(picture.segments.addresses[segment] ?? '')
  const choose = (row: BlockRow) => {
    if (row.allocation >= 0) patchView(capture.captureId, { selectedAllocation: row.allocation, showDetails: true })
    else zoomToBlock(capture, { address: row.address, sizeBytes: row.bytes })
  }
  if (found && !found.rows) {
    const formatted = formatCount(picture.segments.blockCount[segment] ?? 0)
    return <p className='blocks-note'>{t('table.tooMany', { formatted, segment: address })}</p>
  }
  return (
    <div ref={scroller} className={isPending ? 'blocks-table-rows pending' : 'blocks-table-rows'}>
      <table className='data-table blocks-of-segment' aria-rowcount={rows.length + 1}>
        <caption>{t('table.blocksOf', { segment: address })}</caption>
        <SortHead
          columns={blockColumns}
          title={(column) => t(`column.${column}`)}
          order={sort}
          ascendingFirst={blockColumns.filter((column) => column !== 'size' && column !== 'requested')}
          onOrder={(blockSort) => patchBlocks(capture.captureId, { blockSort })}
        />
        <tbody>
          <Gap heightPx={above} columns={blockColumns.length} />
          {items.map((item) => {
            const row = rows[item.index]
            if (!row) return null
            const isSelected = row.allocation >= 0 && row.allocation === allocation
            return (
              <tr key={row.address} aria-rowindex={item.index + 2} className={isSelected ? 'selected' : undefined}>
                <th scope='row' className='mono'>
                  <button type='button' className='jump plain' aria-pressed={isSelected} onClick={() => choose(row)}>
                    {formatAddress(row.address)}
                  </button>
                </th>
                <td title={exactBytes(row.bytes)}>{formatBytes(row.bytes)}</td>
                <td>{row.state === 0 ? '—' : formatBytes(row.requested)}</td>
                <td>{t(`states.${stateNames[row.state] ?? 'inactive'}`)}</td>
                <td className='blocks-stack'>{row.state === 0 ? '' : stackTitle(row.title)}</td>
              </tr>
            )
          })}
          <Gap heightPx={below} columns={blockColumns.length} />
        </tbody>
      </table>
    </div>
  )
}
