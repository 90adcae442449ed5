// The view's drawer: the selected node, else the selected allocation.
import { X } from 'lucide-react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { useKeyLabel } from '../../commands/use-commands.ts'
import { usePaced } from '../../data/paced.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { DetailsDrawer } from '../../panels/details-drawer.tsx'
import { Fact } from '../../panels/fact.tsx'
import { StackFrames } from '../../panels/stack-frames.tsx'
import { useView } from '../../state/use-view.ts'
import { patchView } from '../../state/view-state.ts'
import type { ViewProps } from '../view.ts'
import { copyStack, filterBy, innermostFirstTo, turnAbout, zoomTo } from './actions.ts'
import { inputOf } from './assemble.ts'
import { bareSentence } from './bare.ts'
import { flameData } from './flame-data.ts'
import { flameState } from './flame-state.ts'
import { nodeRows } from './hover-overlay.ts'
import type { FlameInput } from './model-input.ts'
import { NodeElsewhere } from './node-elsewhere.tsx'
import { frameAt, sourceAt } from './nodes.ts'
import { useFlameTexts } from './texts.ts'
import { WithinNote } from './within-note.tsx'
import { nodeTitle, weightText } from './words.ts'

/** The drawer's content. */
export function FlameDrawer({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const selected = useView(captureId, (view) => view.selectedNode)
  if (selected === undefined) return <DetailsDrawer capture={capture} hint={t('noSelection')} />
  const close = () => patchView(captureId, { showDetails: false, showEmptyDetails: false })
  return (
    <div className='details-drawer'>
      <header className='panel-head'>
        <h2>{t('drawer.title')}</h2>
        <button
          type='button'
          className='icon-button'
          aria-label={panelText('details.close')}
          title={panelText('details.close')}
          onClick={close}
        >
          <X aria-hidden='true' size={14} />
        </button>
      </header>
      <Selected capture={capture} />
    </div>
  )
}

function Selected({ capture }: ViewProps) {
  const t = useFlameTexts()
  usePaced(flameData(capture.captureId))
  usePaced(flameState(capture.captureId))
  const input = inputOf(capture)
  if (!input) return null
  if (input.selected === undefined) return <p className='details-hint'>{t('drawer.holdsNothing')}</p>
  return (
    <div className='details-body'>
      <Node capture={capture} input={input} place={input.selected} />
    </div>
  )
}

interface NodeProps {
  readonly capture: CaptureSummary
  readonly input: FlameInput
  readonly place: number
}

function Node({ capture, input, place }: NodeProps) {
  const t = useFlameTexts()
  const { nodes, measured, kind } = input
  const frame = frameAt(nodes, place)
  const { line } = sourceAt(nodes, place)
  const bare = nodes.tree.bare[place] ?? 0
  return (
    <>
      <div className='details-headline'>
        <div>
          <span className='details-size'>{weightText(nodes, place, measured, t)}</span>
        </div>
        <div className='details-stack' title={frame?.name}>
          <span className='t1'>{nodeTitle(nodes, place, kind, t)}</span>
        </div>
        {frame && frame.filename !== '' && (
          <div className='weak flame-file' title={frame.filename}>
            {line > 0 ? `${frame.filename}:${line}` : frame.filename}
          </div>
        )}
        {bare > 0 && <p className='panel-note'>{bareSentence(bare, capture.kind, t)}</p>}
        {bare > 0 && <WithinNote capture={capture} weighed={input.weighed} slot={bare} />}
      </div>
      <dl className='panel-section'>
        {nodeRows(input, place).map(({ label, value }) => (
          <Fact key={label} label={label} value={value} />
        ))}
      </dl>
      <Actions capture={capture} input={input} place={place} />
      {capture.profile === null && (
        <NodeElsewhere capture={capture} node={nodes.tree.node[place] ?? 0} title={nodeTitle(nodes, place, kind, t)} />
      )}
      <Stack capture={capture} input={input} place={place} />
    </>
  )
}

function Actions({ capture, input, place }: NodeProps) {
  const t = useFlameTexts()
  const copyKey = useKeyLabel('edit.copyDetails')
  const frame = frameAt(input.nodes, place)
  return (
    <div className='actions flame-actions'>
      <button
        type='button'
        className='button'
        title={t('drawer.zoomHint')}
        disabled={place === input.root || input.nodes.upperFrom !== undefined}
        onClick={() => zoomTo(capture, place)}
      >
        {t('drawer.zoom')}
      </button>
      {frame && (
        <>
          <button type='button' className='button' title={t('drawer.aboutHint')} onClick={() => turnAbout(capture, frame)}>
            {t('drawer.about')}
          </button>
          <button type='button' className='button' title={t('drawer.withHint')} onClick={() => filterBy(capture, frame, 'with')}>
            {t('drawer.with')}
          </button>
          <button type='button' className='button' title={t('drawer.withoutHint')} onClick={() => filterBy(capture, frame, 'without')}>
            {t('drawer.without')}
          </button>
        </>
      )}
      <button type='button' className='button' title={`${t('drawer.copy')} (${copyKey})`} onClick={() => void copyStack(capture)}>
        {t('drawer.copy')}
      </button>
    </div>
  )
}

/** The frames from the outermost to the node, innermost first as everywhere. */
function Stack({ capture, input, place }: NodeProps) {
  const t = useFlameTexts()
  const frames = innermostFirstTo(capture, input, place)
  if (frames.length === 0) return null
  return (
    <section className='panel-section'>
      <div className='panel-head'>
        <h3>{t('drawer.stack')}</h3>
        <span>{panelText('details.innermostFirst')}</span>
      </div>
      <StackFrames key={place} frames={frames} />
    </section>
  )
}
