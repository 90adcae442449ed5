// What the jobs of a hidden window have in common: their capture and device, and a view that shows everything.
import { busiestDevice, type CaptureSummary, type DeviceSummary } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import type { ExportJob, ViewId } from '../../preload/contract/shell.ts'
import { engine } from '../data/engine-client.ts'
import { deviceOf, fullRange, initialView } from '../state/initial-view.ts'
import type { ViewState } from '../state/view-state.ts'

interface OfJob {
  readonly capture: CaptureSummary
  readonly device: DeviceSummary | undefined // the busiest unless one is asked for; undefined: the capture has none
}

/** Opens the capture of a job. Errors: those of `capture.open`; `query/bad_argument` for a device that is not in it. */
export async function openForJob({ token, device: wanted }: Pick<ExportJob, 'token' | 'device'>): Promise<Result<OfJob>> {
  const opened = await engine.call('capture.open', { token })
  if (!opened.ok) return opened
  const capture = opened.value
  const device = wanted === null ? busiestDevice(capture) : deviceOf(capture, wanted)
  return device || wanted === null ? ok({ capture, device }) : fail('query/bad_argument', `device ${wanted} is not in the capture`)
}

/** A view of everything there is, without a cursor: it then stands at the failure, else at the peak. */
export function wholeView(
  { capture, device }: OfJob,
  view: ViewId,
  axis: ViewState['axis'] = view === 'trace' ? 'time' : 'event',
): ViewState {
  const full = fullRange(capture, device, axis)
  const initial = initialView(capture)
  return { ...initial, view, device: device?.device ?? initial.device, axis, full, visible: full }
}
