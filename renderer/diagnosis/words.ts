// The page's words: what labels, reasons and numbers are called, and its sentences in the language shown.
import type {
  DiagnosisAdvice,
  DiagnosisEvidence,
  DiagnosisPage,
  DiagnosisSituation,
  VerdictLabel,
} from '../../preload/contract/diagnosis.ts'
import { formatBytesRange } from '../../preload/contract/format.ts'
import type { Language } from '../../preload/contract/language.ts'
import { formatBytes, formatCount, formatPercent, unknownValue } from '../i18n/format.ts'
import { currentLanguage } from '../i18n/language.ts'
import { type Translate, textsOf, useTexts } from '../i18n/part-texts.ts'

export const diagnosisText = textsOf('diagnosis')

/** The texts in React; the component is drawn again when the language changes. */
export const useDiagnosisTexts = (): Translate<'diagnosis'> => useTexts(diagnosisText)

/** A sentence of the engine in the language shown. */
const inLanguage = (sentence: Readonly<Record<Language, string>>): string => sentence[currentLanguage()]

/** A sentence of the engine as one that stands alone: with a capital letter, where it does not begin with a name of code. */
export const asSentence = (sentence: Readonly<Record<Language, string>>): string => {
  const text = inLanguage(sentence)
  return /^[a-z]+[\s,:]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
}

/** What may help first, what is known not to last. */
export const advised = (advice: readonly DiagnosisAdvice[]): readonly DiagnosisAdvice[] => [
  ...advice.filter(({ avoidsFailure }) => avoidsFailure !== false),
  ...advice.filter(({ avoidsFailure }) => avoidsFailure === false),
]

/** Sentences in a row; Chinese ones stand without spaces between them. */
const inRow = (...sentences: readonly string[]): string => sentences.join(currentLanguage() === 'zh-CN' ? '' : ' ')

/** "Fragmentation". */
export const labelName = (label: VerdictLabel): string => diagnosisText(`label.${label}`)

const degrees = [
  { least: 0.8, degree: 'high' },
  { least: 0.5, degree: 'medium' },
  { least: 0, degree: 'low' },
] as const

/** "high, 95 %". */
export function confidenceText(confidence: number): string {
  const { degree } = degrees.find(({ least }) => confidence >= least) ?? degrees[2]
  return diagnosisText(`confidence.${degree}`, { share: formatPercent(confidence) })
}

/** True where the verdict names a cause. */
export const hasCause = ({ verdict }: DiagnosisPage): boolean => verdict.label !== 'healthy' && verdict.label !== 'not_enough_evidence'

export const bytesText = (bytes: number | null): string => (bytes === null ? unknownValue : formatBytes(bytes))

/** The number of an evidence as it is shown large. */
export function valueText({ value, unit }: Pick<DiagnosisEvidence, 'value' | 'unit'>): string {
  if (typeof value === 'string') return value
  switch (unit) {
    case 'bytes':
      return formatBytes(value)
    case 'bytes/step':
      return diagnosisText('unit.perStep', { value: formatBytes(value) })
    case 'share':
      return formatPercent(value)
    case 'ratio':
      return `${plainNumber(value)}\u00a0×`
    case 'correlation':
      return value.toFixed(2)
    case 'steps':
      return diagnosisText('unit.steps', { count: value, formatted: formatCount(value) })
    default:
      return plainNumber(value)
  }
}

const mostDigits = 1e7

/** Whole numbers whole while they are short, others with three significant digits: 1,204 or 0.42. */
export const plainNumber = (value: number): string => {
  const size = Math.abs(value)
  if (size >= mostDigits || (size > 0 && size < 1e-3)) return value.toExponential(2)
  return Number.isInteger(value) || size >= 1000 ? formatCount(value) : String(Number(value.toPrecision(3)))
}

/** A value of a curve of the metrics for people. */
export const curveValue = (value: number, unit: 'bytes' | 'number'): string => (unit === 'bytes' ? formatBytes(value) : plainNumber(value))

/** Which word says whether a fact holds. */
export const holdsKey = ({ holds }: DiagnosisPage['situation']['facts'][number]) =>
  holds === null ? 'holds.unknown' : holds ? 'holds.yes' : 'holds.no'

/** The limit as it is known: "4.00 GiB", or the range in which it lies. */
export function limitRange({ limitBytes, limitAtLeastBytes, limitBelowBytes }: DiagnosisSituation): string {
  if (limitAtLeastBytes === null || limitBelowBytes === null) return bytesText(limitAtLeastBytes ?? limitBytes)
  return formatBytesRange(limitAtLeastBytes, limitBelowBytes)
}

/** True where a cap held the program back although the device could have given the segment. */
const isCapped = ({ facts, deviceFreeBytes, segmentBytes, requestedBytes }: DiagnosisSituation): boolean =>
  deviceFreeBytes !== null &&
  deviceFreeBytes >= (segmentBytes ?? requestedBytes ?? Number.POSITIVE_INFINITY) &&
  facts.some(({ code, holds }) => code === 'cap_below_device' && holds === true)

/** What happened, in one sentence: when, whether a cap held the program back, and what did not fit. */
export function headline({ situation, growing, work }: DiagnosisPage): string {
  if (!situation.isFailure) {
    if (situation.allocatedBytes === null) return diagnosisText('headline.noFailure')
    const bytes = { allocated: bytesText(situation.allocatedBytes) }
    return diagnosisText(growing.length > 0 ? 'headline.noFailureGrowing' : 'headline.noFailurePeak', bytes)
  }
  const what = isCapped(situation)
    ? diagnosisText('headline.capped', {
        limit: limitRange(situation),
        deviceFree: bytesText(situation.deviceFreeBytes),
        rest: failureWords(situation, true),
      })
    : failureWords(situation, false)
  const when = workText(work)
  const text = when === '' ? what : diagnosisText('headline.at', { work: when, rest: what })
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' }
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })

/** 8th in English; Chinese has the bare number. */
const ordinal = (count: number): string =>
  `${formatCount(count)}${currentLanguage() === 'zh-CN' ? '' : (endings[ordinals.select(count)] ?? 'th')}`

/** "step 5, backward pass" by the metrics' own numbers, else "6th step, …"; '' where neither is known. */
export const workText = ({ step, stepNumber, phase }: DiagnosisPage['work']): string =>
  [
    ...(stepNumber === null ? [] : [diagnosisText('work.step', { step: formatCount(stepNumber) })]),
    ...(stepNumber === null && step !== null ? [diagnosisText('work.nth', { nth: ordinal(step) })] : []),
    ...(phase === null ? [] : [diagnosisText(`work.${phase}`)]),
  ].join(currentLanguage() === 'zh-CN' ? '，' : ', ')

function failureWords(situation: DiagnosisSituation, isLimitSaid: boolean): string {
  const { reason, requestedBytes, isLimitKnown, limitBelowBytes } = situation
  const bytes = {
    requested: bytesText(requestedBytes),
    allocated: bytesText(situation.allocatedBytes),
    limit: limitRange(situation),
    reserved: bytesText(situation.reservedBytes),
    free: bytesText(situation.freeBytes),
    largest: bytesText(situation.largestFreeBytes),
    outside: bytesText(situation.outsideBytes),
    segment: bytesText(situation.segmentBytes),
  }
  if (requestedBytes === null) return diagnosisText('headline.noRequest')
  const isPieces = situation.freeBytes !== null && situation.largestFreeBytes !== null
  if (reason === 'no_contiguous_block' && isPieces) return diagnosisText('headline.noContiguousBlock', bytes)
  if (reason === 'segment_refused') return refusedWords(situation, bytes)
  if (reason === 'outside_pytorch' && situation.outsideBytes !== null) return diagnosisText('headline.outside', bytes)
  if (situation.allocatedBytes === null || situation.limitBytes === null) return diagnosisText('headline.unknown', bytes)
  if (reason === 'unknown' && situation.reservedBytes !== null) return refusedWords(situation, bytes)
  if (reason !== 'exhausted') return diagnosisText('headline.unknown', bytes)
  if (!isLimitKnown && !isBeyondLimit(situation)) return refusedWords(situation, bytes)
  if (isLimitSaid) return diagnosisText('headline.exhaustedCapped', bytes)
  if (isLimitKnown) return diagnosisText('headline.exhausted', bytes)
  return diagnosisText(limitBelowBytes === null ? 'headline.exhaustedUnknownLimit' : 'headline.exhaustedRange', bytes)
}

/** Held and asked for are as much as was refused, or more: no more than that need be told. */
const isBeyondLimit = ({ allocatedBytes, requestedBytes, limitBelowBytes }: DiagnosisSituation): boolean =>
  limitBelowBytes === null || (allocatedBytes ?? 0) + (requestedBytes ?? 0) >= limitBelowBytes

/** Why what was held and asked for did not fit although the sum may lie below the limit: what else was reserved, and the segment. */
function refusedWords({ reservedBytes, allocatedBytes }: DiagnosisSituation, bytes: Readonly<Record<string, string>>): string {
  const cached = (reservedBytes ?? 0) - (allocatedBytes ?? 0)
  return diagnosisText(cached > 0 ? 'headline.refused' : 'headline.refusedFull', { ...bytes, cached: formatBytes(Math.max(0, cached)) })
}

/** How the verdict's mechanism works, what was missing for the request, and that nothing leaked where that was looked for. */
export function explanation(page: DiagnosisPage): string {
  const noLeak = hasNoLeak(page)
  const { label } = page.verdict
  const isKept = page.candidates[0]?.evidence.some(({ measure }) => measure === 'kept_forward')
  const mechanism = label !== 'activation_residency' ? label : isKept ? 'activation_kept' : noLeak ? 'activation_step' : label
  return inRow(
    diagnosisText(`mechanism.${mechanism}`),
    ...lossWords(page),
    ...missingWords(page),
    ...(noLeak ? [diagnosisText('growth.noLeak')] : []),
  )
}

const leastLossShare = 0.2

/** Where the loss holds much of what is allocated. */
function lossWords({ held, situation: { isFailure, allocatedBytes } }: DiagnosisPage): string[] {
  const share = (held?.lossBytes ?? 0) / (allocatedBytes || 1)
  if (!isFailure || !held?.lossBytes || share < leastLossShare) return []
  return [diagnosisText('held.loss', { bytes: formatBytes(held.lossBytes), share: formatPercent(share) })]
}

const growthLabels: readonly VerdictLabel[] = ['steady_leak', 'kv_cache_growth', 'metadata_bloat']
const leastSaid = 0.3

/** Growth was looked for, none was found, and no cause that tells of some is likely. */
export const hasNoLeak = ({ situation, isGrowthSought, growing, candidates }: DiagnosisPage): boolean =>
  situation.isFailure &&
  isGrowthSought &&
  growing.length === 0 &&
  !candidates.some(({ evidence }) => evidence.some(({ measure }) => measure === 'outside_growth')) &&
  !candidates.some(({ label, confidence }) => growthLabels.includes(label) && confidence >= leastSaid)

/** What would have had to be free, and what was; outside PyTorch, of the device. */
function missingWords({ situation, neededBytes }: DiagnosisPage): string[] {
  const { isFailure, reason, requestedBytes, largestFreeBytes, freeBytes } = situation
  if (!isFailure || requestedBytes === null || (reason === 'unknown' && neededBytes === null)) return []
  if (reason === 'outside_pytorch')
    return neededBytes === null || neededBytes <= 0 ? [] : [diagnosisText('request.needed', { bytes: formatBytes(neededBytes) })]
  const ways = diagnosisText('request.ways', {
    requested: formatBytes(requestedBytes),
    segment: formatBytes(situation.segmentBytes ?? requestedBytes),
  })
  return freeBytes === null ? [ways] : [ways, freeWords(requestedBytes, freeBytes, largestFreeBytes)]
}

function freeWords(requestedBytes: number, freeBytes: number, largestFreeBytes: number | null): string {
  const all = requestedBytes - freeBytes
  const piece = requestedBytes - (largestFreeBytes ?? 0)
  const words = { all: formatBytes(all), piece: formatBytes(piece), free: formatBytes(freeBytes), largest: bytesText(largestFreeBytes) }
  if (freeBytes === 0) return diagnosisText('request.freeNone')
  // One block that is all there is needs no second number.
  const isOneBlock = largestFreeBytes === freeBytes
  if (all > 0) return diagnosisText(largestFreeBytes === null || isOneBlock ? 'request.freeTooLittle' : 'request.freeTooLittleBlock', words)
  if (largestFreeBytes !== null && piece <= 0) return diagnosisText('request.freeKept', words)
  return diagnosisText(largestFreeBytes === null ? 'request.freeEnough' : 'request.freeEnoughBlock', words)
}

/** What a piece of advice gains; null where that is not known. */
export function gainText({ gainBytes, basis }: DiagnosisAdvice): string | null {
  return gainBytes === null ? null : diagnosisText(basis === 'most' ? 'advice.gainMost' : 'advice.gain', { bytes: formatBytes(gainBytes) })
}

/** Whether it alone would have done; null where nothing tells, or the simulation tells it in other words. */
export function sufficiencyText(
  { isEnough, neededAfterBytes, gainBytes, basis, avoidsFailure }: DiagnosisAdvice,
  situation: DiagnosisSituation,
): string | null {
  if (avoidsFailure !== null) return null
  if (neededAfterBytes === null) return isEnough === null ? null : diagnosisText(isEnough ? 'advice.enough' : 'advice.notEnough')
  const words = { after: formatBytes(neededAfterBytes), limit: reachText(situation) }
  const maybe = basis === 'most' ? 'advice.maybeEnoughMost' : 'advice.maybeEnough'
  const text = diagnosisText(isEnough === null ? maybe : isEnough ? 'advice.enoughSum' : 'advice.notEnoughSum', words)
  const { allocatedBytes, requestedBytes } = situation
  const withWholeRequest = Math.max(0, (allocatedBytes ?? 0) - (gainBytes ?? 0)) + (requestedBytes ?? 0)
  return neededAfterBytes < withWholeRequest ? `${text} ${diagnosisText('advice.smallerRequest')}` : text
}

/** What could be reserved at the moment: of a device that had run out, what it still had. */
function reachText(situation: DiagnosisSituation): string {
  const { deviceFreeBytes, segmentBytes, reservedBytes, allowedBytes } = situation
  const isShort = deviceFreeBytes !== null && segmentBytes !== null && deviceFreeBytes < segmentBytes
  return isShort && reservedBytes !== null && allowedBytes === null ? formatBytes(reservedBytes + deviceFreeBytes) : limitRange(situation)
}
