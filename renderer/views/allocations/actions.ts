// What the user does to the table: select, walk, sort, copy, save.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { AllocationRow } from '../../../preload/contract/queries.ts'
import { askShell } from '../../app/bridge.ts'
import { baseName, tellSaved } from '../../app/save-table.ts'
import { markdownTable } from '../../data/markdown.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { failureSentence } from '../../i18n/texts.ts'
import type { Order } from '../../panels/table-order.ts'
import { copyText } from '../../state/copy-text.ts'
import { askFilter, isFiltering } from '../../state/filter.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { showMessage } from '../../state/shell.ts'
import { patchView, viewOf } from '../../state/view-state.ts'
import { announce } from '../../widgets/announce.ts'
import { allocationsData, type Column, columns } from './allocations-data.ts'
import { cellText, columnTitle } from './cells.ts'
import { askRows, listKey, listPlace } from './questions.ts'
import { clampFirst, firstShowing, scrollMap } from './scroll-map.ts'

/** Sorts by a column. */
export function setOrder({ captureId }: CaptureSummary, order: Order<Column>): void {
  allocationsData(captureId).setState({ order })
}

/** Scrolls to a first row. */
export function scrollTo({ captureId }: CaptureSummary, first: number): void {
  const store = allocationsData(captureId)
  const { count, shown, first: before } = store.getState()
  const next = clampFirst(scrollMap(count, shown), Math.round(first))
  if (next !== before) store.setState({ first: next })
}

/** Brings a row into sight. */
export function showRow(capture: CaptureSummary, index: number): void {
  const { first, shown } = allocationsData(capture.captureId).getState()
  scrollTo(capture, firstShowing(first, Math.max(1, shown), index))
}

/** Selects the allocation of a row. `opens`: with its details. */
export function selectRow(capture: CaptureSummary, index: number, { allocationId }: AllocationRow, opens: boolean): void {
  const { captureId } = capture
  const view = viewOf(captureId)
  const store = allocationsData(captureId)
  if (!view) return
  const list = listKey(listPlace(captureId, view, store.getState()), view)
  store.setState({ place: { list, allocationId, index } })
  patchView(captureId, { selectedAllocation: allocationId, ...(opens ? { showDetails: true } : {}) })
  showRow(capture, index)
}

let walk = 0

/** Selects the row at a place, or the nearest there is. */
async function selectAt(capture: CaptureSummary, wanted: number): Promise<void> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const { count, rows, answered } = allocationsData(captureId).getState()
  if (!view || count === 0) return
  const index = Math.max(0, Math.min(wanted, count - 1))
  const place = listPlace(captureId, view, allocationsData(captureId).getState())
  const key = listKey(place, view)
  const known = answered === key ? rows.get(index) : undefined
  if (known) return selectRow(capture, index, known, false)
  const mine = ++walk
  const answer = await askRows(place, index, 1)
  const now = viewOf(captureId)
  const [row] = answer.ok ? answer.value.rows : []
  // The user may have gone on, or sorted anew, while the engine answered.
  if (!row || !now || mine !== walk || listKey(listPlace(captureId, now, allocationsData(captureId).getState()), now) !== key) return
  selectRow(capture, index, row, false)
}

/** The place of the selected row; undefined where it is not in the list. */
function selectedIndex({ captureId }: CaptureSummary): number | undefined {
  const { place, asked } = allocationsData(captureId).getState()
  const selected = viewOf(captureId)?.selectedAllocation
  return place && place.list === asked && place.allocationId === selected ? (place.index ?? undefined) : undefined
}

/** Moves the selection; without one it begins at the first row in sight. */
export function walkBy(capture: CaptureSummary, rows: number): Promise<void> {
  const { first, count } = allocationsData(capture.captureId).getState()
  const index = selectedIndex(capture)
  const isFar = Math.abs(rows) >= count // to an end
  return selectAt(capture, index === undefined && !isFar ? first : (index ?? 0) + rows)
}

function selectedRow(capture: CaptureSummary): AllocationRow | undefined {
  const index = selectedIndex(capture)
  return index === undefined ? undefined : allocationsData(capture.captureId).getState().rows.get(index)
}

export const canCopy = (capture: CaptureSummary): boolean => selectedRow(capture) !== undefined

/** Puts the selected row on the clipboard: cells apart by tabs, or as a table in Markdown. */
export async function copyRow(capture: CaptureSummary, form: 'text' | 'markdown'): Promise<void> {
  const row = selectedRow(capture)
  const view = viewOf(capture.captureId)
  const device = view && deviceOf(capture, view.device)
  if (!row || !device) return
  const cells = columns.map((column) => cellText(row, column, { device, axis: view.axis }))
  const text =
    form === 'text'
      ? `${cells.join('\t')}\n`
      : markdownTable(
          columns.map((column) => columnTitle(column, view.axis)),
          [cells],
        )
  if (await copyText(text)) announce(panelText('details.copied'))
}

/** Asks where to write all allocations that pass the filter, and says how it went. */
export async function saveAllocationsCsv(capture: CaptureSummary): Promise<void> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const filter = await askFilter(captureId)
  if (!view) return
  if (!filter.ok) return showMessage(failureSentence(filter.error), 'error')
  const name = `${baseName(capture)}-allocations${isFiltering(view.filter) ? '-filtered' : ''}.csv`
  const saved = await askShell('export.saveLiveCsv', {
    captureId,
    device: view.device,
    event: null,
    filter: filter.value,
    suggestedName: name,
  })
  tellSaved(saved)
}
