// The sum as bars on one scale.
import type { CSSProperties } from 'react'
import type { DiagnosisSituation } from '../../preload/contract/diagnosis.ts'
import { formatBytes, formatCount } from '../i18n/format.ts'
import { cssColor } from '../theme/palette.ts'
import { useTokens } from '../theme/theme.ts'
import { type AmountUnit, comparison, limitText, outcomeText, partsText, sumNotes, unitOf } from './amounts.ts'
import { type Arithmetic, type ArithmeticBar, arithmeticOf, type BarPart, labelStretch } from './arithmetic.ts'
import { allocatedFill, onAllocated } from './draw-sum.ts'
import { Section } from './section.tsx'
import { useDiagnosisTexts } from './words.ts'

/** The section; nothing where no amounts are known. */
export function ArithmeticBars({ situation }: { readonly situation: DiagnosisSituation }) {
  const t = useDiagnosisTexts()
  const sum = arithmeticOf(situation)
  if (!sum) return null
  const unit = unitOf(sum, situation.precisionBytes)
  return (
    <Section title={t('section.arithmetic')} note={t('sum.unit', { unit: unit.name })} className='diag-sum'>
      <div className='diag-bars' data-testid='diagnosis-sum'>
        <Scale sum={sum} unit={unit} />
        {sum.bars.map((bar) => (
          <BarRow key={bar.kind} bar={bar} sum={sum} unit={unit} isFailure={situation.isFailure} />
        ))}
      </div>
      {sumNotes(sum, situation, unit, t).map((note) => (
        <p key={note} className='diag-line'>
          {note}
        </p>
      ))}
      {situation.precisionBytes > 0 && (
        <p className='panel-note'>{t('sum.precision', { amount: formatBytes(situation.precisionBytes) })}</p>
      )}
      <p className='panel-note'>{t('method.pattern')}</p>
    </Section>
  )
}

interface ScaleProps {
  readonly sum: Arithmetic
  readonly unit: AmountUnit
}

const at = (bytes: number, most: number): CSSProperties => ({ left: `${(bytes / most) * 100}%` })
function Scale({ sum, unit }: ScaleProps) {
  const t = useDiagnosisTexts()
  const { ticks, limit, most } = sum
  return (
    <div className='diag-scale' aria-hidden='true'>
      {ticks.map((tick) => (
        <span key={tick} className={tick === 0 ? 'first' : undefined} style={at(tick, most)}>
          {unit.whole(tick)}
        </span>
      ))}
      {limit !== null && (
        <span className={limit / most > 0.8 ? 'limit last' : limit / most < 0.15 ? 'limit first' : 'limit'} style={at(limit, most)}>
          {limitText(sum, unit, t)}
        </span>
      )}
    </div>
  )
}

interface RowProps extends ScaleProps {
  readonly bar: ArithmeticBar
  readonly isFailure: boolean
}

function BarRow({ bar, sum, unit, isFailure }: RowProps) {
  const t = useDiagnosisTexts()
  const { kind, parts, outcome, enlarged } = bar
  const isGood = outcome === 'fits'
  const isBad = outcome === 'over' || outcome === 'short' || outcome === 'above' || outcome === 'refused' || outcome === 'refusedBefore'
  const label = kind === 'largest' ? t('bar.largest') : t(isFailure ? `bar.${kind}.failure` : `bar.${kind}.peak`)
  const most = sum.most / enlarged
  const isBesideLimit = enlarged === 1 && sum.limit !== null
  return (
    <div className='diag-bar' data-bar={kind}>
      <span className='diag-bar-label'>{label}</span>
      <div className='diag-track' aria-hidden='true'>
        {enlarged === 1 && sum.ticks.map((tick) => <span key={tick} className='tick' style={at(tick, sum.most)} />)}
        {isBesideLimit && sum.limit !== null && kind !== 'largest' && <Beyond bar={bar} limit={sum.limitBelow ?? sum.limit} most={most} />}
        {parts.map((part) => (
          <Part key={part.kind} part={part} most={most} />
        ))}
        {enlarged === 1 && sum.limit !== null && <span className='limit' style={at(sum.limit, sum.most)} />}
        {enlarged === 1 && sum.limit !== null && sum.limitBelow !== null && (
          <span className='band' style={{ ...at(sum.limit, sum.most), width: `${((sum.limitBelow - sum.limit) / sum.most) * 100}%` }} />
        )}
        {parts.map((part) => (
          <PartNumber key={part.kind} part={part} stretch={labelStretch(part, sum, isBesideLimit)} most={most} unit={unit} />
        ))}
      </div>
      <span className='diag-bar-parts'>
        {partsText(bar, unit, t)}
        {enlarged > 1 && ` · ${t('sum.enlarged', { times: formatCount(enlarged) })}`}
      </span>
      <span className='diag-bar-outcome'>
        <span className='t1'>{comparison(bar, unit)}</span>
        <span className={isGood ? 'good' : isBad ? 'bad' : 'weak'}>
          {isGood ? '✓ ' : isBad ? '✕ ' : ''}
          {outcomeText(bar, unit, t)}
        </span>
      </span>
    </div>
  )
}

const labelledShare = 0.09

interface PartProps {
  readonly part: BarPart
  readonly most: number
}

const stretchStyle = ({ from, to }: Pick<BarPart, 'from' | 'to'>, most: number): CSSProperties => ({
  ...at(from, most),
  width: `${((to - from) / most) * 100}%`,
})

function Part({ part, most }: PartProps) {
  const tokens = useTokens()
  const fill = part.kind === 'allocated' ? { background: cssColor(allocatedFill(tokens)) } : {}
  return <span className={`part ${part.kind}`} style={{ ...stretchStyle(part, most), ...fill }} />
}

interface NumberProps extends PartProps {
  readonly stretch: Pick<BarPart, 'from' | 'to'>
  readonly unit: AmountUnit
}

/** The number of a part, beside the line of the limit; nothing where it has no room. The words below the bar tell it all the same. */
function PartNumber({ part: { kind, from, to }, stretch, most, unit }: NumberProps) {
  if (kind === 'missing' || (stretch.to - stretch.from) / most <= labelledShare) return null
  const color = kind === 'allocated' ? { color: cssColor(onAllocated) } : {}
  return (
    <span className={`number ${kind}`} style={{ ...stretchStyle(stretch, most), ...color }}>
      <span>{unit.between(from, to)}</span>
    </span>
  )
}

/** What lies beyond the limit. */
function Beyond({ bar: { sum }, limit, most }: { readonly bar: ArithmeticBar; readonly limit: number; readonly most: number }) {
  if (sum <= limit) return null
  return <span className='beyond' style={{ ...at(limit, most), width: `${((sum - limit) / most) * 100}%` }} />
}
