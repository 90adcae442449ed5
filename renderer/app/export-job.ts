// A picture for the command line, made in a hidden window: open, set the view, draw, answer.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import type { ExportJob, PictureNote } from '../../preload/contract/shell.ts'
import { engine } from '../data/engine-client.ts'
import { showLanguage } from '../i18n/language.ts'
import { knowCapture } from '../state/captures.ts'
import { setView } from '../state/view-state.ts'
import { askShell, onShell } from './bridge.ts'
import { drawnFormat, makePicture } from './export-image.ts'
import { openForJob, wholeView } from './hidden-job.ts'
import { views } from './views.ts'

/** Answers every export job of the main process. */
export function startExportJobs(): void {
  onShell('export.job', (job) => void run(job))
}

async function run(job: ExportJob): Promise<void> {
  showLanguage(job.language)
  const notes = new Set<PictureNote>()
  const picture = await drawJob(job, (note) => notes.add(note))
  if (picture.ok) await askShell('export.jobDone', { data: picture.value, notes: [...notes] })
  else await askShell('export.jobDone', { error: { code: picture.error.code, message: picture.error.message } })
}

async function drawJob(job: ExportJob, tell: (note: PictureNote) => void): Promise<Result<Uint8Array<ArrayBuffer> | string>> {
  const opened = await openForJob(job)
  if (!opened.ok) return opened
  const { capture, device } = opened.value
  const shown = views.find((each) => each.id === job.view)
  if (!shown) return fail('query/bad_argument', `this version has no view ${job.view}`)
  if (!shown.shows(capture, device)) return fail('query/bad_argument', `${job.view} has nothing to show of device ${device?.device ?? 0}`)
  const cursor = await cursorEvent(capture, device, job.at)
  if (!cursor.ok) return cursor
  const whole = wholeView(opened.value, job.view, job.axis ?? undefined)
  const visible = job.range ? { x0: job.range[0], x1: job.range[1] } : whole.full
  if (!(visible.x1 > visible.x0)) return fail('query/bad_argument', 'the range is empty')
  const view = { ...whole, filter: { text: job.filter }, visible, cursorEvent: cursor.value }
  if (job.colorBy) shown.setColorBy?.(capture, job.colorBy)
  shown.ownLook?.restore(capture.captureId, job.look)
  knowCapture(capture) // its filter asks about it
  setView(capture.captureId, job.colorBy ? { ...view, colorBy: job.colorBy } : view)
  const { width, height, theme } = job
  return makePicture(capture, { format: drawnFormat(job.format), width, height, scale: 1, theme, tell, wholeRange: job.range === null })
}

async function cursorEvent(
  capture: CaptureSummary,
  device: DeviceSummary | undefined,
  at: ExportJob['at'],
): Promise<Result<number | undefined>> {
  if (at === null || !device) return ok(undefined)
  if (at === 'peak') return ok(device.peakEvent)
  if (at === 'end') return ok(device.eventCount - 1)
  if ('event' in at)
    return at.event < device.eventCount ? ok(at.event) : fail('query/bad_argument', `event ${at.event} is not in the capture`)
  const answer = await engine.call('timeline.eventAt', { captureId: capture.captureId, device: device.device, timeNs: at.timeNs })
  return answer.ok ? ok(answer.value.event) : answer
}
