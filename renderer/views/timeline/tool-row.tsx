// The row above the picture: where we are, the axis, what the colours show, jumps.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { colorBySchema } from '../../../preload/contract/queries.ts'
import { runCommand } from '../../commands/registry.ts'
import { useKeyLabel } from '../../commands/use-commands.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { Approximate } from '../../panels/approximate.tsx'
import { Chooser } from '../../panels/chooser.tsx'
import { JumpButtons } from '../../panels/jump-buttons.tsx'
import { AxisSwitch, Trail } from '../../panels/range-controls.tsx'
import { useView } from '../../state/use-view.ts'
import { setColorBy } from './actions.ts'
import { useTexts, useTimeline } from './use-timeline.ts'

interface CaptureProps {
  readonly capture: CaptureSummary
}

/** Trail, axis switch, colour chooser. */
export function ToolRow({ capture }: CaptureProps) {
  return (
    <div className='tool-row'>
      <Trail capture={capture} />
      <Approximate capture={capture} />
      <JumpButtons capture={capture} />
      <HeightSwitch capture={capture} />
      <AxisSwitch capture={capture} />
      <ColorChooser capture={capture} />
    </div>
  )
}

function HeightSwitch({ capture }: CaptureProps) {
  const t = useTexts()
  const isOn = useTimeline(capture.captureId, (data) => data.fitsHeight)
  const key = useKeyLabel('view.fitHeight')
  return (
    <button
      type='button'
      className='tool-button'
      aria-pressed={isOn}
      title={`${t('fitHeightHint')} (${key})`}
      onClick={() => runCommand('view.fitHeight')}
    >
      {t('fitHeight')}
    </button>
  )
}

function ColorChooser({ capture }: CaptureProps) {
  useTexts()
  const colorBy = useView(capture.captureId, (view) => view.colorBy) ?? 'stack'
  const label = panelText('colorBy.label')
  const options = colorBySchema.options.map((value) => ({ value, label: panelText(`colorBy.${value}`) }))
  const key = useKeyLabel('view.colorBy')
  return (
    <Chooser label={label} title={`${label} (${key})`} value={colorBy} options={options} onChoose={(value) => setColorBy(capture, value)} />
  )
}
