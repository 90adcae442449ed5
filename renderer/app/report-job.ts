// A report for the command line, composed in a hidden window: open, draw each view as it is at first, answer.
import { fail, type Result } from '../../preload/contract/errors.ts'
import type { ReportJob } from '../../preload/contract/report-job.ts'
import { showLanguage } from '../i18n/language.ts'
import { setView } from '../state/view-state.ts'
import { askShell, onShell } from './bridge.ts'
import { composeReport, reportViewsOf } from './compose-report.ts'
import { openForJob, wholeView } from './hidden-job.ts'

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
  const opened = await openForJob(job)
  if (!opened.ok) return opened
  const { capture, device } = opened.value
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
    prepare: ({ id }) => setView(capture.captureId, wholeView(opened.value, id)),
  })
}
