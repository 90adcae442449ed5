// A modal dialog on the native element: focus stays inside, Esc closes, focus returns to where it was.
import { type MouseEvent, type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react'

interface ModalProps {
  readonly label: string
  readonly className?: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Shows its children in a dialog until `onClose` takes it away. */
export function Modal({ label, className = '', onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    if (element && !element.open) element.showModal()
    // Removal from the page closes it; `close()` here would send a late event that closes the dialog opened next.
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  // Taken away at once: between the dialog's own closing and its late event, a key could open it again and the event take that away.
  const closeOnEscape = (event: SyntheticEvent) => {
    event.preventDefault()
    onClose()
  }
  const closeOnBackdrop = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes natively; the click only adds the backdrop.
    <dialog
      ref={dialog}
      className={`modal ${className}`}
      aria-label={label}
      onCancel={closeOnEscape}
      onClose={onClose}
      onClick={closeOnBackdrop}
    >
      <div className='modal-body'>{children}</div>
    </dialog>
  )
}
