// The filter that all views share: a text field, three chips, and filters that were saved.
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { runCommand } from '../commands/registry.ts'
import { useFocus } from '../focus/focus-data.ts'
import { counted, formatCount } from '../i18n/format.ts'
import { useTexts } from '../i18n/part-texts.ts'
import { wordsOfFilter } from '../picture/title.ts'
import { addressInText, filterChips, hasChip, isFiltering, temporaryEvents, withoutStacks } from '../state/filter.ts'
import { useShell } from '../state/shell.ts'
import { useDevice, useView } from '../state/use-view.ts'
import { type AllocationFilter, noFilter, patchView, readFilter } from '../state/view-state.ts'
import { FilterField } from './filter-field.tsx'
import { filterText } from './filter-words.ts'
import { applyFilter, removeFilter } from './saved-filters.ts'

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
      <FilterField key={capture.captureId} capture={capture} filter={filter} />
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
      <Saved capture={capture} filter={filter} />
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
  const counts = { ...counted(passing.count), all: formatCount(device.allocationCount) }
  return (
    <p className={passing.filter === filter ? 'panel-note' : 'panel-note pending'} role='status'>
      {passing.count === 0 ? t('filter.nothing') : t('filter.passing', counts)}
    </p>
  )
}

/** Filters kept under a name, and the way to keep this one. */
function Saved({ capture, filter }: { readonly capture: CaptureSummary; readonly filter: AllocationFilter }) {
  const t = useTexts(filterText)
  const saved = useShell((state) => state.settings.filters) ?? []
  const canSave = isFiltering(withoutStacks(filter))
  if (saved.length === 0 && !canSave) return null
  return (
    <div className='filter-saved'>
      {saved.length > 0 && (
        <ul aria-label={t('saved.title')}>
          {saved.map((each) => (
            <li key={each.name} className='chip'>
              <button
                type='button'
                className='truncate'
                title={t('saved.apply', { name: each.name, text: wordsOfFilter(readFilter(each)).join(', ') })}
                onClick={() => applyFilter(capture.captureId, each)}
              >
                {each.name}
              </button>
              <button
                type='button'
                aria-label={t('saved.remove', { name: each.name })}
                title={t('saved.remove', { name: each.name })}
                onClick={() => void removeFilter(each.name)}
              >
                <X aria-hidden='true' size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {canSave && (
        <button type='button' className='link-button' onClick={() => runCommand('filter.save')}>
          {t('saved.save')}
        </button>
      )}
    </div>
  )
}
