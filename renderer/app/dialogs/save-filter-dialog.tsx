// Asks for the name under which the filter in front is kept.
import { type FormEvent, useState } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { useTexts } from '../../i18n/part-texts.ts'
import { filterWords } from '../../picture/title.ts'
import { withoutStacks } from '../../state/filter.ts'
import { showDialog } from '../../state/shell.ts'
import { useView } from '../../state/use-view.ts'
import { noFilter } from '../../state/view-state.ts'
import { Modal } from '../../widgets/modal.tsx'
import { filterText } from '../filter-words.ts'
import { savedFilters, saveFilter } from '../saved-filters.ts'

const mostLetters = 60

/** A name, and what is kept. */
export function SaveFilterDialog({ capture }: { readonly capture: CaptureSummary }) {
  const t = useTexts(filterText)
  const filter = useView(capture.captureId, (view) => view.filter) ?? noFilter
  const [name, setName] = useState(filter.text.trim().slice(0, mostLetters))
  const wanted = name.trim()
  const close = () => showDialog(undefined)
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (wanted === '') return
    void saveFilter(wanted, filter)
    close()
  }
  return (
    <Modal label={t('saved.dialog')} className='small-dialog' onClose={close}>
      <h1>{t('saved.dialog')}</h1>
      <p className='mono'>{filterWords(withoutStacks(filter)).join(' · ')}</p>
      {filter.within && <p className='panel-note'>{t('saved.within')}</p>}
      <form onSubmit={save}>
        <label className='saved-name'>
          {t('saved.name')}
          <input type='text' maxLength={mostLetters} value={name} spellCheck={false} onChange={({ target }) => setName(target.value)} />
        </label>
        <p className='panel-note' role='status'>
          {savedFilters().some((each) => each.name === wanted) ? t('saved.replaces') : ''}
        </p>
        <div className='actions end'>
          <button type='button' className='button' onClick={close}>
            {t('saved.cancel')}
          </button>
          <button type='submit' className='button primary' disabled={wanted === ''}>
            {t('saved.done')}
          </button>
        </div>
      </form>
    </Modal>
  )
}
