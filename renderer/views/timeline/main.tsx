// The timeline's main part: tool row, canvas, summary or table.
import { useEffect, useRef, useState } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { formatBytes, formatCount } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { useCaptures } from '../../state/captures.ts'
import { useView } from '../../state/use-view.ts'
import { registerTimelineCommands } from './commands.ts'
import { CanvasMenu } from './context-menu.tsx'
import { HoverOverlay } from './hover-overlay.ts'
import { LiveTable } from './live-table.tsx'
import { startLoader } from './loader.ts'
import { TimelinePointer } from './pointer.ts'
import { TimelineScene } from './scene.ts'
import { startSpeaking } from './spoken.ts'
import { SummaryTable } from './summary-table.tsx'
import { forgetClosed, type Pointer } from './timeline-data.ts'
import { ToolRow } from './tool-row.tsx'
import { useDevice, usePacedTimeline, useTexts, useTimeline } from './use-timeline.ts'
import './panels.css'
import './tables.css'
import './timeline.css'

interface CaptureProps {
  readonly capture: CaptureSummary
}

/** Everything between the side bar and the drawer. */
export function TimelineMain({ capture }: CaptureProps) {
  const showTable = useView(capture.captureId, (view) => view.showTable)
  useEffect(() => registerTimelineCommands(capture), [capture])
  useEffect(() => startSpeaking(capture), [capture])
  useEffect(() => {
    const open = useCaptures.getState().tabs.flatMap((tab) => (tab.status === 'ready' ? [tab.capture.captureId] : []))
    forgetClosed(new Set([...open, capture.captureId]))
    return startLoader(capture)
  }, [capture])
  return (
    <div className='timeline'>
      <ToolRow capture={capture} />
      <TimelineCanvas capture={capture} />
      {showTable ? <LiveTable capture={capture} /> : <SummaryTable capture={capture} />}
    </div>
  )
}

function TimelineCanvas({ capture }: CaptureProps) {
  const t = useTexts()
  const host = useRef<HTMLDivElement>(null)
  const [menuAt, setMenuAt] = useState<Pointer>()
  const device = useDevice(capture)
  const isDrawn = useTimeline(capture.captureId, (data) => data.raster !== undefined)
  const failure = useTimeline(capture.captureId, (data) => data.failure?.error)
  const { raster } = usePacedTimeline(capture.captureId)
  useEffect(() => {
    const element = host.current
    if (!element) return
    const scene = new TimelineScene(capture, element)
    const input = () => scene.input()
    const pointer = new TimelinePointer(capture, element, input, setMenuAt)
    const overlay = new HoverOverlay(capture, element, input)
    return () => {
      overlay.destroy()
      pointer.stop()
      scene.destroy()
    }
  }, [capture])
  const label = t('canvasLabel', {
    device: device?.device ?? 0,
    events: formatCount(device?.eventCount ?? 0),
    shown: formatCount(raster?.data.shown ?? 0),
    peak: formatBytes(device?.peakAllocatedBytes ?? 0),
  })
  return (
    <div className='timeline-canvas-frame'>
      <div
        ref={host}
        className='timeline-canvas'
        role='application'
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys act on the canvas (Space pans), so it takes the focus
        tabIndex={0}
        data-testid='timeline-canvas'
        data-drawn={isDrawn ? 'yes' : 'no'}
      />
      {menuAt && <CanvasMenu capture={capture} at={menuAt} onClose={() => setMenuAt(undefined)} />}
      {failure && (
        <p className='timeline-failure' role='alert'>
          {t('failed')} {failureSentence(failure)}
        </p>
      )}
    </div>
  )
}
