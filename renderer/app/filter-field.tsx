// The field of the filter: the language of filter-language.ts, with what is wrong and what may follow below it.

import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { FilterError } from '../../preload/contract/filter/filter-language.ts'
import { mostFilterText } from '../../preload/contract/shell.ts'
import { later } from '../data/later.ts'
import { translate } from '../i18n/language.ts'
import { useTexts } from '../i18n/part-texts.ts'
import { addressInText, contextOf, isFiltering, termsOf } from '../state/filter.ts'
import { type Completion, type Completions, completionsOf } from '../state/filter-completion.ts'
import { goTo } from '../state/go-to.ts'
import { showMessage, useShell } from '../state/shell.ts'
import { type AllocationFilter, noFilter, patchView, viewOf } from '../state/view-state.ts'
import { errorWords, filterText } from './filter-words.ts'

const restMs = 200
const fieldId = 'filter-text'

/** Puts the focus into the field, also from behind a hidden side bar. */
export function focusFilter(): void {
  useShell.setState({ showSideBar: true })
  setTimeout(() => document.getElementById(fieldId)?.focus())
}

interface FilterFieldProps {
  readonly capture: CaptureSummary
  readonly filter: AllocationFilter
}

interface Typed {
  readonly typed: string | undefined // while it is not the filter's text
  readonly error: FilterError | undefined
  readonly type: (value: string) => void
  readonly commit: (value: string) => void
}

/** What is typed counts once it rests and is understood; until then the filter before stays. */
function useTyped(captureId: string, filter: AllocationFilter): Typed {
  const [typed, setTyped] = useState<string>()
  const [error, setError] = useState<FilterError>()
  const cancel = useRef<() => void>(undefined)
  const before = useRef(filter)
  useEffect(() => () => cancel.current?.(), [])
  // Another text from elsewhere, or a cleared filter, wins over what is being typed.
  useEffect(() => {
    const isReplaced = filter.text !== before.current.text || (filter !== before.current && !isFiltering(filter))
    before.current = filter
    if (!isReplaced) return
    cancel.current?.()
    setTyped(undefined)
    setError(undefined)
  }, [filter])
  const commit = (value: string) => {
    cancel.current?.()
    const parsed = termsOf(captureId, value)
    setError(parsed.ok ? undefined : parsed.error)
    setTyped(parsed.ok ? undefined : value)
    if (parsed.ok) patchView(captureId, { filter: { ...(viewOf(captureId)?.filter ?? noFilter), text: value } })
  }
  const type = (value: string) => {
    cancel.current?.()
    setTyped(value)
    cancel.current = later(restMs, () => commit(value))
  }
  return { typed, error, type, commit }
}

interface Offer extends Completions {
  readonly chosen: number // −1: none yet
}

interface Offering {
  readonly offer: Offer | undefined
  readonly change: (value: string, caret: number) => void
  readonly take: (completion: Completion) => void
  readonly close: () => void
  /** True when the key was for the list. */
  readonly press: (key: string, field: HTMLInputElement) => boolean
}

/** What may follow below the field: it comes with typing, and by the arrow down. */
function useOffer(capture: CaptureSummary, field: RefObject<HTMLInputElement | null>, type: (value: string) => void): Offering {
  const [offer, setOffer] = useState<Offer>()
  const close = () => setOffer(undefined)
  const offerAt = (value: string, caret: number, chosen: number) => {
    const found = completionsOf(value, caret, contextOf(capture, viewOf(capture.captureId)?.device ?? 0))
    setOffer(found.items.length > 0 ? { ...found, chosen } : undefined)
  }
  const change = (value: string, caret: number) => {
    type(value)
    if (/(?:^|\s)$/.test(value.slice(0, caret))) close()
    else offerAt(value, caret, -1)
  }
  const take = (completion: Completion) => {
    const value = field.current?.value ?? ''
    if (!offer) return
    const caret = offer.from + completion.insert.length
    type(value.slice(0, offer.from) + completion.insert + value.slice(offer.to))
    close()
    // After React has put the text in, which moves the caret to its end.
    setTimeout(() => field.current?.setSelectionRange(caret, caret))
  }
  const press = (key: string, { value, selectionStart }: HTMLInputElement): boolean => {
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    const answer = offer && onOffer(key, offer)
    if (answer === 'close') close()
    else if (answer) take(answer)
    else if (step === 0) return false
    else if (offer) setOffer({ ...offer, chosen: stepped(offer, step) })
    else offerAt(value, selectionStart ?? value.length, 0)
    return true
  }
  return { offer, change, take, close, press }
}

/** The field; Enter takes what is chosen below it, or goes to an address, which names one allocation. */
export function FilterField({ capture, filter }: FilterFieldProps) {
  const { t } = useTranslation()
  const { typed, error, type, commit } = useTyped(capture.captureId, filter)
  const field = useRef<HTMLInputElement>(null)
  const { offer, change, take, close, press } = useOffer(capture, field, type)
  const listId = useId()
  const errorId = useId()
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (press(event.key, event.currentTarget)) return event.preventDefault()
    if (event.key !== 'Enter') return
    close()
    void enter(capture, event.currentTarget.value, commit)
  }
  return (
    <div className='filter-field'>
      <input
        ref={field}
        id={fieldId}
        type='text'
        role='combobox'
        maxLength={mostFilterText}
        className='filter-text'
        aria-label={t('filter.text')}
        aria-expanded={offer !== undefined}
        aria-autocomplete='list'
        aria-controls={listId}
        aria-activedescendant={offer && offer.chosen >= 0 ? `${listId}-${offer.chosen}` : undefined}
        aria-invalid={error !== undefined}
        aria-describedby={error ? errorId : undefined}
        placeholder={t('filter.text')}
        title={t('filter.textHint')}
        spellCheck={false}
        autoComplete='off'
        value={typed ?? filter.text}
        onChange={({ target }) => change(target.value, target.selectionStart ?? target.value.length)}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {offer && <OfferList id={listId} offer={offer} onTake={take} />}
      <ErrorLine id={errorId} error={error} stays={filter.text !== ''} />
    </div>
  )
}

/** What a key does with the list: takes the chosen one, or closes it. */
function onOffer(key: string, { items, chosen }: Offer): Completion | 'close' | undefined {
  if (key === 'Escape') return 'close'
  return key === 'Enter' || key === 'Tab' ? items[chosen] : undefined
}

const stepped = ({ chosen, items }: Offer, step: number): number =>
  (Math.max(chosen, step > 0 ? -1 : 0) + step + items.length) % items.length

async function enter(capture: CaptureSummary, value: string, commit: (value: string) => void): Promise<void> {
  commit(value)
  const target = addressInText(value)
  if (target && !(await goTo(capture, target))) showMessage(`${value} · ${translate('palette.notFound')}`, 'error')
}

interface OfferListProps {
  readonly id: string
  readonly offer: Offer
  readonly onTake: (completion: Completion) => void
}

function OfferList({ id, offer: { items, chosen }, onTake }: OfferListProps) {
  const t = useTexts(filterText)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <div ref={list} id={id} className='filter-offers' role='listbox' aria-label={t('suggestions')} tabIndex={-1}>
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the focus and takes the keys.
        <div
          key={item.insert}
          id={`${id}-${index}`}
          role='option'
          tabIndex={-1}
          aria-selected={index === chosen}
          onPointerDown={(event) => event.preventDefault()} // the field keeps the focus
          onClick={() => onTake(item)}
        >
          <span className='mono t1'>{item.insert.trim()}</span> <span className='weak'>{t(`keys.${item.key}`)}</span>
        </div>
      ))}
    </div>
  )
}

interface ErrorLineProps {
  readonly id: string
  readonly error: FilterError | undefined
  readonly stays: boolean // there was a filter before
}

/** Always there, so that what comes into it is spoken. */
function ErrorLine({ id, error, stays }: ErrorLineProps) {
  const t = useTexts(filterText)
  return (
    <p id={id} className={error ? 'panel-note filter-error' : 'visually-hidden'} aria-live='polite'>
      {error && `⚠ ${errorWords(error)}${stays ? ` ${t('stays')}` : ''}`}
    </p>
  )
}
