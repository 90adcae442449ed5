// The page as a document: sections of sentences, tables, lists and texts, which Markdown and HTML write in their own way. Pure.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { formatBytes, formatBytesLong, formatCount, formatShare, formatTime, unknownValue } from '../i18n/format.ts'
import { poolTitle, streamTitle } from '../plot/legend.ts'
import { comparison, outcomeText, partsText, sumNotes, unitOf } from './amounts.ts'
import { arithmeticOf } from './arithmetic.ts'
import { shapeOf } from './curve-model.ts'
import { categoryTitle, stackTitle } from './names.ts'
import { outcomeLine } from './outcome.ts'
import { saidSizeText, sourceLine } from './source-words.ts'
import {
  advised,
  asSentence,
  bytesText,
  confidenceText,
  curveValue,
  explanation,
  gainText,
  hasCause,
  holdsKey,
  labelName,
  limitRange,
  sufficiencyText,
  diagnosisText as t,
  valueText,
} from './words.ts'

export type Block =
  | { readonly kind: 'paragraph' | 'strong' | 'text' | 'code'; readonly text: string } // text: a program's own lines
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'steps'; readonly items: readonly (readonly Block[])[] } // numbered
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly (readonly string[])[]
      readonly numbers: readonly number[] // columns of numbers
    }
  | { readonly kind: 'figure' } // the bars of the sum

type SectionName =
  | 'verdict'
  | 'arithmetic'
  | 'checked'
  | 'evidence'
  | 'advice'
  | 'needs'
  | 'held'
  | 'growth'
  | 'request'
  | 'metrics'
  | 'errorText'
  | 'moment'
  | 'settings'
  | 'file'
  | 'sources'
  | 'method'

export interface DocumentSection {
  readonly name: SectionName
  readonly title: string // '' = none: it stands under the page's title
  readonly blocks: readonly Block[]
}

/** The page's title. */
export const documentTitle = ({ name, situation }: DiagnosisPage): string =>
  t(situation.isFailure ? 'document.title' : 'document.titleHealthy', { name })

type MomentName =
  | 'requested'
  | 'segment'
  | 'limit'
  | 'reserved'
  | 'allocated'
  | 'free'
  | 'largest'
  | 'private'
  | 'outside'
  | 'others'
  | 'deviceFree'
  | 'deviceTotal'
  | 'retries'
  | 'time'
  | 'event'
  | 'device'

interface MomentRow {
  readonly name: MomentName
  readonly bytes?: number
  readonly timeNs?: number
  readonly text?: string
}

/** The known numbers of the moment, as rows. */
export function momentRows({ situation, device, event, timeNs }: DiagnosisPage): MomentRow[] {
  const amount = (name: MomentName, bytes: number | null): MomentRow[] => (bytes === null ? [] : [{ name, bytes }])
  const limit = situation.limitBytes
  const unless = (isLeftOut: boolean, rows: MomentRow[]) => (isLeftOut ? [] : rows)
  return [
    ...amount('requested', situation.requestedBytes),
    ...unless(situation.segmentBytes === situation.requestedBytes, amount('segment', situation.segmentBytes)),
    ...(limit === null || situation.isLimitKnown ? amount('limit', limit) : [{ name: 'limit', text: unknownLimit(situation) } as const]),
    ...amount('reserved', situation.reservedBytes),
    ...amount('allocated', situation.allocatedBytes),
    ...amount('free', situation.freeBytes),
    ...amount('largest', situation.largestFreeBytes),
    ...unless(situation.privateBytes === 0, amount('private', situation.privateBytes)),
    ...amount('outside', situation.outsideBytes),
    ...amount('others', situation.otherProcessBytes),
    ...amount('deviceFree', situation.deviceFreeBytes),
    ...amount('deviceTotal', situation.deviceTotalBytes),
    ...(situation.retryCount ? [{ name: 'retries', text: formatCount(situation.retryCount) } as const] : []),
    ...(device === null ? [] : [{ name: 'device', text: String(device) } as const]),
    ...(event === null ? [] : [{ name: 'event', text: formatCount(event) } as const]),
    ...(timeNs === null ? [] : [{ name: 'time', timeNs } as const]),
  ]
}

const unknownLimit = (situation: DiagnosisPage['situation']): string =>
  situation.limitAtLeastBytes !== null && situation.limitBelowBytes !== null
    ? limitRange(situation)
    : t('moment.unknownLimit', { bytes: limitRange(situation) })

/** Clocks and what never changes, with their last values; null where there are none. */
export const otherFieldsText = ({ others }: NonNullable<DiagnosisPage['metrics']>): string | null =>
  others.length === 0
    ? null
    : t('metrics.others', { list: others.map(({ field, value }) => t('metrics.other', { field, value })).join(' · ') })

/** The size of the last step that the metrics note, which need not be the failing one; null where they note none. */
export function lastStepText({ metrics, situation }: Pick<DiagnosisPage, 'metrics' | 'situation'>): string | null {
  const last = metrics?.lastStep
  if (!last) return null
  const size = [
    ...(last.batchSize === null ? [] : [t('metrics.batch', { batch: formatCount(last.batchSize) })]),
    ...(last.sequenceLength === null ? [] : [t('metrics.sequence', { length: formatCount(last.sequenceLength) })]),
  ].join(' · ')
  return t(situation.isFailure ? 'metrics.lastStep' : 'metrics.lastStepPeak', { step: formatCount(last.step), size })
}

/** When memory ends at a stack's pace. */
export function stepsLeftText({ stepsLeft }: DiagnosisPage['growing'][number]): string {
  if (stepsLeft === null) return unknownValue
  return stepsLeft <= 0 ? t('growth.now') : t('growth.left', { count: stepsLeft, formatted: formatCount(stepsLeft) })
}

/** "236 MiB more from event 30 to event 40, most of it at step (train.py:9)". */
export const lastGrowthText = (growth: NonNullable<DiagnosisPage['lastGrowth']>): string =>
  t('growth.last', {
    bytes: formatBytes(growth.bytes),
    from: formatCount(growth.fromEvent),
    to: formatCount(growth.toEvent),
    stack: stackTitle(growth.title),
    own: formatBytes(growth.titleBytes),
  })

/** "train.log, line 120 · rank 3". */
export const errorPlaceText = ({ name, line, rank, time }: NonNullable<DiagnosisPage['errorText']>): string =>
  [
    t('error.where', { name, line: formatCount(line) }),
    ...(rank === null ? [] : [t('error.rank', { rank })]),
    ...(time === null ? [] : [time]),
  ].join(' · ')

/** All sections that have something to say. `capture`: whose file facts are told. */
export function documentOf(page: DiagnosisPage, capture: CaptureSummary | undefined): DocumentSection[] {
  const { needs, situation } = page
  const section = (name: Exclude<SectionName, 'verdict' | 'moment'>, blocks: readonly Block[]) => ({
    name,
    title: t(`section.${name}`),
    blocks,
  })
  const sections: DocumentSection[] = [
    { name: 'verdict', title: '', blocks: verdictBlocks(page) },
    section('arithmetic', sumBlocks(page)),
    section('checked', situation.isFailure ? factBlocks(page) : []),
    section('evidence', evidenceBlocks(page)),
    section('advice', adviceBlocks(page)),
    section('needs', needs.length === 0 ? [] : [{ kind: 'list', items: needs.map(asSentence) }]),
    section('held', heldBlocks(page)),
    section('growth', growthBlocks(page)),
    section('request', requestBlocks(page)),
    section('metrics', metricsBlocks(page)),
    section('errorText', errorBlocks(page)),
    { name: 'moment', title: t(situation.isFailure ? 'section.moment' : 'section.momentPeak'), blocks: momentBlocks(page) },
    section('settings', settingsBlocks(page)),
    section('file', fileBlocks(page, capture)),
    section('sources', page.sources.length === 0 ? [] : [{ kind: 'list', items: page.sources.map(sourceLine) }]),
    section('method', [paragraph(t('method.text'))]),
  ]
  return sections.filter(({ blocks }) => blocks.length > 0)
}

const paragraph = (text: string): Block => ({ kind: 'paragraph', text })
const table = (head: readonly string[], rows: readonly (readonly string[])[], numbers: readonly number[] = []): Block[] =>
  rows.length === 0 ? [] : [{ kind: 'table', head, rows, numbers }]

function verdictBlocks(page: DiagnosisPage): Block[] {
  const { verdict } = page
  const cause = hasCause(page)
    ? [
        `${t('verdict.cause')}: ${labelName(verdict.label)}`,
        t('confidence.said', { confidence: confidenceText(verdict.confidence) }),
        ...(verdict.isUncertain ? [t('verdict.uncertain')] : []),
      ].join(' · ')
    : labelName(verdict.label)
  return [{ kind: 'strong', text: t('document.sentence', { text: outcomeLine(page) }) }, paragraph(cause), paragraph(explanation(page))]
}

function sumBlocks({ situation }: DiagnosisPage): Block[] {
  const sum = arithmeticOf(situation)
  if (!sum) return []
  const unit = unitOf(sum, situation.precisionBytes)
  const name = (kind: (typeof sum.bars)[number]['kind']) =>
    kind === 'largest' ? t('bar.largest') : t(situation.isFailure ? `bar.${kind}.failure` : `bar.${kind}.peak`)
  const rows = sum.bars.map((bar) => [name(bar.kind), partsText(bar, unit, t), comparison(bar, unit), outcomeText(bar, unit, t)])
  const { precisionBytes } = situation
  return [
    { kind: 'figure' },
    ...table([t('column.sum'), t('sum.unit', { unit: unit.name }), t('column.value'), t('column.answer')], rows, [2]),
    ...sumNotes(sum, situation, unit, t).map(paragraph),
    ...(precisionBytes > 0 ? [paragraph(t('sum.precision', { amount: formatBytes(precisionBytes) }))] : []),
  ]
}

const factBlocks = ({ situation }: DiagnosisPage): Block[] =>
  table(
    [t('column.fact'), t('column.answer'), t('column.why')],
    situation.facts.map((fact) => [t(`fact.${fact.code}`), t(holdsKey(fact)), asSentence(fact.text)]),
  )

const evidenceBlocks = ({ candidates }: DiagnosisPage): Block[] => [
  ...(candidates.length > 1 ? [paragraph(t('evidence.scale'))] : []),
  ...candidates.flatMap(({ label, confidence, evidence }, at) => [
    paragraph(`${at === 0 ? '' : `${t('evidence.also')}: `}${labelName(label)} (${confidenceText(confidence)})`),
    ...table(
      [t('evidence.value'), t('evidence.measure')],
      evidence.map((each) => [
        each.unit === 'bytes' && typeof each.value === 'number' ? formatBytesLong(each.value) : valueText(each),
        asSentence(each.text),
      ]),
    ),
  ]),
]

function adviceBlocks({ advice, situation }: DiagnosisPage): Block[] {
  if (advice.length === 0) return []
  const items = advised(advice).map((each) => {
    const { text, code, basis, avoidsFailure } = each
    const gain = gainText(each)
    const avoids = avoidsFailure === null ? [] : [t(avoidsFailure ? 'advice.avoids' : 'advice.avoidsNot')]
    const said = [
      ...(gain === null ? [] : [gain + (basis === 'none' ? '' : ` (${t(`advice.${basis}`)})`)]),
      ...avoids,
      ...[sufficiencyText(each, situation)].filter((text) => text !== null),
    ]
    return [
      paragraph(asSentence(text)),
      ...(code === null ? [] : [{ kind: 'code', text: code } as const]),
      ...(said.length === 0 ? [] : [paragraph(said.join(' · '))]),
    ]
  })
  return [{ kind: 'steps', items }]
}

function heldBlocks({ held }: DiagnosisPage): Block[] {
  if (!held) return []
  const total = held.categories.reduce((sum, { bytes }) => sum + bytes, 0)
  const [bytes, share, count] = [t('column.bytes'), t('column.share'), t('column.count')]
  return [
    ...table(
      [t('column.category'), bytes, share, count],
      held.categories.map((each) => [
        categoryTitle(each.category),
        formatBytes(each.bytes),
        formatShare(each.bytes, total),
        formatCount(each.count),
      ]),
      [1, 2, 3],
    ),
    ...table(
      [t('column.stack'), t('column.mostCategory'), bytes, share, count],
      held.stacks.map((each) => [
        stackTitle(each.title),
        categoryTitle(each.category),
        formatBytes(each.bytes),
        formatShare(each.bytes, total),
        formatCount(each.count),
      ]),
      [2, 3, 4],
    ),
    ...table(
      [t('column.age'), bytes],
      held.ages.map((each) => [t(`age.${each.age}`), formatBytes(each.bytes)]),
      [1],
    ),
  ]
}

function growthBlocks(page: DiagnosisPage): Block[] {
  const { lastGrowth, growing, isGrowthSought } = page
  return [
    ...(lastGrowth ? [paragraph(lastGrowthText(lastGrowth))] : []),
    ...(isGrowthSought && growing.length === 0 ? [paragraph(t('growth.none'))] : []),
    ...table(
      [t('column.stack'), t('column.kind'), t('column.perStep'), t('column.grown'), t('column.stepsLeft')],
      growing.map((each) => [
        stackTitle(each.title),
        t(`growth.${each.kind}`),
        bytesText(each.bytesPerStep),
        formatBytes(each.grownBytes),
        stepsLeftText(each),
      ]),
      [2, 3],
    ),
  ]
}

/** Only the backward pass makes memory without Python frames where others have them. */
export const noFramesKey = ({ phase }: DiagnosisPage['work']) => (phase === 'backward' ? 'request.backward' : 'request.noStack')

function requestBlocks({ request, situation, work }: DiagnosisPage): Block[] {
  if (!request) return []
  const said = saidSizeText(situation)
  const { frames, stream, pool, segmentType } = request
  return [
    paragraph(
      t('request.where', {
        stream: streamTitle(stream),
        pool: poolTitle(pool),
        segment: t(segmentType === 'small' ? 'segmentOf.small' : 'segmentOf.large'),
      }),
    ),
    ...(said === null ? [] : [paragraph(said)]),
    frames.length === 0 ? paragraph(t(noFramesKey(work))) : { kind: 'text', text: frames.join('\n') },
  ]
}

function metricsBlocks(page: DiagnosisPage): Block[] {
  const { metrics } = page
  if (!metrics) return []
  const lastStep = lastStepText(page)
  const others = otherFieldsText(metrics)
  const rows = metrics.curves.flatMap((curve) => {
    const shape = shapeOf(curve)
    const value = (of: number) => curveValue(of, curve.unit)
    if (!shape) return []
    const slope = curve.isGrowing && curve.perStep !== null ? value(curve.perStep) : unknownValue
    return [[curve.field, value(shape.first), value(shape.last), value(shape.most), slope]]
  })
  return [
    paragraph(t('metrics.read', { name: metrics.name, formatted: formatCount(metrics.steps) })),
    ...[lastStep, others].flatMap((text) => (text === null ? [] : [paragraph(text)])),
    ...table([t('column.field'), t('column.first'), t('column.last'), t('column.most'), t('column.slope')], rows, [1, 2, 3, 4]),
  ]
}

function errorBlocks({ errorText }: DiagnosisPage): Block[] {
  if (!errorText) return []
  return [paragraph(errorPlaceText(errorText)), { kind: 'text', text: errorText.text }]
}

const momentBlocks = (page: DiagnosisPage): Block[] =>
  table(
    [t('column.what'), t('column.value')],
    momentRows(page).map(({ name, bytes, timeNs, text }) => [
      t(`moment.${name}`),
      text ?? (bytes !== undefined ? formatBytesLong(bytes) : formatTime(timeNs ?? 0)),
    ]),
    [1],
  )

const settingsBlocks = ({ settings }: DiagnosisPage): Block[] =>
  settings.length === 0
    ? [paragraph(t('settings.none'))]
    : table(
        [t('column.setting'), t('column.value')],
        settings.map(({ name, value }) => [name, value === '' ? t('settings.empty') : value]),
      )

function fileBlocks({ name, device }: DiagnosisPage, capture: CaptureSummary | undefined): Block[] {
  const summary = capture?.devices.find((each) => each.device === device)
  const rows = [
    [t('file.name'), name],
    ...(capture
      ? [
          [t('file.format'), capture.formatDetail],
          [t('file.size'), formatBytesLong(capture.sourceBytes)],
        ]
      : []),
    ...(summary ? [[t('file.events'), formatCount(summary.eventCount)]] : []),
    ...(capture ? [[t('file.program'), t('file.programNone')]] : []),
  ]
  return table([t('column.what'), t('column.value')], rows)
}
