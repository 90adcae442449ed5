// The table twin as a CSV file: what is saved is what it shows.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { saveTable } from '../../app/save-table.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { groupRows, groupsCsv, sortGroups } from '../../space/groups.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { showMessage } from '../../state/shell.ts'
import { viewOf } from '../../state/view-state.ts'
import { barsOf, reportNow } from './assemble.ts'
import { fragmentationData } from './fragmentation-data.ts'
import { keyMoments, momentsCsv, sortMoments } from './moments.ts'
import { askMoments } from './questions.ts'
import { sizesCsv, sortSizes } from './size-bars.ts'

/** Asks where to write the table and says how it went. */
export async function saveFragmentationCsv(capture: CaptureSummary): Promise<void> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const device = view && deviceOf(capture, view.device)
  if (!view || !device) return
  const data = fragmentationData(captureId).getState()
  if (data.twin === 'moments') {
    const moments = keyMoments(device, view.cursorEvent)
    const rows = await askMoments(
      { captureId, device: device.device },
      moments.map(({ event }) => event),
      device.eventCount > 0,
    )
    if (rows.ok) await saveTable(capture, 'fragmentation', momentsCsv(sortMoments(moments, rows.value, data.momentOrder)))
    else showMessage(failureSentence(rows.error), 'error')
    return
  }
  const report = reportNow(view, data)
  if (!report) return
  const at = device.eventCount > 0 ? `-at-event-${report.event}` : ''
  if (data.twin === 'sizes') await saveTable(capture, `sizes${at}`, sizesCsv(sortSizes(barsOf(report), data.sizeOrder)))
  else await saveTable(capture, `pools${at}`, groupsCsv(sortGroups(groupRows(report.value, report.event), data.groupOrder)))
}
