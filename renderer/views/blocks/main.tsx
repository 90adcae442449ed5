// The block map's main part: tool row, tiles, canvas or table, what the event did, scrubber.
import { useEffect } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { runCommand } from '../../commands/registry.ts'
import { useFocus } from '../../focus/focus-data.ts'
import { deviceName, formatBytes, formatCount } from '../../i18n/format.ts'
import { CanvasFrame } from '../../panels/canvas-frame.tsx'
import { FilterNotice } from '../../panels/filter-notice.tsx'
import type { Pointer } from '../../plot/placed.ts'
import { Scrubber } from '../../scrubber/scrubber.tsx'
import { useDevice, useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { useBlocksData } from './blocks-data.ts'
import { registerBlockCommands } from './commands.ts'
import { EventLine } from './event-line.tsx'
import { HoverOverlay } from './hover-overlay.ts'
import { startLoader } from './loader.ts'
import { BlocksPointer } from './pointer.ts'
import { startScene } from './scene.ts'
import { BlocksTable } from './table.tsx'
import { useBlocksTexts } from './texts.ts'
import { Tiles } from './tiles.tsx'
import { ToolRow } from './tool-row.tsx'
import { totalsOf } from './totals.ts'
import { useOfMoment } from './use-of-moment.ts'
import './blocks.css'

/** Everything between the side bar and the drawer. */
export function BlocksMain({ capture }: ViewProps) {
  const showTable = useView(capture.captureId, (view) => view.showTable)
  useEffect(() => registerBlockCommands(capture), [capture])
  useEffect(() => startLoader(capture), [capture])
  return (
    <div className='view blocks'>
      <ToolRow capture={capture} />
      <Tiles capture={capture} />
      <BlocksCanvas capture={capture} />
      {showTable && <BlocksTable capture={capture} />}
      <EventLine capture={capture} />
      <Scrubber capture={capture} />
    </div>
  )
}

const menu = [
  'view.focusSelection',
  'go.allocEvent',
  'go.freeEvent',
  'edit.addNote',
  'edit.copyAddress',
  'edit.copyDetails',
  'file.exportImage',
] as const

function startCanvas(capture: CaptureSummary, host: HTMLElement, openMenu: (at: Pointer) => void): () => void {
  const stopScene = startScene(capture, host)
  const pointer = new BlocksPointer(capture, host, openMenu)
  const overlay = new HoverOverlay(capture, host)
  return () => {
    overlay.destroy()
    pointer.stop()
    stopScene()
  }
}

/** Says that the filter leaves nothing of this moment, where other moments have something. */
function NothingMatches({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const { captureId } = capture
  const { value: matching, isPending } = useOfMoment(captureId, (data) => data.matching)
  const passesSome = useFocus(captureId, ({ passing }) => (passing?.count ?? 0) > 0)
  if (isPending || matching?.count !== 0 || !passesSome) return null
  return (
    <div className='filter-notice' role='status'>
      <span className='t1'>{t('nothingMatches')}</span>
      <button type='button' className='tool-button' onClick={() => runCommand('filter.clear')}>
        {t('clearFilter')}
      </button>
    </div>
  )
}

function BlocksCanvas({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const device = useDevice(capture)
  const picture = useBlocksData(capture.captureId, (data) => data.picture)
  const ownFailure = useBlocksData(capture.captureId, (data) => data.failure?.error)
  const focusFailure = useFocus(capture.captureId, (data) => data.failure?.error)
  const totals = picture && totalsOf(picture.report)
  const label = t('canvasLabel', {
    device: device ? deviceName(device.device, device.deviceType) : '',
    event: formatCount(picture?.event ?? 0),
    segments: formatCount(totals?.segments ?? 0),
    blocks: formatCount(totals?.blocks ?? 0),
    reserved: formatBytes(totals?.reserved ?? 0),
    largest: formatBytes(totals?.largestFree ?? 0),
  })
  const isEmpty = totals?.segments === 0
  return (
    <div className='blocks-canvas'>
      <CanvasFrame
        capture={capture}
        name='blocks'
        label={label}
        isDrawn={picture !== undefined}
        failure={ownFailure ?? focusFailure}
        menu={menu}
        start={startCanvas}
      >
        <FilterNotice capture={capture} />
        <NothingMatches capture={capture} />
      </CanvasFrame>
      {isEmpty && <p className='blocks-empty'>{t('empty')}</p>}
      {picture && totals && !isEmpty && picture.list.lines.length === 0 && <p className='blocks-empty'>{t('allHidden')}</p>}
    </div>
  )
}
