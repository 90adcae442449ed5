// The table twin: the functions of what is shown.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { categoryOfSlot } from '../../categories/words.ts'
import { runCommand } from '../../commands/registry.ts'
import { counted, formatCount, formatShare, unknownValue } from '../../i18n/format.ts'
import { SortHead } from '../../panels/sort-head.tsx'
import { useView } from '../../state/use-view.ts'
import { patchView } from '../../state/view-state.ts'
import { cssColor, slotColor } from '../../theme/palette.ts'
import { useTokens } from '../../theme/theme.ts'
import type { ViewProps } from '../view.ts'
import { selectPlace } from './actions.ts'
import { measuredOf, rootOf } from './assemble.ts'
import { bareTitle } from './bare.ts'
import { useFlameData } from './flame-data.ts'
import { isSigned, isUpsideDown, patchFlame, useFlameState } from './flame-state.ts'
import { type FunctionRow, functionRows, sortFunctions, type TableColumn, tableColumns } from './table-rows.ts'
import { useFlameTexts } from './texts.ts'
import { formatChange, formatWeight, type Measured, placeText } from './words.ts'

const rowPx = 24

/** The grid with its head. */
export function FlameTable({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const isInverted = useFlameState(captureId, isUpsideDown)
  const isZoomed = useFlameState(captureId, (state) => state.trail.length > 0)
  const answer = useFlameData(captureId, (data) => (isInverted ? data.functions : data.answer))
  if (!answer) return null
  const { leftOut } = answer.nodes.tree
  return (
    <section className='flame-table' aria-label={t('table.title')} data-testid='flame-table'>
      <header className='flame-table-head'>
        <span className='t1'>{t('table.title')}</span>
        {isInverted && isZoomed && <span className='weak'>{t('table.ofAll')}</span>}
        {leftOut > 0 && <span className='weak'>{t('leftOut', counted(leftOut))}</span>}
        <span className='spacer' />
        <button type='button' className='tool-button' onClick={() => runCommand('file.exportCsv')}>
          {t('table.csv')}
        </button>
        <button type='button' className='tool-button' onClick={() => patchView(captureId, { showTable: false })}>
          {t('table.close')}
        </button>
      </header>
      <Rows capture={capture} />
    </section>
  )
}

function Rows({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const isInverted = useFlameState(captureId, isUpsideDown)
  const answer = useFlameData(captureId, (data) => (isInverted ? data.functions : data.answer))
  const zoomed = useFlameState(captureId, rootOf)
  const order = useFlameState(captureId, (state) => state.tableOrder)
  const selected = useView(captureId, (view) => view.selectedNode)
  const root = (isInverted ? 0 : answer?.nodes.placeOf.get(zoomed)) ?? 0
  const rows = useMemo(() => (answer ? sortFunctions(functionRows(answer.nodes, root), order) : []), [answer, root, order])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => rowPx, overscan: 8 })
  if (!answer) return null
  const items = virtual.getVirtualItems()
  const [above, below] = [items[0]?.start ?? 0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0)]
  const selectedPlace = isInverted || selected === undefined ? undefined : answer.nodes.placeOf.get(selected)
  const selectedFrame = selectedPlace === undefined ? undefined : answer.nodes.tree.frame[selectedPlace]
  const cells = { whole: answer.nodes.tree.total[root] ?? 0, measured: measuredOf(capture, answer.weighed) }
  return (
    <div ref={scroller} className='flame-table-rows'>
      <table className='data-table' aria-rowcount={rows.length + 1} aria-label={t('table.title')}>
        <SortHead<TableColumn>
          columns={columnsOf(capture)}
          title={(column) => t(`column.${column}`)}
          order={order}
          ascendingFirst={['function', 'place']}
          onOrder={(tableOrder) => patchFlame(captureId, { tableOrder })}
        />
        <tbody>
          <Gap heightPx={above} />
          {items.map((item) => {
            const row = rows[item.index]
            if (!row) return null
            const isSelected = selectedFrame !== undefined && answer.nodes.tree.frame[row.largest] === selectedFrame
            const name = row.frame?.title ?? bareTitle(row.bare, capture.kind, t)
            return (
              <tr key={row.largest} aria-rowindex={item.index + 2} className={isSelected ? 'selected' : undefined}>
                <th scope='row' title={row.frame ? row.frame.name : name}>
                  {isInverted ? (
                    <span className={row.frame?.kind === 'own' ? 'strong' : undefined}>{name}</span>
                  ) : (
                    <button
                      type='button'
                      className={`jump plain ${row.frame?.kind === 'own' ? 'strong' : ''}`}
                      aria-pressed={isSelected}
                      onClick={() => selectPlace(capture, row.largest)}
                    >
                      {name}
                    </button>
                  )}
                </th>
                <Cells row={row} {...cells} />
              </tr>
            )
          })}
          <Gap heightPx={below} />
        </tbody>
      </table>
    </div>
  )
}

/** A profile of another tool counts no allocations, and has no categories. */
const columnsOf = ({ profile }: ViewProps['capture']): readonly TableColumn[] =>
  profile === null ? tableColumns : tableColumns.filter((column) => column !== 'count' && column !== 'category')

/** Stands for the rows above or below those in sight. */
function Gap({ heightPx }: { readonly heightPx: number }) {
  if (heightPx <= 0) return null
  return (
    <tr>
      <td colSpan={tableColumns.length} style={{ height: heightPx }} />
    </tr>
  )
}

/** The category of a function's largest node, with its colour and share. */
function Category({ slot, share }: NonNullable<FunctionRow['category']>) {
  const color = slotColor(useTokens(), 'category', slot) ?? [0, 0, 0]
  return (
    <>
      <span className='swatch' style={{ background: cssColor(color) }} />
      {categoryOfSlot(slot)} {share < 1 && <span className='weak'>{formatShare(share, 1)}</span>}
    </>
  )
}

interface CellsProps {
  readonly row: FunctionRow
  readonly whole: number
  readonly measured: Measured
}

function Cells({ row, whole, measured }: CellsProps) {
  const t = useFlameTexts()
  const signed = isSigned(measured.weight)
  const text = (value: number, base: number) => (signed ? formatChange(value - base, measured) : formatWeight(value, measured, t))
  return (
    <>
      <td title={row.frame?.filename}>{row.frame ? placeText({ filename: row.frame.filename, line: row.line }) : ''}</td>
      <td>{text(row.self, row.baseSelf)}</td>
      <td className='t1'>{text(row.total, row.baseTotal)}</td>
      <td>{signed ? unknownValue : formatShare(row.total, whole)}</td>
      {!measured.valueType && <td>{formatCount(row.count)}</td>}
      {!measured.valueType && <td className='flame-table-category'>{row.category && <Category {...row.category} />}</td>}
    </>
  )
}
