// The flame graph's main part: tool rows, canvas, table, scrubber.
import { useEffect } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { useFocus } from '../../focus/focus-data.ts'
import { deviceName, formatCount } from '../../i18n/format.ts'
import { CanvasFrame } from '../../panels/canvas-frame.tsx'
import { FilterNotice } from '../../panels/filter-notice.tsx'
import type { Pointer } from '../../plot/placed.ts'
import { Scrubber } from '../../scrubber/scrubber.tsx'
import { useDevice, useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { setOptions, zoomOutTo } from './actions.ts'
import { measuredOf, rootOf } from './assemble.ts'
import { registerFlameCommands } from './commands.ts'
import { useFlameData } from './flame-data.ts'
import { useFlameState } from './flame-state.ts'
import { HoverOverlay } from './hover-overlay.ts'
import { startLoader } from './loader.ts'
import { FlamePointer } from './pointer.ts'
import { startScene } from './scene.ts'
import { FlameTable } from './table.tsx'
import { useFlameTexts } from './texts.ts'
import { ToolRow } from './tool-row.tsx'
import { momentText, weightText, weightTitle } from './words.ts'
import './flame.css'
import './spots.css'

/** Everything between the side bar and the drawer. */
export function FlameMain({ capture }: ViewProps) {
  const showTable = useView(capture.captureId, (view) => view.showTable)
  useEffect(() => registerFlameCommands(capture), [capture])
  useEffect(() => startLoader(capture), [capture])
  return (
    <div className='view flame'>
      <ToolRow capture={capture} />
      <FlameCanvas capture={capture} />
      {showTable && <FlameTable capture={capture} />}
      {capture.profile === null && <Scrubber capture={capture} />}
    </div>
  )
}

const menu = [
  'view.zoomIn',
  'view.zoomOut',
  'view.zoomFit',
  'view.invert',
  'view.flip',
  'view.order',
  'edit.addNote',
  'edit.copyDetails',
  'view.table',
  'file.exportImage',
  'file.exportCsv',
] as const

function startCanvas(capture: CaptureSummary, host: HTMLElement, openMenu: (at: Pointer) => void): () => void {
  const stopScene = startScene(capture, host)
  const pointer = new FlamePointer(capture, host, openMenu)
  const overlay = new HoverOverlay(capture, host)
  return () => {
    overlay.destroy()
    pointer.stop()
    stopScene()
  }
}

function FlameCanvas({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const device = useDevice(capture)
  const answer = useFlameData(captureId, (data) => data.answer)
  const ownFailure = useFlameData(captureId, (data) => data.failure?.error)
  const focusFailure = useFocus(captureId, (data) => data.failure?.error)
  const label = answer
    ? t('canvasLabel', {
        device: device ? deviceName(device.device, device.deviceType) : capture.sourceName,
        weight: weightTitle(answer.weighed, t),
        moment: momentText(answer.weighed, t),
        total: weightText(answer.nodes, 0, measuredOf(capture, answer.weighed), t),
        nodes: formatCount(answer.nodes.tree.node.length),
      })
    : t('loading')
  return (
    <div className='flame-canvas'>
      <CanvasFrame
        capture={capture}
        name='flame'
        label={label}
        isDrawn={answer !== undefined}
        failure={ownFailure ?? focusFailure}
        menu={menu}
        start={startCanvas}
      >
        <FilterNotice capture={capture} />
        <Empty capture={capture} />
      </CanvasFrame>
    </div>
  )
}

/** Says why there is nothing to see, with the way out. */
function Empty({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const isEmpty = useFlameData(captureId, ({ answer }) => answer !== undefined && !((answer.nodes.width[0] ?? 0) > 0))
  const isZoomed = useFlameState(captureId, (state) => rootOf(state) !== 0)
  const nothing = capture.profile ? 'empty.noValues' : 'empty.nothing'
  const isFiltered = useFlameState(captureId, (state) => state.with.length + state.without.length > 0)
  if (!isEmpty) return null
  return (
    <div className='flame-empty' role='status'>
      <p>{t(isZoomed ? 'empty.zoomed' : isFiltered ? 'empty.filtered' : nothing)}</p>
      {isZoomed && (
        <button type='button' className='tool-button' onClick={() => zoomOutTo(capture, 0)}>
          {t('empty.showAll')}
        </button>
      )}
      {!isZoomed && isFiltered && (
        <button type='button' className='tool-button' onClick={() => setOptions(capture, { with: [], without: [] })}>
          {t('empty.unfilter')}
        </button>
      )}
    </div>
  )
}
