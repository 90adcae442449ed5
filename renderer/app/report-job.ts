// A report for the command line, composed in a hidden window: open, draw each view as it is at first, answer.
import { busiestDevice, type CaptureSummary, type DeviceSummary } from '../../preload/contract/capture.ts'
import { fail, type Result } from '../../preload/contract/errors.ts'
import type { ReportJob } from '../../preload/contract/report-job.ts'
import { engine } from '../data/engine-client.ts'
import { showLanguage } from '../i18n/language.ts'
import { deviceOf, fullRange, initialView } from '../state/initial-view.ts'
import { setView } from '../state/view-state.ts'
import type { ViewDefinition } from '../views/view.ts'
import { askShell, onShell } from './bridge.ts'
import { composeReport, reportViewsOf } from './compose-report.ts'

/** Answers every report job of the main process. */
export function startReportJobs(): void {
  onShell('report.job', (job) => void run(job))
}

async function run(job: ReportJob): Promise<void> {
  showLanguage(job.language)
  const page = await composeJob(job)
  if (page.ok) await askShell('export.jobDone', { data: page.value })
  else await askShell('export.jobDone', { error: { code: page.error.code, message: page.error.message } })
}

async function composeJob(job: ReportJob): Promise<Result<string>> {
  const opened = await engine.call('capture.open', { token: job.token })
  if (!opened.ok) return opened
  const capture = opened.value
  const device = job.device === null ? busiestDevice(capture) : deviceOf(capture, job.device)
  if (!device && job.device !== null) return fail('query/bad_argument', `device ${job.device} is not in the capture`)
  const offered = reportViewsOf(capture, device)
  const missing = job.views?.find((view) => !offered.includes(view))
  if (missing) return fail('query/bad_argument', `${missing} has nothing to show of device ${device?.device ?? 0}`)
  const { theme, shortPaths, notes, madeAtMs } = job
  return composeReport(capture, {
    device,
    views: offered.filter((view) => job.views?.includes(view) ?? true),
    theme,
    wholeRange: true,
    isAsInWindow: false,
    shortPaths,
    notes,
    madeAtMs: madeAtMs ?? Date.now(),
    prepare: (view) => putInFront(capture, device, view),
  })
}

/** Everything there is, without a cursor: each view then stands at the failure, else at the peak. */
function putInFront(capture: CaptureSummary, device: DeviceSummary | undefined, { id }: ViewDefinition): void {
  const axis = id === 'trace' ? 'time' : 'event'
  const full = fullRange(capture, device, axis)
  const initial = initialView(capture)
  setView(capture.captureId, { ...initial, view: id, device: device?.device ?? initial.device, axis, full, visible: full })
}
