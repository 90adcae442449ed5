// The main part: tool row, canvas, foot line or table.
import { useEffect } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { runCommand } from '../../commands/registry.ts'
import { useFocus } from '../../focus/focus-data.ts'
import { counted, deviceName, formatCount } from '../../i18n/format.ts'
import { CanvasFrame } from '../../panels/canvas-frame.tsx'
import { FilterNotice } from '../../panels/filter-notice.tsx'
import type { Pointer } from '../../plot/placed.ts'
import { isFiltering } from '../../state/filter.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { isSingle } from './assemble.ts'
import { registerLifetimesCommands } from './commands.ts'
import { FootLine } from './foot-line.tsx'
import { HoverOverlay } from './hover-overlay.ts'
import { startLoader } from './loader.ts'
import { LifetimesPointer } from './pointer.ts'
import { LifetimesScene } from './scene.ts'
import { LifetimesTable } from './table.tsx'
import { ToolRow } from './tool-row.tsx'
import { useLifetimes, usePacedLifetimes, useTexts } from './use-lifetimes.ts'
import './lifetimes.css'

/** Everything between the side bar and the drawer. */
export function LifetimesMain({ capture }: ViewProps) {
  const showTable = useView(capture.captureId, (view) => view.showTable)
  useEffect(() => registerLifetimesCommands(capture), [capture])
  useEffect(() => startLoader(capture), [capture])
  return (
    <div className='view'>
      <ToolRow capture={capture} />
      <LifetimesCanvas capture={capture} />
      <FootLine capture={capture} />
      {showTable && <LifetimesTable capture={capture} />}
    </div>
  )
}

const menu = [
  'view.focusSelection',
  'go.previousItem',
  'go.nextItem',
  'go.allocEvent',
  'go.freeEvent',
  'go.markRange',
  'edit.addNote',
  'edit.copyAddress',
  'edit.copyDetails',
  'file.exportImage',
] as const

function startCanvas(capture: CaptureSummary, host: HTMLElement, openMenu: (at: Pointer) => void): () => void {
  const scene = new LifetimesScene(capture, host)
  const input = () => scene.input()
  const pointer = new LifetimesPointer(capture, host, input, openMenu)
  const overlay = new HoverOverlay(capture, host, input)
  return () => {
    overlay.destroy()
    pointer.stop()
    scene.destroy()
  }
}

function LifetimesCanvas({ capture }: ViewProps) {
  const t = useTexts()
  const { captureId } = capture
  const device = useDevice(capture)
  const isDrawn = useLifetimes(captureId, (data) => data.raster !== undefined)
  const ownFailure = useLifetimes(captureId, (data) => data.failure?.error)
  const focusFailure = useFocus(captureId, (data) => data.failure?.error)
  const data = usePacedLifetimes(captureId)
  const { raster, order } = data
  const label = t('canvasLabel', {
    device: device ? deviceName(device.device, device.deviceType) : '',
    events: formatCount(device?.eventCount ?? 0),
    shown: formatCount(raster?.data.shown ?? 0),
    order: t(`order.${order}`),
    level: t(isSingle(data) ? 'level.single' : 'level.heat'),
  })
  return (
    <div className='lifetimes-picture'>
      <CanvasFrame
        capture={capture}
        name='lifetimes'
        label={label}
        isDrawn={isDrawn}
        failure={ownFailure ?? focusFailure}
        menu={menu}
        start={startCanvas}
      />
      {raster?.data.shown === 0 && <NothingInSight capture={capture} />}
    </div>
  )
}

/** Says why the picture is empty, with the ways out. */
function NothingInSight({ capture }: ViewProps) {
  const t = useTexts()
  const { captureId } = capture
  const isFiltered = useView(captureId, (view) => isFiltering(view.filter))
  const passing = useFocus(captureId, (data) => data.passing?.count)
  if (isFiltered && passing === 0) return <FilterNotice capture={capture} />
  const words = isFiltered && passing !== undefined ? t('matchesElsewhere', counted(passing)) : undefined
  return (
    <div className='filter-notice' role='status'>
      <span className='t1'>{words ?? t('nothingInSight')}</span>
      <button type='button' className='tool-button' onClick={() => runCommand('view.zoomFit')}>
        {t('showAll')}
      </button>
      {isFiltered && (
        <button type='button' className='tool-button' onClick={() => runCommand('filter.clear')}>
          {t('clearFilter')}
        </button>
      )}
    </div>
  )
}
