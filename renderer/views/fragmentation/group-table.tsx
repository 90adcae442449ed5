// The table by pool, stream and class; private pools come apart. Each row leads to its largest free block in the block map.
import { formatCount } from '../../i18n/format.ts'
import { SortHead } from '../../panels/sort-head.tsx'
import { groupCell, groupName } from '../../space/group-cells.ts'
import { type GroupRow, groupColumns, groupRows, sortGroups } from '../../space/groups.ts'
import type { Measures } from '../../space/measures.ts'
import type { ViewProps } from '../view.ts'
import { showLargestFree } from './actions.ts'
import { fragmentationData, useFragmentation } from './fragmentation-data.ts'
import { useFragmentationTexts } from './texts.ts'
import { useReport } from './use-report.ts'

const mostRows = 200 // thousands of streams would make thousands of rows; CSV has them all

/** The table with its totals. */
export function GroupTable({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  const order = useFragmentation(capture.captureId, (data) => data.groupOrder)
  const { report, measures, isPending } = useReport(capture)
  if (!report || !measures) return null
  const rows = sortGroups(groupRows(report.value, report.event), order)
  const shown = rows.slice(0, mostRows)
  const firstPrivate = shown.findIndex(({ isPrivate }) => isPrivate)
  return (
    <section aria-labelledby='frag-groups-title'>
      <h2 id='frag-groups-title' className='frag-head'>
        {t('groups.title')}
      </h2>
      <p className='frag-note'>{t('groups.note')}</p>
      <div className='frag-scroll'>
        <table className='data-table frag-table groups' data-testid='fragmentation-groups'>
          <SortHead
            columns={groupColumns}
            title={(column) => t(`column.${column}`)}
            order={order}
            ascendingFirst={['group']}
            onOrder={(groupOrder) => fragmentationData(capture.captureId).setState({ groupOrder })}
          />
          <tbody className={isPending ? 'pending' : undefined}>
            {shown.map((row, index) => (
              <GroupLine key={row.key} capture={capture} row={row} isFirstPrivate={index === firstPrivate} />
            ))}
            {rows.length > shown.length && (
              <tr>
                <td colSpan={groupColumns.length} className='weak'>
                  {t('groups.more', { shown: formatCount(rows.length - shown.length) })}
                </td>
              </tr>
            )}
          </tbody>
          <tfoot className={isPending ? 'pending' : undefined}>
            <TotalLine segments={report.value.totals.segments} measures={measures} />
          </tfoot>
        </table>
      </div>
    </section>
  )
}

interface GroupProps extends ViewProps {
  readonly row: GroupRow
  readonly isFirstPrivate: boolean
}

function GroupLine({ capture, row, isFirstPrivate }: GroupProps) {
  const t = useFragmentationTexts()
  const name = groupName(row, t)
  return (
    <>
      {isFirstPrivate && (
        <tr className='frag-apart'>
          <th colSpan={groupColumns.length} scope='rowgroup'>
            {t('groups.private')}
          </th>
        </tr>
      )}
      <tr>
        <th scope='row' title={`${name}\n${row.pool}`}>
          <button type='button' className='jump' title={`${name}\n${t('groups.show')}`} onClick={() => void showLargestFree(capture, row)}>
            {name}
          </button>
        </th>
        <Cells row={row} />
      </tr>
    </>
  )
}

function TotalLine({ segments, measures }: { readonly segments: number; readonly measures: Measures }) {
  const t = useFragmentationTexts()
  return (
    <tr>
      <th scope='row'>{t('groups.total')}</th>
      <Cells row={{ segments, measures }} />
    </tr>
  )
}

function Cells({ row }: { readonly row: Pick<GroupRow, 'segments' | 'measures'> }) {
  return groupColumns.flatMap((column) => {
    if (column === 'group') return []
    const [text, exact] = groupCell(row, column)
    return (
      <td key={column} title={exact}>
        {text}
      </td>
    )
  })
}
