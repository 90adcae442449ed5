// The list of a rectangle, or of what is in sight, as CSV.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { saveTable } from '../../app/save-table.ts'
import { csvText } from '../../data/csv.ts'
import { shownRange } from '../../focus/home.ts'
import { formatCount } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { showMessage } from '../../state/shell.ts'
import { viewOf } from '../../state/view-state.ts'
import { selectedBand, shownY, spaceNow } from './assemble.ts'
import { type ListName, lifetimesData } from './lifetimes-data.ts'
import { askPage, type ListQuestion, type ListRow } from './list-rows.ts'
import { insideHistory } from './model-input.ts'
import { type LifeLook, ownLife } from './own-life.ts'
import { placeOf } from './questions.ts'
import { lifetimesText as t } from './texts.ts'

const pageRows = 1000
const mostRows = 100_000

type Column = readonly [name: string, value: (row: ListRow) => string | number | null]

/** Columns as the index names them, with units where SQL leaves them open. */
const columnsOf = (look: LifeLook): readonly Column[] => [
  ['allocation_id', (row) => row.allocationId],
  ['address', (row) => row.address],
  ['version', (row) => row.version],
  ['requested_bytes', (row) => row.requestedBytes],
  ['size_bytes', (row) => row.sizeBytes],
  ['alloc_event', (row) => row.allocEvent],
  ['free_requested_event', (row) => row.freeRequestedEvent],
  ['free_completed_event', (row) => row.freeCompletedEvent],
  ['alloc_time_ns', (row) => row.allocTimeNs],
  ['free_time_ns', (row) => row.freeTimeNs],
  [look.axis === 'time' ? 'life_ns' : 'life_events', (row) => ownLife(row, look).life],
  ['life_in_range', (row) => row.life],
  ['bytes_times_life_in_range', (row) => row.area],
  ['category', (row) => row.categoryName],
  ['stream', (row) => row.stream],
  ['stack', (row) => row.title],
  ['place', (row) => row.place],
]

/** The rows as CSV with a head. */
export function listCsv(rows: readonly ListRow[], look: LifeLook): string {
  const columns = columnsOf(look)
  return csvText([columns.map(([name]) => name), ...rows.map((row) => columns.map(([, value]) => value(row) ?? ''))])
}

/** What the table twin shows: what is in sight; of the drawer: the selected rectangle. Sorted as it is there. */
export function questionOf(capture: CaptureSummary, which: ListName): ListQuestion | undefined {
  const view = viewOf(capture.captureId)
  const look = lifetimesData(capture.captureId).getState()
  const space = view && spaceNow(view, look)
  const y = view && shownY(view, look)
  const device = view && deviceOf(capture, view.device)
  const range = which === 'sight' ? view && shownRange(capture, view) : view?.selectedRange
  if (!device || !space || !y || !range) return undefined
  const { filter, axis } = view
  const rows = which === 'sight' ? y : (selectedBand(view, look) ?? { y0: 0, y1: space.data.y1 })
  return { place: placeOf(capture, view, insideHistory(range, { axis, device }), rows, look), filter, sort: look.sorts[which] }
}

/** The file's name; it says when the list is cut. `count`: of all allocations. */
export const csvName = (count: number): string => (count > mostRows ? `lifetimes-first-${mostRows}-of-${count}` : 'lifetimes')

/** Asks where to write the list, up to 100,000 rows, and says how it went. */
export async function saveList(capture: CaptureSummary, question: ListQuestion | undefined): Promise<void> {
  const device = question && deviceOf(capture, question.place.device)
  if (!question || !device) return
  const rows: ListRow[] = []
  let count = 0
  for (let offset = 0; offset < mostRows; offset += pageRows) {
    const answer = await askPage(question, offset, pageRows)
    if (!answer.ok) return showMessage(failureSentence(answer.error), 'error')
    count = answer.value.count
    for (const row of answer.value.rows) rows.push(row)
    if (answer.value.rows.length < pageRows) break
  }
  const saved = saveTable(capture, csvName(count), listCsv(rows, { axis: question.place.axis, device }))
  if (count > mostRows) showMessage(t('csvCut', { most: formatCount(mostRows), all: formatCount(count) }))
  await saved
}

/** The table of this view: the selected rectangle, else what is in sight. */
export const saveShown = (capture: CaptureSummary): Promise<void> =>
  saveList(capture, questionOf(capture, 'rectangle') ?? questionOf(capture, 'sight'))
