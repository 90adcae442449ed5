// The size asked for, in React.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { shownEvent } from '../../state/moment.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import { keepsRequest, requestOf } from './assemble.ts'
import { sameMoment, useBlocksData } from './blocks-data.ts'
import { useBlocksState } from './blocks-state.ts'
import type { Request } from './model-input.ts'

export interface ShownRequest {
  readonly request: Request | undefined
  readonly isPending: boolean // the picture is of another moment than the one asked for
}

/** `keepsRequest` of the device in front. */
export function useKeepsRequest(capture: CaptureSummary): boolean {
  const device = useView(capture.captureId, (view) => view.device)
  return useBlocksState(capture.captureId, (state) => keepsRequest(capture, device, state))
}

/** The request of the moment in front, with the engine's answer when it is there. */
export function useCaptureRequest(capture: CaptureSummary): ShownRequest {
  const { captureId } = capture
  const device = useDevice(capture)
  const event = useView(captureId, (view) => (device ? shownEvent(view, device) : -1)) ?? -1
  const state = useBlocksState(captureId, (each) => each)
  const fit = useBlocksData(captureId, (data) => data.fit)
  const picture = useBlocksData(captureId, (data) => data.picture)
  const moment = { device: device?.device ?? 0, event }
  return {
    request: requestOf(capture, moment, state, fit),
    isPending: picture !== undefined && !sameMoment(picture, moment),
  }
}
