// Failures that are alike, most frequent first: how many there are, as numbers and as bars.
import type { FailurePattern } from '../../preload/contract/diagnosis.ts'
import { labelName } from '../diagnosis/words.ts'
import { formatCount, formatPercent } from '../i18n/format.ts'
import { patchLook } from './look.ts'
import { reasonText } from './rows.ts'
import { useFailuresTexts } from './texts.ts'

interface PatternsProps {
  readonly tabId: number
  readonly patterns: readonly FailurePattern[]
  readonly chosen: number | undefined
}

/** A button a pattern, which shows only its failures. */
export function Patterns({ tabId, patterns, chosen }: PatternsProps) {
  const t = useFailuresTexts()
  if (patterns.length === 0) return null
  const most = Math.max(...patterns.map(({ share }) => share))
  return (
    <section className='fail-patterns' aria-labelledby='fail-patterns-title'>
      <h2 id='fail-patterns-title' title={t('patterns.hint')}>
        {t('patterns.title')}
      </h2>
      <ul>
        {patterns.map((pattern, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a pattern is known by its place
          <li key={index}>
            <button
              type='button'
              className='fail-pattern'
              aria-pressed={index === chosen}
              onClick={() => patchLook(tabId, { pattern: index === chosen ? undefined : index, selected: undefined })}
            >
              <span className='fail-count'>{formatCount(pattern.count)}</span>
              <span className='fail-bar' aria-hidden='true'>
                <span style={{ width: `${(pattern.share / most) * 100}%` }} />
              </span>
              <span className='fail-share' title={t('patterns.share', { share: formatPercent(pattern.share) })}>
                {formatPercent(pattern.share)}
              </span>
              <strong className='truncate' title={labelName(pattern.label)}>
                {labelName(pattern.label)}
              </strong>
              <span className='weak truncate' title={reasonText({ isFailure: true, reason: pattern.reason })}>
                {reasonText({ isFailure: true, reason: pattern.reason })}
              </span>
              <span className='fail-place mono truncate' title={pattern.place}>
                {pattern.place || t('patterns.noPlace')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
