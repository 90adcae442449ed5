// The list of a rectangle, or of what is in sight, as CSV.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { saveTable } from '../../app/save-table.ts'
import { shownRange } from '../../focus/home.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { showMessage } from '../../state/shell.ts'
import { viewOf } from '../../state/view-state.ts'
import { selectedBand, shownY, spaceNow } from './assemble.ts'
import { lifetimesData } from './lifetimes-data.ts'
import { askPage, type ListQuestion, type ListRow } from './list-rows.ts'
import { placeOf } from './questions.ts'

const pageRows = 1000
const mostRows = 100_000

/** Columns as the index names them, with units where SQL leaves them open. */
const columns: readonly (readonly [name: string, value: (row: ListRow) => string | number | null])[] = [
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
  ['life_in_range', (row) => row.life],
  ['bytes_times_life', (row) => row.area],
  ['stream', (row) => row.stream],
  ['stack', (row) => row.title],
  ['place', (row) => row.place],
]

/** A cell by RFC 4180; what a spreadsheet would take for a formula is made text. */
function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The rows as CSV with a head. */
export const listCsv = (rows: readonly ListRow[]): string =>
  `${[columns.map(([name]) => name), ...rows.map((row) => columns.map(([, value]) => cell(value(row))))].map((line) => line.join(',')).join('\n')}\n`

/** What the table twin shows: what is in sight; of the drawer: the selected rectangle. */
export function questionOf(capture: CaptureSummary, which: 'sight' | 'rectangle', sort: ListQuestion['sort']): ListQuestion | undefined {
  const view = viewOf(capture.captureId)
  const look = lifetimesData(capture.captureId).getState()
  const space = view && spaceNow(view, look)
  const y = view && shownY(view, look)
  if (!view || !space || !y) return undefined
  const { filter, selectedRange } = view
  if (which === 'sight') return { place: placeOf(capture, view, shownRange(capture, view), y, look), filter, sort }
  const band = selectedBand(view, look) ?? { y0: 0, y1: space.data.y1 }
  return selectedRange && { place: placeOf(capture, view, selectedRange, band, look), filter, sort }
}

/** Asks where to write the list, up to 100,000 rows, and says how it went. */
export async function saveList(capture: CaptureSummary, question: ListQuestion | undefined): Promise<void> {
  if (!question) return
  const rows: ListRow[] = []
  for (let offset = 0; offset < mostRows; offset += pageRows) {
    const answer = await askPage(question, offset, pageRows)
    if (!answer.ok) return showMessage(failureSentence(answer.error), 'error')
    for (const row of answer.value.rows) rows.push(row)
    if (answer.value.rows.length < pageRows) break
  }
  await saveTable(capture, 'lifetimes', listCsv(rows))
}

/** The table of this view: the selected rectangle, else what is in sight. */
export const saveShown = (capture: CaptureSummary): Promise<void> =>
  saveList(capture, questionOf(capture, 'rectangle', 'area') ?? questionOf(capture, 'sight', 'area'))
