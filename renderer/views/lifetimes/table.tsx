// The table twin: the allocations in sight, those with most bytes × life first.
import { useEffect, useState } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { later } from '../../data/later.ts'
import { counted, formatBytes, formatCount } from '../../i18n/format.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { useDevice, usePacedView } from '../../state/use-view.ts'
import { patchView } from '../../state/view-state.ts'
import { select } from './actions.ts'
import { questionOf, saveList } from './csv.ts'
import { setSort } from './lifetimes-data.ts'
import { AreaCell, BytesCell, StackCell } from './list-cells.tsx'
import type { ListPages, ListQuestion } from './list-rows.ts'
import { type ListColumn, ListTable, listedWords } from './list-table.tsx'
import { type LifeLook, lifeText, ownLifeText } from './own-life.ts'
import type { Translate } from './texts.ts'
import { usePacedLifetimes, useTexts } from './use-lifetimes.ts'

const restMs = 200

interface CaptureProps {
  readonly capture: CaptureSummary
}

/** What is in sight, once the view rests. */
function useRestingQuestion(capture: CaptureSummary): ListQuestion | undefined {
  const view = usePacedView(capture.captureId)
  const data = usePacedLifetimes(capture.captureId)
  const [question, setQuestion] = useState<ListQuestion>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew when what is in sight changes
  useEffect(
    () => later(restMs, () => setQuestion(questionOf(capture, 'sight'))),
    [capture, data.sorts.sight, view?.visible, view?.filter, view?.axis, view?.device, data.order, data.shownY, data.space],
  )
  return question
}

function columnsOf(look: LifeLook, t: Translate): ListColumn[] {
  const { axis } = look
  return [
    { key: 'stack', title: t('table.stack'), className: 'stack-cell', cell: (row) => <StackCell row={row} /> },
    { key: 'size', title: t('table.size'), sort: 'size', cell: (row) => <BytesCell bytes={row.sizeBytes} /> },
    {
      key: 'life',
      className: 'life',
      title: t(`table.life.${axis}`),
      hint: t('table.lifeHint'),
      cell: (row) => ownLifeText(row, look),
    },
    {
      key: 'inSight',
      className: 'life',
      title: t(`table.lifeInSight.${axis}`),
      hint: t('table.lifeInSightHint'),
      sort: 'life',
      cell: (row) => lifeText(row.life, axis),
    },
    {
      key: 'area',
      className: 'area',
      title: t(`table.area.${axis}`),
      hint: t('table.areaHint'),
      sort: 'area',
      cell: (row) => <AreaCell row={row} axis={axis} />,
    },
    {
      key: 'allocated',
      title: t('table.allocEvent'),
      cell: (row) => (row.allocEvent === null ? panelText('beforeHistory') : formatCount(row.allocEvent)),
    },
    {
      key: 'freed',
      title: t('table.freeEvent'),
      cell: (row) => (row.freeRequestedEvent === null ? t('never') : formatCount(row.freeRequestedEvent)),
    },
    { key: 'address', title: panelText('details.address'), className: 'mono wide', cell: (row) => row.address },
  ]
}

/** The grid with its head. */
export function LifetimesTable({ capture }: CaptureProps) {
  const t = useTexts()
  const question = useRestingQuestion(capture)
  const device = useDevice(capture)
  const axis = question?.place.axis ?? 'event'
  if (!device) return null
  const head = ({ totals, isPending, failure }: ListPages) => (
    <>
      {failure && <p role='alert'>{failureSentence(failure)}</p>}
      <header className='lifetimes-table-head'>
        <span className='t1'>{t('table.inSight')}</span>
        {totals && (
          <span className={isPending ? 'weak pending' : 'weak'}>
            {t('table.total', { ...counted(totals.count), bytes: formatBytes(totals.bytes) })}
            {listedWords(totals.count, t)}
          </span>
        )}
        <span className='spacer' />
        <button type='button' className='tool-button' onClick={() => void saveList(capture, question)}>
          {t('table.csv')}
        </button>
        <button type='button' className='tool-button' onClick={() => patchView(capture.captureId, { showTable: false })}>
          {t('table.close')}
        </button>
      </header>
    </>
  )
  return (
    <section className='lifetimes-table' aria-label={t('table.title')}>
      <ListTable
        capture={capture}
        label={t('table.title')}
        columns={columnsOf({ axis, device }, t)}
        question={question}
        onSort={(sort) => setSort(capture.captureId, 'sight', sort)}
        onSelect={(row) => select(capture, row.allocationId)}
        head={head}
      />
    </section>
  )
}
