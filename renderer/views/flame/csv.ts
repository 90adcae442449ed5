// The table twin as a CSV file: what is saved is what it shows.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { saveTable } from '../../app/save-table.ts'
import { csvText } from '../../data/csv.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { askFilter } from '../../state/filter.ts'
import { showMessage } from '../../state/shell.ts'
import { viewOf } from '../../state/view-state.ts'
import { rootOf } from './assemble.ts'
import type { Weighed } from './flame-data.ts'
import { flameState, isOfRange, isSigned, isUpsideDown, optionsOf } from './flame-state.ts'
import { askTree, askWeighed } from './questions.ts'
import { functionCells, functionRows, sortFunctions } from './table-rows.ts'

/** Asks where to write the table and says how it went. */
export async function saveFlameCsv(capture: CaptureSummary): Promise<void> {
  const { captureId, kind } = capture
  const view = viewOf(captureId)
  if (!view) return
  const now = flameState(captureId).getState()
  const state = { ...now, direction: 'callees' as const, trail: isUpsideDown(now) ? [] : now.trail }
  const [weighed, filter] = await Promise.all([askWeighed(capture, view, state), askFilter(captureId)])
  if (!weighed.ok) return showMessage(failureSentence(weighed.error), 'error')
  if (!filter.ok) return showMessage(failureSentence(filter.error), 'error')
  const answer = await askTree(captureId, weighed.value, optionsOf(state, kind), filter.value, rootOf(state), 'size')
  if (!answer.ok) return showMessage(failureSentence(answer.error), 'error')
  const { nodes } = answer.value
  const rows = sortFunctions(functionRows(nodes, 0), now.tableOrder)
  const cells = functionCells(rows, nodes.tree.total[0] ?? 0, isSigned(weighed.value.weight), weighed.value.valueType === undefined)
  await saveTable(capture, `functions-${whatOf(weighed.value)}`, csvText(cells))
}

/** What the weights are of, for the name of a file. */
export function whatOf({ weight, unit, from, end, valueType }: Weighed): string {
  if (valueType) return valueType.name.replaceAll(/[^\w.-]+/g, '-').slice(0, 60) || 'values'
  const at = isOfRange(weight) ? `${weight}-events-${from}-${Math.max(from, end - 1)}` : `alive-at-event-${from}`
  return `${unit}-${at}`
}
