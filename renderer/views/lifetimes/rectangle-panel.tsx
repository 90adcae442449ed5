// The selected rectangle: what lies in it, as numbers, list and stack.
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { exactBytes, formatBytes, formatCount, formatTime, unknownValue } from '../../i18n/format.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { ShowIn } from '../../panels/show-in.tsx'
import { StackFrames } from '../../panels/stack-frames.tsx'
import { endsOf } from '../../plot/scales.ts'
import { temporaryEvents } from '../../state/filter.ts'
import { useDevice, usePacedView, useView } from '../../state/use-view.ts'
import { patchView } from '../../state/view-state.ts'
import { selectedBand, spaceNow } from './assemble.ts'
import { questionOf, saveList } from './csv.ts'
import { lifetimesData, setSort } from './lifetimes-data.ts'
import { AreaCell, BytesCell, FunctionCell } from './list-cells.tsx'
import type { ListPages, ListQuestion } from './list-rows.ts'
import { type ListColumn, ListTable, listedWords } from './list-table.tsx'
import { insideHistory } from './model-input.ts'
import { type LifeLook, lifeText, ownLifeText } from './own-life.ts'
import { rowWords } from './row-labels.ts'
import { stretchWords } from './stretch-words.ts'
import type { Translate } from './texts.ts'
import { useLifetimes, usePacedLifetimes, useTexts } from './use-lifetimes.ts'
import { byAddress, rowAt } from './y-axis.ts'

interface CaptureProps {
  readonly capture: CaptureSummary
}

/** What the drawer shows of a rectangle. */
export function RectanglePanel({ capture }: CaptureProps) {
  const t = useTexts()
  const { captureId } = capture
  const [first, setFirst] = useState<number>()
  const selected = useView(captureId, (view) => view.selectedAllocation)
  const question = useQuestion(capture)
  const device = useDevice(capture)
  const axis = question?.place.axis ?? 'event'
  const select = (allocationId: number) => patchView(captureId, { selectedAllocation: allocationId })
  if (!device) return null
  return (
    <section className='rectangle-panel' aria-label={t('rectangle.title')}>
      <ListTable
        capture={capture}
        label={t('rectangle.list')}
        columns={columnsOf({ axis, device }, t)}
        question={question}
        onSort={(sort) => setSort(captureId, 'rectangle', sort)}
        onSelect={(row) => select(row.allocationId)}
        head={(pages) => <Head capture={capture} pages={pages} question={question} onFirst={setFirst} />}
      />
      <RectangleStack capture={capture} allocationId={selected ?? first} isFirst={selected === undefined} />
      <ShowIn capture={capture} />
    </section>
  )
}

/** The rectangle as a question; asked anew when what it depends on changes. */
function useQuestion(capture: CaptureSummary): ListQuestion | undefined {
  const { captureId } = capture
  useView(captureId, (view) => view.selectedRange)
  useView(captureId, (view) => view.filter)
  useLifetimes(captureId, (data) => data.band)
  useLifetimes(captureId, (data) => data.space)
  useLifetimes(captureId, (data) => data.order)
  useLifetimes(captureId, (data) => data.sorts.rectangle)
  return questionOf(capture, 'rectangle')
}

function columnsOf(look: LifeLook, t: Translate): ListColumn[] {
  const { axis } = look
  return [
    {
      key: 'function',
      title: t('table.stack'),
      className: 'wide',
      cell: (row) => <FunctionCell row={row} />,
      second: { title: t('rectangle.line'), cell: (row) => row.place },
    },
    {
      key: 'size',
      title: t('table.size'),
      sort: 'size',
      cell: (row) => <BytesCell bytes={row.sizeBytes} />,
      second: {
        title: t(`table.area.${axis}`),
        hint: t('rectangle.areaHint'),
        sort: 'area',
        cell: (row) => <AreaCell row={row} axis={axis} />,
      },
    },
    {
      key: 'life',
      title: t(`table.life.${axis}`),
      hint: t('table.lifeHint'),
      cell: (row) => ownLifeText(row, look),
      second: {
        title: t('rectangle.inSelection'),
        hint: t(`rectangle.inSelectionHint.${axis}`),
        sort: 'life',
        cell: (row) => lifeText(row.life, axis),
      },
    },
  ]
}

interface HeadProps extends CaptureProps {
  readonly pages: ListPages
  readonly question: ListQuestion | undefined
  readonly onFirst: (allocationId: number | undefined) => void
}

function Head({ capture, pages, question, onFirst }: HeadProps) {
  const t = useTexts()
  const { totals, isPending, failure, rows } = pages
  const first = rows.get(0)?.allocationId
  useEffect(() => onFirst(first), [first, onFirst])
  const clear = () => {
    lifetimesData(capture.captureId).setState({ band: undefined })
    patchView(capture.captureId, { selectedRange: undefined })
  }
  return (
    <>
      <header className='panel-head rectangle-head'>
        <h2>{t('rectangle.title')}</h2>
        <button type='button' className='icon-button' aria-label={panelText('clearRange')} title={panelText('clearRange')} onClick={clear}>
          <X aria-hidden='true' size={14} />
        </button>
      </header>
      {failure && <p role='alert'>{failureSentence(failure)}</p>}
      {totals && (
        <div className={`rectangle-facts ${isPending ? 'pending' : ''}`}>
          <p className='rectangle-count'>
            <span className='details-size'>{formatCount(totals.count)}</span>{' '}
            <span className='weak' title={exactBytes(totals.bytes)}>
              {t('rectangle.total', { count: totals.count, bytes: formatBytes(totals.bytes) })}
              {listedWords(totals.count, t)}
            </span>
          </p>
          <dl>
            <Extent capture={capture} />
            <Fact label={t('rectangle.mean')} title={exactBytes(Math.round(totals.meanBytes))}>
              {formatBytes(totals.meanBytes)}
            </Fact>
            <Fact
              label={t('rectangle.temporary', { events: temporaryEvents })}
              hint={t('rectangle.temporaryHint', { events: temporaryEvents })}
            >
              {formatCount(totals.temporary)}
            </Fact>
            <Fact label={t('rectangle.neverFreed')}>{formatCount(totals.neverFreed)}</Fact>
          </dl>
        </div>
      )}
      <div className='panel-head rectangle-list-head'>
        <h3>{t(`rectangle.by.${question?.sort ?? 'area'}`)}</h3>
        <button type='button' className='link-button' onClick={() => void saveList(capture, question)}>
          {t('rectangle.csv')}
        </button>
      </div>
    </>
  )
}

interface FactProps {
  readonly label: string
  readonly hint?: string // what the label means
  readonly title?: string // the value, exactly
  readonly children: ReactNode
}

function Fact({ label, hint, title, children }: FactProps) {
  return (
    <div className='row' title={hint}>
      <dt>{label}</dt>
      <dd title={title}>{children}</dd>
    </div>
  )
}

/** Where the rectangle lies on both axes. */
function Extent({ capture }: CaptureProps) {
  const t = useTexts()
  const { captureId } = capture
  const selected = useView(captureId, (view) => view.selectedRange)
  const axis = useView(captureId, (view) => view.axis)
  const device = useDevice(capture)
  const words = useBandWords(capture)
  if (!selected || !axis || !device) return null
  const range = insideHistory(selected, { axis, device })
  const [first, last] = endsOf(device.eventCount, range)
  return (
    <>
      <Fact label={axis === 'time' ? panelText('timeRange') : panelText('eventsRange')}>
        {axis === 'time' ? `${formatTime(range.x0)} – ${formatTime(range.x1)}` : `${formatCount(first)} – ${formatCount(last)}`}
      </Fact>
      <Fact label={words.label}>
        <span className={words.isMono ? 'mono' : undefined}>{words.text ?? t('rectangle.allRows')}</span>
      </Fact>
    </>
  )
}

function useBandWords(capture: CaptureSummary): { readonly label: string; readonly text: string | undefined; readonly isMono: boolean } {
  const t = useTexts()
  const { captureId } = capture
  const data = usePacedLifetimes(captureId)
  const view = usePacedView(captureId)
  const space = view && spaceNow(view, data)
  const band = view && selectedBand(view, data)
  const label = t(byAddress(data.order) ? 'rectangle.addresses' : `order.${data.order}`)
  if (!band || !space) return { label, text: undefined, isMono: false }
  if (data.order === 'allocation')
    return { label, text: `${formatCount(Math.floor(band.y0))} – ${formatCount(Math.floor(band.y1))}`, isMono: false }
  if (byAddress(data.order)) return { label, text: stretchWords(space.data.rows, band, t), isMono: true }
  const [from, to] = [rowAt(space.data.rows, band.y0), rowAt(space.data.rows, Math.min(band.y1, space.data.y1 * (1 - 1e-12)))]
  return { label, text: [from, to].map((row) => (row ? rowWords(row, data.order, t)[0] : unknownValue)).join(' … '), isMono: false }
}

interface RectangleStackProps extends CaptureProps {
  readonly allocationId: number | undefined
  readonly isFirst: boolean
}

/** The stack of the selected row, else of the first. */
function RectangleStack({ capture, allocationId, isFirst }: RectangleStackProps) {
  const t = useTexts()
  const [details, setDetails] = useState<AllocationDetails>()
  useEffect(() => {
    if (allocationId === undefined) return
    void engine.latest('lifetimes.stack', 'allocation.details', { captureId: capture.captureId, allocationId }).then((answer) => {
      if (answer.ok) setDetails(answer.value)
    })
  }, [capture, allocationId])
  if (!details || allocationId === undefined) return null
  return (
    <section className={`panel-section rectangle-stack ${details.allocationId === allocationId ? '' : 'pending'}`}>
      <div className='panel-head'>
        <h3>{t(isFirst ? 'rectangle.stackOfFirst' : 'rectangle.stackOfSelected')}</h3>
        <span>{panelText('details.innermostFirst')}</span>
      </div>
      <StackFrames key={details.allocationId} frames={details.frames} />
    </section>
  )
}
