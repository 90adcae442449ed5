// The window's own report: composed as the window is now, then the main process asks where to keep it.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import type { ReportFormat, ReportView } from '../../preload/contract/report-job.ts'
import { sameFilter } from '../state/filter.ts'
import { noFilter, viewOf } from '../state/view-state.ts'
import { askShell } from './bridge.ts'
import { composeReport } from './compose-report.ts'
import { baseName, tellSaved } from './save-table.ts'

/** What it does at the moment; at: 0-based place of the picture being drawn. */
export type SaveProgress = 'gathering' | 'writing' | { readonly at: number; readonly all: number }

export interface SaveRequest {
  readonly format: ReportFormat
  readonly device: DeviceSummary | undefined
  readonly views: readonly ReportView[]
  readonly wholeRange: boolean
  readonly theme: 'light' | 'dark'
  readonly shortPaths: boolean
  readonly notes: readonly string[]
  readonly signal: AbortSignal
  readonly onProgress: (progress: SaveProgress) => void
}

/** True when the window shows something of its own choice: then its pictures are not those of a report at its first. */
function isLookedAt({ captureId }: CaptureSummary): boolean {
  const view = viewOf(captureId)
  return view !== undefined && (view.cursorEvent !== undefined || !sameFilter(view.filter, noFilter))
}

/** Composes, asks where, writes, and says how it went unless it was withdrawn. True when it was saved. */
export async function saveReport(capture: CaptureSummary, request: SaveRequest): Promise<boolean> {
  const { format, views, signal, onProgress, device } = request
  onProgress('gathering')
  const page = await composeReport(capture, {
    ...request,
    isAsInWindow: !request.wholeRange || isLookedAt(capture),
    madeAtMs: Date.now(),
    onProgress: (at) => onProgress(at === undefined ? 'writing' : { at, all: views.length }),
  })
  if (signal.aborted) return false
  const suggestedName = `${baseName(capture)}-report${capture.devices.length > 1 && device ? `-device${device.device}` : ''}.${format}`
  const saved = page.ok ? await askShell('export.saveReport', { format, suggestedName, page: page.value }) : page
  return tellSaved(saved)
}
