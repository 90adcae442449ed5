// The filter that all views share: a text field and three chips.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { runCommand } from '../commands/registry.ts'
import { later } from '../data/later.ts'
import { useFocus } from '../focus/focus-data.ts'
import { formatCount } from '../i18n/format.ts'
import { addressInText, filterChips, hasChip, isFiltering, temporaryEvents, withoutStacks } from '../state/filter.ts'
import { goTo } from '../state/go-to.ts'
import { showMessage } from '../state/shell.ts'
import { useDevice, useView } from '../state/use-view.ts'
import { type AllocationFilter, noFilter, patchView, viewOf } from '../state/view-state.ts'

const restMs = 200

/** The section of the side bar. */
export function FilterSection({ capture }: { readonly capture: CaptureSummary }) {
  const { t } = useTranslation()
  const filter = useView(capture.captureId, (view) => view.filter) ?? noFilter
  return (
    <section className='panel-section filter' aria-labelledby='filter-title'>
      <div className='panel-head'>
        <h2 id='filter-title'>{t('filter.title')}</h2>
        {isFiltering(filter) && (
          <button type='button' className='link-button' onClick={() => runCommand('filter.clear')}>
            {t('filter.clear')}
          </button>
        )}
      </div>
      <FilterText key={capture.captureId} capture={capture} filter={filter} />
      <div className='filter-chips'>
        {filter.within && (
          <button
            type='button'
            className='chip'
            aria-pressed={true}
            title={t('filter.withinHint', { name: filter.within.title })}
            onClick={() => patchView(capture.captureId, { filter: withoutStacks(filter) })}
          >
            <span className='truncate'>{t('filter.within', { name: filter.within.title })}</span>
          </button>
        )}
        {filterChips.map((chip) => (
          <button
            key={chip}
            type='button'
            className='chip'
            aria-pressed={hasChip(filter, chip)}
            title={t(`filter.${chip}Hint`, { events: temporaryEvents })}
            onClick={() => runCommand(`filter.${chip}`)}
          >
            {t(`filter.${chip}`)}
          </button>
        ))}
      </div>
      <Outcome capture={capture} />
    </section>
  )
}

/** What the filter does: how many allocations pass, or where its text leads. */
function Outcome({ capture }: { readonly capture: CaptureSummary }) {
  const { t } = useTranslation()
  const filter = useView(capture.captureId, (view) => view.filter) ?? noFilter
  const passing = useFocus(capture.captureId, (data) => data.passing)
  const device = useDevice(capture)
  if (!device || !isFiltering(filter)) return null
  if (addressInText(filter.text)) return <p className='panel-note'>{t('filter.isAddress')}</p>
  if (passing?.device !== device.device) return null
  const counts = { count: passing.count, formatted: formatCount(passing.count), all: formatCount(device.allocationCount) }
  return (
    <p className={passing.filter === filter ? 'panel-note' : 'panel-note pending'} role='status'>
      {passing.count === 0 ? t('filter.nothing') : t('filter.passing', counts)}
    </p>
  )
}

interface FilterTextProps {
  readonly capture: CaptureSummary
  readonly filter: AllocationFilter
}

/** The field. What is typed counts once it rests; Enter goes to an address, which names one allocation. */
function FilterText({ capture, filter }: FilterTextProps) {
  const { t } = useTranslation()
  const { captureId } = capture
  const [typed, setTyped] = useState<string>()
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
  }, [filter])
  const commit = (value: string) => {
    setTyped(undefined)
    patchView(captureId, { filter: { ...(viewOf(captureId)?.filter ?? noFilter), text: value } })
  }
  const type = (value: string) => {
    cancel.current?.()
    setTyped(value)
    cancel.current = later(restMs, () => commit(value))
  }
  const onKeyDown = async ({ key, nativeEvent, currentTarget: { value } }: KeyboardEvent<HTMLInputElement>) => {
    if (key !== 'Enter' || nativeEvent.isComposing) return
    const target = addressInText(value)
    if (target && !(await goTo(capture, target))) showMessage(`${value} · ${t('palette.notFound')}`, 'error')
  }
  return (
    <input
      type='text'
      maxLength={500}
      className='filter-text'
      aria-label={t('filter.text')}
      placeholder={t('filter.text')}
      title={t('filter.textHint')}
      spellCheck={false}
      value={typed ?? filter.text}
      onChange={(event) => type(event.target.value)}
      onKeyDown={(event) => void onKeyDown(event)}
    />
  )
}
