// The table twin: the curves at their key moments, the histogram, and pools, as exact numbers; what it shows is what CSV saves.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { runCommand } from '../../commands/registry.ts'
import { counted, exactBytes, formatBytes, formatCount, formatShare, formatTime, unknownValue } from '../../i18n/format.ts'
import { Switch } from '../../panels/chooser.tsx'
import { SortHead } from '../../panels/sort-head.tsx'
import { cachedOf, type Measures } from '../../space/measures.ts'
import { goToEvent } from '../../state/go-to.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import { patchView } from '../../state/view-state.ts'
import type { ViewProps } from '../view.ts'
import { barsOf } from './assemble.ts'
import { fragmentationData, type Twin, twins, useFragmentation } from './fragmentation-data.ts'
import { GroupTable } from './group-table.tsx'
import {
  failuresLeftOut,
  keyMoments,
  type MomentColumn,
  type MomentRow,
  momentColumns,
  momentHeads,
  momentValue,
  sortMoments,
} from './moments.ts'
import { sizeColumns, sortSizes } from './size-bars.ts'
import { useFragmentationTexts } from './texts.ts'
import { useReport } from './use-report.ts'

const rowPx = 24

/** The chooser and the chosen table. */
export function TableTwin({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  const twin = useFragmentation(capture.captureId, (data) => data.twin)
  const section = useRef<HTMLElement>(null)
  // In a low window the table may lie below what is in sight.
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [])
  const choose = (each: Twin) => fragmentationData(capture.captureId).setState({ twin: each })
  return (
    <section ref={section} className='frag-twin' aria-label={t('table.title')}>
      <header className='frag-head'>
        <Switch
          label={t('table.choose')}
          value={twin}
          options={twins.map((each) => ({ value: each, label: t(`table.${each}`) }))}
          onChoose={choose}
        />
        <span className='spacer' />
        <button type='button' className='tool-button' onClick={() => runCommand('file.exportCsv')}>
          {t('table.csv')}
        </button>
        <button type='button' className='tool-button' onClick={() => patchView(capture.captureId, { showTable: false })}>
          {t('table.close')}
        </button>
      </header>
      {twin === 'moments' && <MomentTable capture={capture} />}
      {twin === 'sizes' && <SizeTable capture={capture} />}
      {twin === 'groups' && <GroupTable capture={capture} />}
    </section>
  )
}

/** A number of a column as text, and with all digits. */
function momentCell(measures: Measures, column: MomentColumn): readonly [string, string] {
  const value = momentValue(measures, column)
  if (column === 'external') {
    const text = formatShare(value, cachedOf(measures) > 0 ? 1 : 0)
    return [text, text]
  }
  return column === 'freeBlocks' ? [formatCount(value), formatCount(value)] : [formatBytes(value), exactBytes(value)]
}

function MomentTable({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  const device = useDevice(capture)
  const cursorEvent = useView(capture.captureId, (view) => view.cursorEvent)
  const fixed = useFragmentation(capture.captureId, (data) => data.moments)
  const atCursor = useFragmentation(capture.captureId, (data) => data.cursorMoment)
  const scroller = useRef<HTMLDivElement>(null)
  const order = useFragmentation(capture.captureId, (data) => data.momentOrder)
  const moments = device ? keyMoments(device, cursorEvent) : []
  const known = [fixed, atCursor].flatMap((answer) => (answer && answer.device === device?.device ? answer.rows : []))
  const rows = sortMoments(moments, known, order)
  const isPending = rows.some(({ measures }) => measures === undefined)
  const leftOut = device ? failuresLeftOut(device) : 0
  const virtual = useVirtualizer({
    count: moments.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const end = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div ref={scroller} className='frag-scroll frag-rows'>
      <table
        className='data-table frag-table moments'
        aria-rowcount={moments.length + 1}
        aria-label={t('table.moments')}
        data-testid='fragmentation-moments'
      >
        <SortHead
          columns={momentHeads}
          title={(column) => t(`column.${column}`)}
          order={order}
          ascendingFirst={['moment', 'event', 'time']}
          onOrder={(momentOrder) => fragmentationData(capture.captureId).setState({ momentOrder })}
        />
        <tbody className={isPending ? 'pending' : undefined}>
          <Gap heightPx={items[0]?.start ?? 0} />
          {items.map(({ index }) => {
            const row = rows[index]
            return row && <MomentLine key={`${row.moment.kind} ${row.moment.event}`} capture={capture} row={row} index={index} />
          })}
          <Gap heightPx={end} />
        </tbody>
      </table>
      {leftOut > 0 && <p className='frag-note'>{t('moment.leftOut', counted(leftOut))}</p>}
    </div>
  )
}

/** Stands for the rows above or below those in sight. */
function Gap({ heightPx }: { readonly heightPx: number }) {
  if (heightPx <= 0) return null
  return (
    <tr>
      <td colSpan={momentHeads.length} style={{ height: heightPx }} />
    </tr>
  )
}

interface MomentProps extends ViewProps {
  readonly row: MomentRow
  readonly index: number
}

function MomentLine({ capture, row: { moment, measures }, index }: MomentProps) {
  const { kind, event } = moment
  const t = useFragmentationTexts()
  return (
    <tr aria-rowindex={index + 2}>
      <th scope='row' className={kind === 'oom' ? 'bad' : undefined}>
        {t(`moment.${kind}`)}
      </th>
      <td>
        {event < 0 ? (
          unknownValue
        ) : (
          <button type='button' className='jump' title={t('moment.show')} onClick={() => void goToEvent(capture.captureId, event)}>
            {formatCount(event)}
          </button>
        )}
      </td>
      <td>{measures && !Number.isNaN(measures.timeNs) ? formatTime(measures.timeNs) : unknownValue}</td>
      {momentColumns.map((column) => {
        const [text, exact] = measures ? momentCell(measures, column) : [unknownValue, undefined]
        return (
          <td key={column} title={exact}>
            {text}
          </td>
        )
      })}
    </tr>
  )
}

function SizeTable({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  const { report, isPending } = useReport(capture)
  const order = useFragmentation(capture.captureId, (data) => data.sizeOrder)
  const bars = report ? sortSizes(barsOf(report), order) : []
  return (
    <div className='frag-scroll frag-rows'>
      <table className='data-table frag-table sizes' aria-label={t('table.sizes')} data-testid='fragmentation-size-table'>
        <SortHead
          columns={sizeColumns}
          title={(column) => t(`column.${column}`)}
          order={order}
          ascendingFirst={['sizes']}
          onOrder={(sizeOrder) => fragmentationData(capture.captureId).setState({ sizeOrder })}
        />
        <tbody className={isPending ? 'pending' : undefined}>
          {bars.map(({ step, fromBytes, toBytes, requests, free }) => (
            <tr key={step}>
              <th scope='row' title={`${exactBytes(fromBytes)} – ${exactBytes(toBytes)}`}>
                {t('sizes.range', { from: formatBytes(fromBytes), to: formatBytes(toBytes) })}
              </th>
              <td>{formatCount(requests.count)}</td>
              <td title={exactBytes(requests.bytes)}>{formatBytes(requests.bytes)}</td>
              <td>{formatCount(free.count)}</td>
              <td title={exactBytes(free.bytes)}>{formatBytes(free.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
