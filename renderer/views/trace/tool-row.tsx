// The row above the picture: where we are, what colours mean, folding, search.
import { traceColorBySchema } from '../../../preload/contract/queries.ts'
import { useKeyLabel } from '../../commands/use-commands.ts'
import { Switch } from '../../panels/chooser.tsx'
import { Trail } from '../../panels/range-controls.tsx'
import type { ViewProps } from '../view.ts'
import { setColorBy, toggleAllFolded } from './actions.ts'
import { SearchBox } from './search-box.tsx'
import { useTexts, useTrace } from './use-trace.ts'
import './panels.css'

/** Trail, colouring, folding, search. */
export function ToolRow({ capture }: ViewProps) {
  return (
    <div className='tool-row trace-tools'>
      <Trail capture={capture} />
      <ColorSwitch capture={capture} />
      <FoldButton capture={capture} />
      <SearchBox capture={capture} />
    </div>
  )
}

function ColorSwitch({ capture }: ViewProps) {
  const t = useTexts()
  const key = useKeyLabel('view.colorBy')
  const colorBy = useTrace(capture.captureId, (data) => data.colorBy)
  return (
    <Switch
      label={t('colorBy')}
      title={key === '' ? t('colorByHint') : `${t('colorByHint')} (${key})`}
      value={colorBy}
      options={traceColorBySchema.options.map((value) => ({ value, label: t(`color.${value}`) }))}
      onChoose={(each) => setColorBy(capture, each)}
    />
  )
}

function FoldButton({ capture }: ViewProps) {
  const t = useTexts()
  const key = useKeyLabel('view.foldAll')
  const isFolded = useTrace(capture.captureId, (data) => data.collapsed.length > 0)
  const hint = t(isFolded ? 'tools.expandAllHint' : 'tools.collapseAllHint')
  return (
    <button type='button' className='tool-button' title={key === '' ? hint : `${hint} (${key})`} onClick={() => toggleAllFolded(capture)}>
      {t(isFolded ? 'tools.expandAll' : 'tools.collapseAll')}
    </button>
  )
}
