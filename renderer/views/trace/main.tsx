// The main part: tool row, canvas, table.
import { useEffect } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { useFocus } from '../../focus/focus-data.ts'
import { formatCount } from '../../i18n/format.ts'
import { CanvasFrame } from '../../panels/canvas-frame.tsx'
import type { Pointer } from '../../plot/placed.ts'
import { useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { followAwaited } from './awaited.ts'
import { registerTraceCommands } from './commands.ts'
import { HoverOverlay } from './hover-overlay.ts'
import { startLoader } from './loader.ts'
import { TracePointer } from './pointer.ts'
import { TraceScene } from './scene.ts'
import { TraceTable } from './table.tsx'
import { ToolRow } from './tool-row.tsx'
import { useTexts, useTrace } from './use-trace.ts'

/** Everything between the side bar and the drawer. */
export function TraceMain({ capture }: ViewProps) {
  const showTable = useView(capture.captureId, (view) => view.showTable)
  useEffect(() => registerTraceCommands(capture), [capture])
  useEffect(() => startLoader(capture), [capture])
  useEffect(() => followAwaited(capture), [capture])
  return (
    <div className='view'>
      <ToolRow capture={capture} />
      <TraceCanvas capture={capture} />
      {showTable && <TraceTable capture={capture} />}
    </div>
  )
}

const menu = [
  'view.focusSelection',
  'go.markRange',
  'edit.addNote',
  'go.previousItem',
  'go.nextItem',
  'go.allocEvent',
  'go.freeEvent',
  'view.pinRow',
  'view.foldRow',
  'view.foldAll',
  'file.exportImage',
] as const

function startCanvas(capture: CaptureSummary, host: HTMLElement, openMenu: (at: Pointer) => void): () => void {
  const scene = new TraceScene(capture, host)
  const input = () => scene.input()
  const pointer = new TracePointer(capture, host, input, openMenu)
  const overlay = new HoverOverlay(capture, host, input)
  return () => {
    overlay.destroy()
    pointer.stop()
    scene.destroy()
  }
}

function TraceCanvas({ capture }: ViewProps) {
  const t = useTexts()
  const { captureId } = capture
  const isDrawn = useTrace(captureId, (data) => data.raster !== undefined)
  const ownFailure = useTrace(captureId, (data) => data.failure?.error)
  const focusFailure = useFocus(captureId, (data) => data.failure?.error)
  const trackCount = capture.trace?.trackCount ?? 0
  const label = t('canvasLabel', { tracks: formatCount(trackCount), slices: formatCount(capture.trace?.sliceCount ?? 0) })
  return (
    <CanvasFrame
      capture={capture}
      name='trace'
      label={label}
      isDrawn={isDrawn}
      failure={ownFailure ?? focusFailure}
      menu={menu}
      start={startCanvas}
    />
  )
}
