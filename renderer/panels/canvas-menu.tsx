// The menu of the canvas: what can be done with the selection and the picture, from command objects.
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { canRun, runCommand } from '../commands/registry.ts'
import { useKeyLabels } from '../commands/use-commands.ts'
import { useFocus } from '../focus/focus-data.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { commandTitle } from '../i18n/texts.ts'
import type { Pointer } from '../plot/placed.ts'
import { Menu, type MenuItem } from '../widgets/menu-button.tsx'
import { showInCommands } from './show-in.tsx'

const edgePx = 8 // kept between menu and window
interface CanvasMenuProps {
  readonly capture: CaptureSummary
  readonly at: Pointer // CSS pixels of the window
  readonly offered: readonly string[] // commands about what lies there; the other views follow by themselves
  readonly onClose: () => void
}

/** The menu, opened at a place of the window and moved to lie inside it. The focus returns to where it was. */
export function CanvasMenu({ capture, at, offered, onClose }: CanvasMenuProps) {
  const t = usePanelTexts()
  const id = useId()
  const frame = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState(at)
  const [before] = useState(() => document.activeElement)
  const keyOf = useKeyLabels()
  // What depends on the selection is offered as soon as its details are there.
  useFocus(capture.captureId, (data) => data.details)
  useLayoutEffect(() => {
    const menu = frame.current?.firstElementChild
    if (!(menu instanceof HTMLElement)) return
    const inside = (start: number, length: number, room: number) => Math.max(edgePx, Math.min(start, room - length - edgePx))
    setPlace({ xPx: inside(at.xPx, menu.offsetWidth, innerWidth), yPx: inside(at.yPx, menu.offsetHeight, innerHeight) })
  }, [at])
  useEffect(() => {
    return () => {
      if (before instanceof HTMLElement && (document.activeElement === document.body || document.activeElement === null)) before.focus()
    }
  }, [before])
  const items = [...offered, ...showInCommands()].map((command): MenuItem => {
    return { id: command, label: commandTitle(command), disabled: !canRun(command), keys: keyOf(command) }
  })
  const choose = (command: string) => {
    onClose()
    runCommand(command)
  }
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: focus leaving is no interaction; the menu inside holds the role.
    <div
      ref={frame}
      className='canvas-menu'
      style={{ left: place.xPx, top: place.yPx }}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && onClose()}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Menu id={id} label={t('menu')} items={items} onChoose={choose} onClose={onClose} />
    </div>,
    document.body,
  )
}
