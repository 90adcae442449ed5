// Buttons that show the allocations of a node in another view: the filter that all views share lets only them pass there.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { ViewId } from '../../../preload/contract/shell.ts'
import { canRun, runCommand } from '../../commands/registry.ts'
import { engine } from '../../data/engine-client.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { commandTitle, failureSentence } from '../../i18n/texts.ts'
import { showMessage } from '../../state/shell.ts'
import { noFilter, patchView, viewOf } from '../../state/view-state.ts'
import { flameState, optionsOf } from './flame-state.ts'
import { upperNode } from './nodes.ts'
import { useFlameTexts } from './texts.ts'

const targets = ['timeline', 'lifetimes', 'blocks'] as const satisfies readonly ViewId[]

async function showStacks(capture: CaptureSummary, node: number, title: string, view: ViewId): Promise<void> {
  const { captureId, kind } = capture
  const before = viewOf(captureId)
  if (!before) return
  const options = optionsOf(flameState(captureId).getState(), kind)
  const asked = node < 0 ? { options: { ...options, direction: 'callers' as const }, node: upperNode(node) } : { options, node }
  const found = await engine.call('flame.stacks', { captureId, device: before.device, ...asked })
  const now = viewOf(captureId)
  if (!found.ok) return showMessage(failureSentence(found.error), 'error')
  if (now?.selectedNode !== before.selectedNode || now?.view !== before.view) return // the user moved on while the engine answered
  patchView(captureId, { filter: { ...(now?.filter ?? noFilter), within: { ...found.value, title } } })
  runCommand(`showIn.${view}`)
}

interface NodeElsewhereProps {
  readonly capture: CaptureSummary
  readonly node: number
  readonly title: string
}

/** The row of buttons. */
export function NodeElsewhere({ capture, node, title }: NodeElsewhereProps) {
  const t = useFlameTexts()
  const offered = targets.filter((view) => view !== 'blocks' || (capture.hasBlocks && canRun('showIn.blocks')))
  return (
    <section className='actions show-in' aria-label={panelText('showIn')}>
      <span className='weak grow' title={t('drawer.showInHint')}>
        {panelText('showIn')}
      </span>
      {offered.map((view) => (
        <button
          key={view}
          type='button'
          className='button'
          title={`${commandTitle(`showIn.${view}`)}. ${t('drawer.showInHint')}`}
          onClick={() => void showStacks(capture, node, title, view)}
        >
          {commandTitle(`view.${view}`)}
        </button>
      ))}
    </section>
  )
}
