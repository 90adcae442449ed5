// The table twin as a CSV file. Tables of any number of rows are written by the engine.

import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { Failure } from '../../../preload/contract/errors.ts'
import { maxOpRows, type TraceTable } from '../../../preload/contract/queries.ts'
import { askShell } from '../../app/bridge.ts'
import { baseName, saveTable, tellSaved } from '../../app/save-table.ts'
import { engine } from '../../data/engine-client.ts'
import { counted } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { showMessage } from '../../state/shell.ts'
import { viewOf } from '../../state/view-state.ts'
import { panelData } from './panel-data.ts'
import { groupsCsv, sortGroups } from './rows.ts'
import { eventRangeQuestion, eventsOf, instantsQuestion, type TableQuestions } from './table-questions.ts'
import { traceText } from './texts.ts'
import { traceData } from './trace-data.ts'
import { questionsNow } from './use-area.ts'
import { foundRows, nameQuestion } from './use-names.ts'

/** Asks where to write the chosen table and says how it went. */
export async function saveTraceTable(capture: CaptureSummary): Promise<void> {
  const questions = questionsNow(capture)
  const { twin } = panelData(capture.captureId).getState()
  if (!questions) return
  if (twin === 'slices') {
    const { captureId: _, ...slices } = questions.slices
    await saveByEngine(capture, 'slices', { table: 'slices', ...slices })
  } else if (twin === 'names') await saveNames(capture, questions)
  else if (twin === 'instants') {
    const { captureId: _, ...instants } = instantsQuestion(questions)
    await saveByEngine(capture, 'instants', { table: 'instants', ...instants })
  } else if (twin === 'ops') await saveOps(capture, questions)
  else await saveSteps(capture)
}

/** `note`: what the file does not have, in words. */
async function saveByEngine(capture: CaptureSummary, name: string, table: TraceTable, note?: string): Promise<void> {
  const { captureId } = capture
  const saved = await askShell('export.saveTraceCsv', { captureId, table, suggestedName: `${baseName(capture)}-${name}.csv` })
  tellSaved(saved, note)
}

/** Says how many rows a file does not have; undefined where it has all. */
export const notSaved = (rows: number): string | undefined => (rows > 0 ? traceText('table.notSaved', counted(rows)) : undefined)

const showFailure = (failure: Failure): void => showMessage(failureSentence(failure), 'error')

async function saveNames(capture: CaptureSummary, questions: TableQuestions): Promise<void> {
  const { captureId } = capture
  const { tracks } = traceData(captureId).getState()
  if (!tracks) return
  const answer = await engine.call('trace.selection', nameQuestion(questions, tracks))
  if (!answer.ok) return showFailure(answer.error)
  const rows = foundRows(answer.value.rows, questions.slices.names)
  const { rows: told, groups } = answer.value
  const among = traceText('table.among', counted(told.length))
  const note = questions.search === undefined ? notSaved(groups - told.length) : groups > told.length ? among : undefined
  await saveTable(capture, 'by-name', groupsCsv(sortGroups(rows, panelData(captureId).getState().nameOrder)), note)
}

/** The device in view, where it has memory events; else says that there are none. */
function deviceWithMemory(capture: CaptureSummary) {
  const view = viewOf(capture.captureId)
  const device = view && deviceOf(capture, view.device)
  if (device && device.eventCount > 0) return device
  showMessage(traceText('table.noMemory'))
  return undefined
}

async function saveOps(capture: CaptureSummary, questions: TableQuestions): Promise<void> {
  const device = deviceWithMemory(capture)
  if (!device) return
  const question = eventRangeQuestion(questions)
  const answer = question && (await engine.call('trace.selection', question))
  if (answer && !answer.ok) return showFailure(answer.error)
  const events = eventsOf(device, questions, { value: answer?.value, isPending: false })
  if (!events) return showMessage(traceText('memory.none'))
  const table = { device: events.device, ...events.range }
  const counted = await engine.call('trace.opMemory', { captureId: capture.captureId, ...table, limit: 1 })
  if (!counted.ok) return showFailure(counted.error)
  await saveByEngine(capture, 'memory-by-op', { table: 'opMemory', ...table }, notSaved(counted.value.groups - maxOpRows))
}

async function saveSteps(capture: CaptureSummary): Promise<void> {
  const device = deviceWithMemory(capture)
  if (device) await saveByEngine(capture, 'steps', { table: 'steps', device: device.device })
}
