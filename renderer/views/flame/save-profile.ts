// The graph that is shown as a file of another tool: folded stacks, d3-flame-graph, speedscope, pprof.

import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { type ProfileFormat, profileExtensions } from '../../../preload/contract/queries.ts'
import { askShell } from '../../app/bridge.ts'
import { baseName, tellSaved } from '../../app/save-table.ts'
import { engine } from '../../data/engine-client.ts'
import { counted } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { askFilter } from '../../state/filter.ts'
import { showMessage } from '../../state/shell.ts'
import { viewOf } from '../../state/view-state.ts'
import { rootOf } from './assemble.ts'
import { whatOf } from './csv.ts'
import { flameState, optionsOf } from './flame-state.ts'
import { askWeighed } from './questions.ts'
import { flameText as t } from './texts.ts'
import { momentText, weightTitle } from './words.ts'

/** Asks where to write what is at and below the node that is zoomed to, as it stands, and says how it went. */
export async function saveProfile(capture: CaptureSummary, format: ProfileFormat): Promise<void> {
  const { captureId, kind, sourceName } = capture
  const view = viewOf(captureId)
  if (!view) return
  const state = flameState(captureId).getState()
  const [weighed, filter] = await Promise.all([askWeighed(capture, view, state), askFilter(captureId)])
  if (!weighed.ok) return showMessage(failureSentence(weighed.error), 'error')
  if (!filter.ok) return showMessage(failureSentence(filter.error), 'error')
  const { device, measure, unit, fromEvent, toEvent } = weighed.value
  const name = `${sourceName}: ${weightTitle(weighed.value, t)}, ${momentText(weighed.value, t)}`
  const of = { captureId, device, measure, unit, fromEvent, toEvent, options: optionsOf(state, kind), filter: filter.value }
  const profile = await engine.call('flame.profile', { ...of, root: rootOf(state), order: state.order, format, name })
  if (!profile.ok) return showMessage(failureSentence(profile.error), 'error')
  const { bytes, leftOut } = profile.value
  const suggestedName = `${baseName(capture)}-${whatOf(weighed.value)}.${profileExtensions[format]}`
  const saved = await askShell('export.saveProfile', { format, suggestedName, data: new Uint8Array(bytes) })
  tellSaved(saved, leftOut > 0 ? t('savedLeftOut', counted(leftOut)) : '')
}
