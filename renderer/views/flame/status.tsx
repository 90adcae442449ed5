// The view's part of the status line.
import { usePaced } from '../../data/paced.ts'
import { counted, formatCount } from '../../i18n/format.ts'
import { Part } from '../../panels/status-part.tsx'
import { isFiltering } from '../../state/filter.ts'
import { useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { inputOf } from './assemble.ts'
import { flameData } from './flame-data.ts'
import { flameState } from './flame-state.ts'
import { useFlameTexts } from './texts.ts'
import { momentText, weightText, weightTitle } from './words.ts'

/** What nodes weigh and of which moment, how many there are, rows in sight. */
export function FlameStatus({ capture }: ViewProps) {
  const t = useFlameTexts()
  usePaced(flameData(capture.captureId))
  usePaced(flameState(capture.captureId))
  const filters = useView(capture.captureId, (view) => isFiltering(view.filter))
  const input = inputOf(capture)
  if (!input) return null
  const { nodes, weighed, measured, root, rowCount, rowPx, scrollPx, layout } = input
  const rows = Math.floor(layout.rows.heightPx / rowPx)
  const first = Math.round(scrollPx / rowPx)
  return (
    <>
      <Part label={weightTitle(weighed, t)}>{weightText(nodes, root, measured, t)}</Part>
      <span>{momentText(weighed, t)}</span>
      <Part label={t('status.nodes')}>{formatCount(nodes.tree.node.length)}</Part>
      {nodes.tree.leftOut > 0 && <span>{t('leftOut', counted(nodes.tree.leftOut))}</span>}
      {rowCount > rows && (
        <span>
          {t('status.rows', {
            first: formatCount(first + 1),
            last: formatCount(Math.min(first + rows, rowCount)),
            ...counted(rowCount),
          })}
        </span>
      )}
      {filters && <span>{t('status.filtered')}</span>}
    </>
  )
}
