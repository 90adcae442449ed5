// The frame of a view's canvas: it takes the focus, opens the menu, and says why the picture is not up to date.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { Failure } from '../../preload/contract/errors.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { failureSentence } from '../i18n/texts.ts'
import type { Pointer } from '../plot/placed.ts'
import { CanvasMenu } from './canvas-menu.tsx'

interface CanvasFrameProps {
  readonly capture: CaptureSummary
  readonly name: string // for tests: name-canvas
  readonly label: string // what the picture shows, in words
  readonly isDrawn: boolean
  readonly failure: Failure | undefined
  readonly menu: readonly string[] // commands of its menu
  readonly children?: ReactNode // what lies over the canvas
  /** Puts scene and pointer into the host; answers their removal. `openMenu` takes a place of the window. Stays the same for a capture. */
  readonly start: (capture: CaptureSummary, host: HTMLElement, openMenu: (at: Pointer) => void) => () => void
}

/** The canvas and what lies over it. */
export function CanvasFrame({ capture, name, label, isDrawn, failure, menu, children, start }: CanvasFrameProps) {
  const t = usePanelTexts()
  const host = useRef<HTMLDivElement>(null)
  const [menuAt, setMenuAt] = useState<Pointer>()
  useEffect(() => (host.current ? start(capture, host.current, setMenuAt) : undefined), [capture, start])
  return (
    <div className='canvas-frame'>
      <div
        ref={host}
        className='canvas'
        role='application'
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys act on the canvas (Space pans), so it takes the focus
        tabIndex={0}
        data-testid={`${name}-canvas`}
        data-drawn={isDrawn ? 'yes' : 'no'}
      />
      {children}
      {menuAt && <CanvasMenu capture={capture} at={menuAt} offered={menu} onClose={() => setMenuAt(undefined)} />}
      {failure && (
        <p className='canvas-failure' role='alert'>
          {t('failed')} {failureSentence(failure)}
        </p>
      )}
    </div>
  )
}
