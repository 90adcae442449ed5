// `tidemark report`: one file that explains a capture, composed by Electron in a hidden window.
import { busiestDevice, type CaptureSummary } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { chooseDevice } from './export.ts'
import { reportFailure } from './failure.ts'
import { runInHiddenWindow } from './hidden-window.ts'
import { parseReport, type ReportOptions } from './report-options.ts'
import { startSession, withProgress } from './session.ts'

/** Writes OUT and prints its path. Answers the exit status. */
export async function report(words: string[]): Promise<number> {
  const options = parseReport(words)
  const session = startSession()
  if (!session.ok) return reportFailure(session.error, options.file)
  const { captures } = session.value
  // As for export: made here, with progress and the file's own errors.
  const opened = await withProgress((load) => captures.open(options.file, load))
  await captures.closeAll()
  if (!opened.ok) return reportFailure(opened.error, options.file)
  const checked = check(opened.value, options)
  if (!checked.ok) return reportFailure(checked.error, options.file)
  if (process.stderr.isTTY) process.stderr.write('Composing the report\n')
  const written = await compose(options)
  if (!written.ok) return reportFailure(written.error, written.error.code.startsWith('export/') ? options.out : options.file)
  process.stdout.write(`${options.out}\n`)
  return 0
}

/** What can be refused before a window starts. */
function check(capture: CaptureSummary, { device, views }: ReportOptions): Result<void> {
  if (capture.profile)
    return fail('query/bad_argument', 'A report is about memory events, which a profile has not; export --view flame writes its graph')
  const needsBlocks = views?.find((view) => view === 'blocks' || view === 'fragmentation')
  if (!capture.hasBlocks && needsBlocks)
    return fail('query/bad_argument', `A trace does not say where memory lies, so it has no ${needsBlocks}`)
  if (!capture.trace && views?.includes('trace')) return fail('query/bad_argument', 'This capture is no trace')
  if (device === null && (capture.trace || busiestDevice(capture))) return ok(undefined)
  const chosen = chooseDevice(capture, device)
  return chosen.ok ? ok(undefined) : chosen
}

function compose({ file, out, views, notes, ...job }: ReportOptions): ReturnType<typeof runInHiddenWindow> {
  const { format, device, theme, language, shortPaths, madeAtMs } = job
  return runInHiddenWindow({
    source: file,
    out,
    task: {
      kind: 'report',
      job: { format, device, theme, language, shortPaths, madeAtMs, views: views === null ? null : [...views], notes: [...notes] },
    },
  })
}
