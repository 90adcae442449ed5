// The search box: frames whose file or name holds a text stand out; Enter and F3 go through them.
import type { KeyboardEvent } from 'react'
import { counted, formatShare } from '../../i18n/format.ts'
import { searchInputId } from '../../panels/search-focus.ts'
import { SearchSteps } from '../../panels/search-steps.tsx'
import type { ViewProps } from '../view.ts'
import { stepThroughHits } from './actions.ts'
import { useFlameData } from './flame-data.ts'
import { isSigned, patchFlame, useFlameState } from './flame-state.ts'
import { useFlameTexts } from './texts.ts'

/** The field with what it has found. */
export function SearchBox({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const search = useFlameState(captureId, (state) => state.search)
  const onKeyDown = ({ key, shiftKey, nativeEvent }: KeyboardEvent<HTMLInputElement>) => {
    if (key === 'Enter' && !nativeEvent.isComposing) stepThroughHits(capture, shiftKey ? -1 : 1)
  }
  return (
    <search className='view-search'>
      <input
        id={searchInputId}
        type='text'
        maxLength={1000}
        aria-label={t('search.label')}
        placeholder={t('search.placeholder')}
        title={t('search.label')}
        spellCheck={false}
        value={search}
        onChange={({ target }) => patchFlame(captureId, { search: target.value })}
        onKeyDown={onKeyDown}
      />
      {search.trim() !== '' && <Found capture={capture} />}
    </search>
  )
}

/** What it weighs, and the ways to its nodes. */
function Found({ capture }: ViewProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const match = useFlameData(captureId, (data) => data.match)
  const text = useFlameState(captureId, (state) => state.search.trim())
  const whole = useFlameData(captureId, (data) => data.answer?.nodes.tree.total[0] ?? 0)
  const signed = useFlameState(captureId, (state) => isSigned(state.weight))
  const isPending = match?.text !== text
  const count = match?.nodes ?? 0
  const found = counted(count)
  const words = signed ? t('search.found', found) : t('search.share', { share: formatShare(match?.total ?? 0, whole), ...found })
  return (
    <>
      {!isPending && (
        <span role='status' className={match.nodes === 0 ? 'weak' : 't1'} title={t('search.shareHint')} data-testid='flame-found'>
          {match.nodes === 0 ? t('search.none') : words}
        </span>
      )}
      <SearchSteps
        hasHits={!isPending && match.nodes > 0}
        onStep={(forward) => stepThroughHits(capture, forward ? 1 : -1)}
        onClear={() => patchFlame(captureId, { search: '' })}
      />
    </>
  )
}
