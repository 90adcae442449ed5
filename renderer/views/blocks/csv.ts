// The table of the moment shown as a CSV file: the segments, or the blocks of the selected one while those are listed.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { saveTable } from '../../app/save-table.ts'
import { counted, formatAddress, formatCount } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { showMessage } from '../../state/shell.ts'
import { viewOf } from '../../state/view-state.ts'
import { blocksData, type Picture } from './blocks-data.ts'
import { blocksState } from './blocks-state.ts'
import { askBlocksOf } from './questions.ts'
import { blocksCsv, segmentsCsv, sortBlocks, sortSegments } from './table-rows.ts'
import { blocksText as t } from './texts.ts'

/** Asks where to write the table, in the order it is listed in, and says how it went. */
export async function saveBlocksViewCsv(capture: CaptureSummary): Promise<void> {
  const { picture } = blocksData(capture.captureId).getState()
  if (!picture) return
  const isOfBlocks = viewOf(capture.captureId)?.showTable && blocksState(capture.captureId).getState().tableOf === 'blocks'
  if (isOfBlocks) await saveBlocks(capture, picture)
  else await saveSegments(capture, picture)
}

async function saveSegments(capture: CaptureSummary, { segments, event }: Picture): Promise<void> {
  const { segmentSort } = blocksState(capture.captureId).getState()
  await saveTable(capture, `segments-at-event-${event}`, segmentsCsv(segments, sortSegments(segments, segmentSort)))
  const { addresses, leftOut } = segments
  if (leftOut > 0) showMessage(t('table.leftOut', { shown: formatCount(addresses.length), ...counted(leftOut) }))
}

async function saveBlocks(capture: CaptureSummary, picture: Picture): Promise<void> {
  const { segments, event } = picture
  const { segment: chosen, blockSort } = blocksState(capture.captureId).getState()
  const segment = Math.max(0, segments.addresses.indexOf(chosen ?? ''))
  const address = segments.addresses[segment] ?? ''
  const rows = await askBlocksOf(capture.captureId, picture, segment)
  if (!rows.ok) showMessage(failureSentence(rows.error), 'error')
  else if (rows.value) await saveTable(capture, `blocks-of-${address}-at-event-${event}`, blocksCsv(sortBlocks(rows.value, blockSort)))
  else {
    const formatted = formatCount(segments.blockCount[segment] ?? 0)
    showMessage(t('table.tooMany', { formatted, segment: formatAddress(address) }), 'error')
  }
}
