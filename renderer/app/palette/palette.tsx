// The box that finds everything: commands, captures, views, events, times, addresses.
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { type PaletteMode, showDialog } from '../../state/shell.ts'
import { announce } from '../../widgets/announce.ts'
import { Modal } from '../../widgets/modal.tsx'
import { chooseItem, type PaletteItem, paletteItems, readTyped } from './items.ts'

interface PaletteProps {
  readonly mode: PaletteMode
  readonly capture: CaptureSummary | undefined
}

const placeholders = {
  quick: 'palette.placeholder',
  commands: 'palette.placeholderCommands',
  goTo: 'palette.placeholderGoTo',
  recent: 'palette.placeholderRecent',
} as const

/** The palette in one of its modes. */
export function Palette({ mode, capture }: PaletteProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [index, setIndex] = useState(0)
  const listId = useId()
  const listed = useDeferredValue(typed)
  const items = paletteItems(listed, mode, capture)
  const mixed = readTyped(typed, mode).mode === 'quick'
  const selected = Math.min(index, items.length - 1)
  useEffect(() => announce(t('palette.results', { count: items.length })), [items.length, t])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const next = step(event, selected, items.length)
    if (next !== undefined) setIndex(next)
    // The list may still be that of a shorter text: Enter means what is typed.
    else if (event.key === 'Enter') chooseItem((listed === typed ? items : paletteItems(typed, mode, capture))[Math.max(0, selected)])
    else return
    event.preventDefault()
  }
  return (
    <Modal label={t('palette.label')} className='palette' onClose={() => showDialog(undefined)}>
      <input
        type='text'
        role='combobox'
        aria-label={t('palette.label')}
        aria-expanded='true'
        aria-autocomplete='list'
        aria-controls={listId}
        aria-activedescendant={items[selected] ? `${listId}-${selected}` : undefined}
        placeholder={t(placeholders[readTyped(typed, mode).mode])}
        spellCheck={false}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setIndex(0)
        }}
        onKeyDown={onKeyDown}
      />
      <PaletteList id={listId} label={t('palette.label')} items={items} selected={selected} showKind={mixed} onPoint={setIndex} />
      {items.length === 0 && <p className='palette-none'>{typed.trim() === '' ? t('palette.hint') : t('palette.none')}</p>}
    </Modal>
  )
}

const page = 10

function step(event: KeyboardEvent, index: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (event.key === 'ArrowDown') return (index + 1) % count
  if (event.key === 'ArrowUp') return (index + count - 1) % count
  if (event.key === 'PageDown') return Math.min(count - 1, index + page)
  if (event.key === 'PageUp') return Math.max(0, index - page)
  return undefined
}

interface PaletteListProps {
  readonly id: string
  readonly label: string
  readonly items: readonly PaletteItem[]
  readonly selected: number
  readonly showKind: boolean // only where several kinds stand together
  readonly onPoint: (index: number) => void // the pointer moved over an item
}

function PaletteList({ id, label, items, selected, showKind, onPoint }: PaletteListProps) {
  const { t } = useTranslation()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[selected]?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <div ref={list} id={id} className='palette-list' role='listbox' aria-label={label} tabIndex={-1}>
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the focus and takes the keys.
        <div
          key={item.id}
          id={`${id}-${index}`}
          role='option'
          tabIndex={-1}
          aria-selected={index === selected}
          aria-disabled={!item.enabled}
          title={item.enabled ? undefined : t('palette.unavailable')}
          // Only when it moves: items that scroll under a resting pointer do not take the choice from the keys.
          onPointerMove={() => onPoint(index)}
          onClick={() => chooseItem(item)}
        >
          {showKind && <span className='palette-kind'>{item.kind}</span>}
          <span className='truncate'>{item.title}</span>
          <span className='palette-hint'>{item.hint}</span>
        </div>
      ))}
    </div>
  )
}
