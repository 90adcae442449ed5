// The table of the moment shown as a CSV file: the segments, or the blocks of the selected one while those are listed.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { saveTable } from '../../app/save-table.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { showMessage } from '../../state/shell.ts'
import { viewOf } from '../../state/view-state.ts'
import { blocksData, type Picture } from './blocks-data.ts'
import { blocksState } from './blocks-state.ts'
import { askBlocksOf } from './questions.ts'
import { blocksCsv, segmentsCsv, sortSegments } from './table-rows.ts'

/** Asks where to write the table and says how it went. */
export async function saveBlocksViewCsv(capture: CaptureSummary): Promise<void> {
  const { picture } = blocksData(capture.captureId).getState()
  if (!picture) return
  const isOfBlocks = viewOf(capture.captureId)?.showTable && blocksState(capture.captureId).getState().tableOf === 'blocks'
  if (isOfBlocks) await saveBlocks(capture, picture)
  else await saveSegments(capture, picture)
}

async function saveSegments(capture: CaptureSummary, { segments, event }: Picture): Promise<void> {
  const text = segmentsCsv(segments, sortSegments(segments, { column: 'address', descending: false }))
  await saveTable(capture, `segments-at-event-${event}`, text)
}

async function saveBlocks(capture: CaptureSummary, picture: Picture): Promise<void> {
  const chosen = blocksState(capture.captureId).getState().segment ?? ''
  const segment = Math.max(0, picture.segments.addresses.indexOf(chosen))
  const rows = await askBlocksOf(capture.captureId, picture, segment)
  if (!rows.ok) showMessage(failureSentence(rows.error), 'error')
  else if (rows.value)
    await saveTable(capture, `blocks-of-${picture.segments.addresses[segment]}-at-event-${picture.event}`, blocksCsv(rows.value))
  else await saveSegments(capture, picture)
}
