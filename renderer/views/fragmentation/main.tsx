// The view's main part: tool row, tiles, curves, and below them sizes and tables, or the table twin.
import { useEffect } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { useFocus } from '../../focus/focus-data.ts'
import { deviceName, formatBytes, formatCount } from '../../i18n/format.ts'
import { CanvasFrame } from '../../panels/canvas-frame.tsx'
import type { Pointer } from '../../plot/placed.ts'
import { cachedOf } from '../../space/measures.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { registerFragmentationCommands } from './commands.ts'
import { CurvePointer } from './curve-pointer.ts'
import { CurveScene } from './curve-scene.ts'
import { useFragmentation } from './fragmentation-data.ts'
import { GroupTable } from './group-table.tsx'
import { HoverOverlay } from './hover-overlay.ts'
import { startLoader } from './loader.ts'
import { PinTable } from './pin-table.tsx'
import { RangeTable } from './range-table.tsx'
import { Sizes } from './sizes.tsx'
import { TableTwin } from './table-twin.tsx'
import { useFragmentationTexts } from './texts.ts'
import { Tiles } from './tile-strip.tsx'
import { ToolRow } from './tool-row.tsx'
import { useReport } from './use-report.ts'
import './fragmentation.css'

/** Everything between the side bar and the drawer. */
export function FragmentationMain({ capture }: ViewProps) {
  const showTable = useView(capture.captureId, (view) => view.showTable)
  useEffect(() => registerFragmentationCommands(capture), [capture])
  useEffect(() => startLoader(capture), [capture])
  return (
    <div className='view frag'>
      <ToolRow capture={capture} />
      <div className='frag-page'>
        <Tiles capture={capture} />
        <Curves capture={capture} />
        {showTable ? (
          <TableTwin capture={capture} />
        ) : (
          <div className='frag-below'>
            <Sizes capture={capture} />
            <div className='frag-tables'>
              <RangeTable capture={capture} />
              <GroupTable capture={capture} />
              <PinTable capture={capture} />
            </div>
          </div>
        )}
      </div>
    </div>
  )
}

const menu = ['view.focusSelection', 'go.markRange', 'edit.addNote', 'go.peak', 'go.nextOom', 'view.table', 'file.exportImage'] as const

function startCurves(capture: CaptureSummary, host: HTMLElement, openMenu: (at: Pointer) => void): () => void {
  const scene = new CurveScene(capture, host)
  const input = () => scene.input()
  const pointer = new CurvePointer(capture, host, input, openMenu)
  const overlay = new HoverOverlay(capture, host, input)
  return () => {
    overlay.destroy()
    pointer.stop()
    scene.destroy()
  }
}

/** The curves; a sentence where the device has no history. */
function Curves({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  const device = useDevice(capture)
  const { measures } = useReport(capture)
  const isDrawn = useFragmentation(capture.captureId, (data) => data.curves !== undefined)
  const ownFailure = useFragmentation(capture.captureId, (data) => data.failure?.error)
  const focusFailure = useFocus(capture.captureId, (data) => data.failure?.error)
  if (device?.eventCount === 0) return <p className='frag-no-curves'>{t('noCurves')}</p>
  const label = t('canvasLabel', {
    device: device ? deviceName(device.device, device.deviceType) : '',
    events: formatCount(device?.eventCount ?? 0),
    event: formatCount(measures?.event ?? 0),
    reserved: formatBytes(measures?.reserved ?? 0),
    cached: formatBytes(measures ? cachedOf(measures) : 0),
    largest: formatBytes(measures?.largestFree ?? 0),
  })
  return (
    <div className='frag-curves'>
      <CanvasFrame
        capture={capture}
        name='fragmentation'
        label={label}
        isDrawn={isDrawn}
        failure={ownFailure ?? focusFailure}
        menu={menu}
        start={startCurves}
      />
    </div>
  )
}
