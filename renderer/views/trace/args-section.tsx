// All arguments of a slice or instant as the file has them, or why they cannot be read.
import type { SliceDetails } from '../../../preload/contract/queries.ts'
import { counted } from '../../i18n/format.ts'
import { failureText } from '../../i18n/texts.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { type Arg, argsText, otherArgs } from './slice-args.ts'
import { useTexts } from './use-trace.ts'

const mostRows = 200
const shortText = 28 // characters that stand beside their key
const longText = 120 // characters that stand without being unfolded
const mostText = 5000 // characters shown of one value; copies have all that the engine tells

/** The list, values that are long folded. */
export function SliceArgs({ details }: { readonly details: Pick<SliceDetails, 'args' | 'argsFailure'> }) {
  const t = useTexts()
  const { args, argsFailure } = details
  const rows = otherArgs(args ?? [])
  const more = rows.length - mostRows
  return (
    <section className='panel-section' aria-label={t('slice.args')} data-testid='trace-args'>
      <div className='panel-head'>
        <h3>{t('slice.args')}</h3>
        {args && args.length > 0 && (
          <CopyButton className='link-button' text={argsText(args)} label={t('slice.argsCopy')} done={t('drawer.copied')} />
        )}
      </div>
      {argsFailure && <ArgsFailure failure={argsFailure} />}
      {args && rows.length === 0 && <p className='panel-note'>{t('slice.argsNone')}</p>}
      <dl className='trace-args'>
        {rows.slice(0, mostRows).map((arg, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a key may stand twice in a file, and the list never changes
          <ArgRow key={index} arg={arg} />
        ))}
      </dl>
      {more > 0 && <p className='panel-note'>{t('slice.argsMore', counted(more))}</p>}
    </section>
  )
}

function ArgRow({ arg: { key, value } }: { readonly arg: Arg }) {
  const shown = value.length > mostText ? `${value.slice(0, mostText)}…` : value
  return (
    <div className={value.length > shortText ? 'long' : undefined}>
      <dt>{key}</dt>
      <dd>
        {value.length > longText ? (
          <details>
            <summary>{`${value.slice(0, longText)}…`}</summary>
            {shown}
          </details>
        ) : (
          shown
        )}
      </dd>
    </div>
  )
}

function ArgsFailure({ failure }: { readonly failure: NonNullable<SliceDetails['argsFailure']> }) {
  const t = useTexts()
  const { title, cause, next } = failureText(failure)
  return (
    <div className='trace-args-failure' role='status'>
      <p className='t1'>{t('slice.argsFailure')}</p>
      <p>
        {title}: {cause}
      </p>
      <p className='t1'>{next}</p>
    </div>
  )
}
