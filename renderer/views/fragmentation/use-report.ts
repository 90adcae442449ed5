// The report in React: of the moment shown, or of the one before until its answer is there.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { type Measures, measuresOf } from '../../space/measures.ts'
import { shownEvent } from '../../state/moment.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import { failedBytesAt } from './assemble.ts'
import { type PlacedReport, useFragmentation } from './fragmentation-data.ts'

export interface ShownReport {
  readonly report: PlacedReport | undefined
  readonly measures: Measures | undefined // its totals
  readonly failedBytes: number | undefined // of the allocation that failed at its moment
  readonly isPending: boolean // it is of another moment than the one to be shown
}

/** What the tiles and tables are about. */
export function useReport(capture: CaptureSummary): ShownReport {
  const device = useDevice(capture)
  const cursorEvent = useView(capture.captureId, (view) => view.cursorEvent)
  const answered = useFragmentation(capture.captureId, (data) => data.report)
  const report = device && answered?.device === device.device ? answered : undefined
  return {
    report,
    measures: report && { ...measuresOf(report.value.totals, report.event), timeNs: report.timeNs },
    failedBytes: report && device && failedBytesAt(device, report.event),
    isPending: device !== undefined && report !== undefined && report.event !== shownEvent({ cursorEvent }, device),
  }
}
