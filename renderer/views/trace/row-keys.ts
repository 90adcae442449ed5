// Rows by key: one is chosen, then folded or pinned. Memory, processes, tracks and counters alike.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { announce } from '../../widgets/announce.ts'
import { scrollToRow, selectedRow, toggleFolded, togglePinned } from './actions.ts'
import { rowsNow } from './assemble.ts'
import { headParts, rowTitle } from './draw-heads.ts'
import { processKey, type Row, trackKey } from './layout.ts'
import { traceText as t } from './texts.ts'
import { traceData } from './trace-data.ts'

const lookOf = ({ captureId }: CaptureSummary) => traceData(captureId).getState()

/** The row that commands are about: the one chosen by key, else the one whose heading is under the pointer, else that of the selected slice. */
export function currentRow(capture: CaptureSummary): Row | undefined {
  const { chosenRow, hoverRow, tracks } = lookOf(capture)
  const rows = rowsNow(capture)?.byKey
  const pointed = chosenRow ?? hoverRow
  if (pointed !== undefined) return rows?.get(pointed)
  const track = tracks?.tracks[selectedRow(capture)?.trackId ?? -1]
  if (!track) return undefined
  return rows?.get(trackKey(track.trackId)) ?? (track.processId === null ? undefined : rows?.get(processKey(track.processId)))
}

/** Chooses the row below (+1) or above (−1), pinned ones first; the first or last in sight where none is at hand. */
export function chooseRow(capture: CaptureSummary, direction: 1 | -1): void {
  const rows = rowsNow(capture)
  if (!rows) return
  const all = [...rows.pinned, ...rows.rows]
  const now = currentRow(capture)
  const at = now ? all.findIndex(({ key }) => key === now.key) : -1
  const next = now ? all[at + direction] : direction > 0 ? all[0] : all.at(-1)
  if (next) choose(capture, next)
}

function choose(capture: CaptureSummary, row: Row): void {
  traceData(capture.captureId).setState({ chosenRow: row.key })
  scrollToRow(capture, row)
  announce(spokenRow(capture, row))
}

/** A row's name, and whether it is folded or pinned. */
function spokenRow({ devices }: CaptureSummary, row: Row): string {
  const isFolded = 'isCollapsed' in row && row.isCollapsed
  return [rowTitle({ devices, t }, row), ...(isFolded ? [t('row.folded')] : []), ...(row.isPinned ? [t('row.pinned')] : [])].join(', ')
}

/** What folding a row folds: itself, or the process of one that has nothing to fold; undefined without either. */
export function foldKey(row: Row): string | undefined {
  if (headParts(row).folds) return row.key
  return row.kind !== 'memory' && row.kind !== 'process' && row.process ? processKey(row.process.processId) : undefined
}

/** Folds or unfolds the current row. */
export function foldCurrent(capture: CaptureSummary): void {
  const row = currentRow(capture)
  const key = row && foldKey(row)
  if (!row || key === undefined) return
  toggleFolded(capture, key)
  follow(capture, row.key, key)
}

/** Pins the current row, or lets it go. */
export function pinCurrent(capture: CaptureSummary): void {
  const row = currentRow(capture)
  if (!row || !headParts(row).pins) return
  togglePinned(capture, row.key)
  follow(capture, row.key)
}

/** A row chosen by key stays so where it lies now, or leaves the choice to another; what became of it is said in any case. */
function follow(capture: CaptureSummary, key: string, otherwise = key): void {
  const rows = rowsNow(capture)?.byKey
  const row = rows?.get(key) ?? rows?.get(otherwise)
  if (!row) return
  if (lookOf(capture).chosenRow === undefined) announce(spokenRow(capture, row))
  else choose(capture, row)
}
