// The timeline's main part: tool row, canvas, summary or table.
import { useEffect } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { useFocus } from '../../focus/focus-data.ts'
import { deviceName, formatBytes, formatCount } from '../../i18n/format.ts'
import { CanvasFrame } from '../../panels/canvas-frame.tsx'
import { FilterNotice } from '../../panels/filter-notice.tsx'
import type { Pointer } from '../../plot/placed.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { registerTimelineCommands } from './commands.ts'
import { HoverOverlay } from './hover-overlay.ts'
import { LiveTable } from './live-table.tsx'
import { startLoader } from './loader.ts'
import { TimelinePointer } from './pointer.ts'
import { TimelineScene } from './scene.ts'
import { SummaryTable } from './summary-table.tsx'
import { ToolRow } from './tool-row.tsx'
import { usePacedTimeline, useTexts, useTimeline } from './use-timeline.ts'
import './timeline.css'
import './tables.css'

/** Everything between the side bar and the drawer. */
export function TimelineMain({ capture }: ViewProps) {
  const showTable = useView(capture.captureId, (view) => view.showTable)
  useEffect(() => registerTimelineCommands(capture), [capture])
  useEffect(() => startLoader(capture), [capture])
  return (
    <div className='view'>
      <ToolRow capture={capture} />
      <TimelineCanvas capture={capture} />
      {showTable ? <LiveTable capture={capture} /> : <SummaryTable capture={capture} />}
    </div>
  )
}

const menu = [
  'view.focusSelection',
  'go.allocEvent',
  'go.freeEvent',
  'go.markRange',
  'edit.addNote',
  'edit.copyAddress',
  'edit.copyDetails',
  'file.exportImage',
] as const

function startCanvas(capture: CaptureSummary, host: HTMLElement, openMenu: (at: Pointer) => void): () => void {
  const scene = new TimelineScene(capture, host)
  const input = () => scene.input()
  const pointer = new TimelinePointer(capture, host, input, openMenu)
  const overlay = new HoverOverlay(capture, host, input)
  return () => {
    overlay.destroy()
    pointer.stop()
    scene.destroy()
  }
}

function TimelineCanvas({ capture }: ViewProps) {
  const t = useTexts()
  const device = useDevice(capture)
  const isDrawn = useTimeline(capture.captureId, (data) => data.raster !== undefined)
  const ownFailure = useTimeline(capture.captureId, (data) => data.failure?.error)
  const focusFailure = useFocus(capture.captureId, (data) => data.failure?.error)
  const { raster } = usePacedTimeline(capture.captureId)
  const label = t('canvasLabel', {
    device: device ? deviceName(device.device, device.deviceType) : '',
    events: formatCount(device?.eventCount ?? 0),
    shown: formatCount((raster?.data.shown ?? 0) - (raster?.data.folded ?? 0)),
    peak: formatBytes(device?.peakAllocatedBytes ?? 0),
  })
  const failure = ownFailure ?? focusFailure
  return (
    <CanvasFrame capture={capture} name='timeline' label={label} isDrawn={isDrawn} failure={failure} menu={menu} start={startCanvas}>
      <FilterNotice capture={capture} />
    </CanvasFrame>
  )
}
