// The editor: plain text with line numbers and a list of completions at the caret.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { ViewProps } from '../view.ts'
import { readRelations } from './actions.ts'
import { type Candidate, candidatesFor, isWhole, type Word, wordAt } from './completion.ts'
import { insertText, rememberEditor } from './editor-focus.ts'
import { neighbourStatement, patchSql, sqlState, useSqlState } from './sql-state.ts'
import { type Translate, useSqlTexts } from './texts.ts'

const linePx = 20

interface Popup {
  readonly word: Word
  readonly candidates: readonly Candidate[]
  readonly active: number
}

/** What is offered at the caret; undefined: nothing. `asked`: by key, so also without a word begun. */
function popupAt(captureId: string, text: string, caret: number, asked: boolean): Popup | undefined {
  const word = wordAt(text, caret)
  if (!word || (!asked && word.text === '' && word.qualifier === undefined)) return undefined
  const candidates = candidatesFor(text, word, sqlState(captureId).getState().relations ?? [])
  if (candidates.length === 0 || (!asked && isWhole(word, candidates))) return undefined
  return { word, candidates, active: 0 }
}

/** Line numbers, text, completions. */
export function Editor({ capture }: ViewProps) {
  const t = useSqlTexts()
  const { captureId } = capture
  const text = useSqlState(captureId, (state) => state.text)
  const [popup, setPopup] = useState<Popup>()
  const area = useRef<HTMLTextAreaElement>(null)
  const lines = useRef<HTMLDivElement>(null)
  const listId = useId()
  useEffect(() => void readRelations(capture), [capture])
  useEffect(() => {
    rememberEditor(area.current)
    return () => rememberEditor(null)
  }, [])
  const accept = ({ insert }: Candidate) => {
    if (popup) insertText(insert, popup.word.from)
    setPopup(undefined)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    const done = popup ? popupKey(event, popup, setPopup, accept) : editorKey(event, captureId, setPopup)
    if (done) event.preventDefault()
  }
  const onChange = (element: HTMLTextAreaElement) => {
    patchSql(captureId, { text: element.value })
    setPopup(popupAt(captureId, element.value, element.selectionEnd, false))
  }
  return (
    <div className='sql-editor'>
      <div ref={lines} className='sql-lines mono' aria-hidden='true'>
        {text.split('\n').map((_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
          <div key={at}>{at + 1}</div>
        ))}
      </div>
      <textarea
        ref={area}
        className='sql-text mono'
        aria-label={t('editor.label')}
        placeholder={t('editor.hint')}
        aria-controls={popup ? listId : undefined}
        aria-autocomplete='list'
        aria-activedescendant={popup ? `${listId}-${popup.active}` : undefined}
        spellCheck={false}
        autoCapitalize='off'
        maxLength={100_000}
        wrap='off'
        value={text}
        onChange={({ target }) => onChange(target)}
        onKeyDown={onKeyDown}
        onBlur={() => setPopup(undefined)}
        onClick={() => setPopup(undefined)}
        onScroll={({ currentTarget }) => {
          if (lines.current) lines.current.scrollTop = currentTarget.scrollTop
          setPopup(undefined)
        }}
      />
      {popup && <Completions id={listId} popup={popup} area={area.current} onChoose={accept} t={t} />}
    </div>
  )
}

/** Keys while the list is open; true: the key is used up. */
function popupKey(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  popup: Popup,
  setPopup: (popup: Popup | undefined) => void,
  accept: (candidate: Candidate) => void,
): boolean {
  const { candidates, active } = popup
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  if (step !== 0) {
    setPopup({ ...popup, active: (active + step + candidates.length) % candidates.length })
    return true
  }
  const candidate = candidates[active]
  if ((key === 'Enter' || key === 'Tab') && candidate && !ctrlKey && !metaKey) {
    accept(candidate)
    return true
  }
  const isLeft = key === 'Escape' || key.startsWith('Arrow') || key === 'Home' || key === 'End' || key === 'Enter'
  if (isLeft) setPopup(undefined)
  return key === 'Escape'
}

/** Keys while it is closed; true: the key is used up. */
function editorKey(event: KeyboardEvent<HTMLTextAreaElement>, captureId: string, setPopup: (popup: Popup | undefined) => void): boolean {
  const { key, ctrlKey, altKey, currentTarget } = event
  if (key === ' ' && ctrlKey) {
    setPopup(popupAt(captureId, currentTarget.value, currentTarget.selectionEnd, true))
    return true
  }
  if (!altKey || (key !== 'ArrowUp' && key !== 'ArrowDown')) return false
  const statement = neighbourStatement(sqlState(captureId).getState(), key === 'ArrowUp' ? -1 : 1)
  if (statement !== undefined) patchSql(captureId, { text: statement })
  return true
}

interface CompletionsProps {
  readonly id: string
  readonly popup: Popup
  readonly area: HTMLTextAreaElement | null
  readonly onChoose: (candidate: Candidate) => void
  readonly t: Translate
}

function Completions({ id, popup, area, onChoose, t }: CompletionsProps) {
  const { candidates, active, word } = popup
  const chosen = useRef<HTMLDivElement>(null)
  useEffect(() => chosen.current?.scrollIntoView({ block: 'nearest' }))
  const before = area?.value.slice(0, word.from) ?? ''
  const column = before.length - (before.lastIndexOf('\n') + 1)
  const top = before.split('\n').length * linePx - (area?.scrollTop ?? 0) + 8
  return (
    <div
      id={id}
      className='sql-completions'
      role='listbox'
      aria-label={t('completion.label')}
      style={{ top, left: `calc(48px + ${column} * 1ch)` }}
    >
      {candidates.map((candidate, at) => (
        <div
          key={candidate.name}
          ref={at === active ? chosen : undefined}
          id={`${id}-${at}`}
          role='option'
          tabIndex={-1}
          aria-selected={at === active}
          onMouseDown={(event) => {
            event.preventDefault()
            onChoose(candidate)
          }}
        >
          <span className='t1'>{candidate.name}</span>
          <span className='weak'>
            {candidate.kind === 'column'
              ? t('completion.column', { relation: candidate.relation ?? '' })
              : t(`completion.${candidate.kind}`)}
          </span>
        </div>
      ))}
    </div>
  )
}
