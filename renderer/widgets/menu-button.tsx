// A button that opens a short menu: arrows move, Enter chooses, Esc and a click elsewhere close it.
import { ChevronDown } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'

export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly keys?: string
  readonly disabled?: boolean
}

interface MenuButtonProps {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly onChoose: (id: string) => void
  readonly disabled?: boolean
}

const steps: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** The button and its menu. */
export function MenuButton({ label, items, onChoose, disabled = false }: MenuButtonProps) {
  const [open, setOpen] = useState(false)
  const menuId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const closeOnLeave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
  }
  const choose = (id: string) => {
    close()
    onChoose(id)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: focus leaving is no interaction; button and menu hold the roles.
    <div className='menu-anchor' onBlur={closeOnLeave}>
      <button
        ref={button}
        type='button'
        className='button'
        aria-haspopup='menu'
        aria-expanded={open}
        aria-controls={open ? menuId : undefined}
        disabled={disabled}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {label}
        <ChevronDown aria-hidden='true' size={14} />
      </button>
      {open && <Menu id={menuId} label={label} items={items} onChoose={choose} onClose={close} />}
    </div>
  )
}

interface MenuProps extends Pick<MenuButtonProps, 'label' | 'items' | 'onChoose'> {
  readonly id: string
  readonly onClose: () => void
}

/** The menu alone, for those that open it in another way. */
export function Menu({ id, label, items, onChoose, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const buttons = () => [...(menu.current?.querySelectorAll<HTMLButtonElement>('button:not(:disabled)') ?? [])]
  useEffect(() => {
    menu.current?.querySelector<HTMLButtonElement>('button:not(:disabled)')?.focus()
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    const all = buttons()
    const index = all.findIndex((each) => each.matches(':focus'))
    const step = steps[event.key]
    if (step) all[step(index, all.length)]?.focus()
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div ref={menu} id={id} className='menu' role='menu' aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
      {items.map((item) => (
        <button key={item.id} type='button' role='menuitem' tabIndex={-1} disabled={item.disabled} onClick={() => onChoose(item.id)}>
          <span>{item.label}</span>
          {item.keys ? <span className='menu-keys'>{item.keys}</span> : null}
        </button>
      ))}
    </div>
  )
}
