// The tab of failures: how many there are and which are alike, the table of them, and what could not be read.
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import type { FailureRow, Failures } from '../../preload/contract/diagnosis.ts'
import { runCommand } from '../commands/registry.ts'
import { counted, formatCount } from '../i18n/format.ts'
import { failureText } from '../i18n/texts.ts'
import { FailureCase } from './case.tsx'
import { registerFailuresCommands } from './commands.ts'
import { patchLook, useLook } from './look.ts'
import { Patterns } from './patterns.tsx'
import { countsOf, shownRows } from './rows.ts'
import { FailuresTable } from './table.tsx'
import { useFailuresTexts } from './texts.ts'
import './failures.css'

interface FailuresPageProps {
  readonly tabId: number
  readonly name: string // of the tab
  readonly failures: Failures
  /** Opens the snapshot of a row as a capture. */
  readonly onOpenSnapshot: (row: FailureRow) => void
  /** Asks where to keep a table, and says how it went. */
  readonly onSave: (text: string) => void
}

/** Everything between title and status line. */
export function FailuresPage({ tabId, name, failures, onOpenSnapshot, onSave }: FailuresPageProps) {
  const t = useFailuresTexts()
  const look = useLook(tabId)
  const { text, pattern, order } = look
  const rows = useMemo(() => shownRows(failures, { text, pattern, order }), [failures, text, pattern, order])
  const filter = useRef<HTMLInputElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const [only] = failures.rows
  const isOne = failures.total === 1 && failures.unreadableTotal === 0 && only !== undefined
  const opened = isOne ? only : failures.rows.find(({ index }) => index === look.open)
  const openRow = (row: FailureRow) => {
    if (row.captureToken === null) patchLook(tabId, { open: row.index, selected: row.index })
    else onOpenSnapshot(row)
  }
  useEffect(
    () => registerFailuresCommands({ tabId, failures, rows, hasTable: !isOne, onSave, onSearch: () => filter.current?.select() }),
    [tabId, failures, rows, isOne, onSave],
  )
  useFocusBack(opened !== undefined, scroller)
  if (opened) {
    const back = isOne ? undefined : () => patchLook(tabId, { open: undefined })
    return <FailureCase failuresId={failures.failuresId} index={opened.index} onBack={back} />
  }
  return (
    <div className='view failures-page'>
      <h1 className='visually-hidden'>{t('heading', { name })}</h1>
      <div className='tool-row'>
        <Counts failures={failures} shown={rows.length} />
        <span className='spacer' />
        <input
          ref={filter}
          type='search'
          className='fail-filter'
          aria-label={t('filter.label')}
          placeholder={t('filter.hint')}
          spellCheck={false}
          value={text}
          onChange={(event) => patchLook(tabId, { text: event.target.value })}
        />
        {(text !== '' || pattern !== undefined) && (
          <button type='button' className='tool-button' onClick={() => patchLook(tabId, { text: '', pattern: undefined })}>
            {t('filter.clear')}
          </button>
        )}
        <button type='button' className='tool-button' onClick={() => runCommand('file.exportCsv')}>
          {t('csv')}
        </button>
      </div>
      <Patterns tabId={tabId} patterns={failures.patterns} chosen={pattern} />
      <FailuresTable tabId={tabId} rows={rows} scroller={scroller} onOpen={openRow} />
      <Unreadable failures={failures} />
    </div>
  )
}

/** Who comes back from a failure's page goes on with the keys where the page was opened. */
function useFocusBack(isOpen: boolean, scroller: RefObject<HTMLDivElement | null>): void {
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen) scroller.current?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [isOpen, scroller])
}

/** "12 failures, 3 patterns, 2 healthy, 1 unreadable", and how many of them are shown. */
function Counts({ failures, shown }: { readonly failures: Failures; readonly shown: number }) {
  const t = useFailuresTexts()
  const counts = countsOf(failures)
  const listed = failures.rows.length
  const isCut = failures.total > listed
  return (
    <p className='fail-counts' role='status' data-testid='failures-counts'>
      <strong>{t('count.failures', counted(counts.failures))}</strong>
      {counts.failures > 0 && <span>{t('count.patterns', counted(failures.patterns.length))}</span>}
      {counts.healthy > 0 && <span>{t('count.healthy', counted(counts.healthy))}</span>}
      {counts.unreadable > 0 && <span>{t('count.unreadable', counted(counts.unreadable))}</span>}
      {shown < listed && <span className='weak'>{t('count.passing', { shown: formatCount(shown), all: formatCount(listed) })}</span>}
      {isCut && <span className='weak'>{t('count.listed', { listed: formatCount(listed), all: formatCount(failures.total) })}</span>}
    </p>
  )
}

/** The files that could not be read, with why. */
function Unreadable({ failures: { unreadable, unreadableTotal } }: { readonly failures: Failures }) {
  const t = useFailuresTexts()
  if (unreadable.length === 0) return null
  return (
    <details className='fail-unreadable'>
      <summary>{t('unreadable.title', counted(unreadableTotal))}</summary>
      <dl>
        {unreadable.map(({ name, failure }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and the list never changes
          <div key={index} title={failure.message}>
            <dt className='mono truncate'>{name}</dt>
            <dd>{failureText(failure).title}</dd>
            <dd className='mono weak'>{failure.code}</dd>
          </div>
        ))}
      </dl>
      {unreadableTotal > unreadable.length && (
        <p className='weak'>{t('count.listed', { listed: formatCount(unreadable.length), all: formatCount(unreadableTotal) })}</p>
      )}
    </details>
  )
}
