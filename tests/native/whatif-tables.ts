// The simulator against the real captures, as tables: what the tests assert and native/WHATIF.md shows.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type CorpusSnapshot, corpusSnapshots, type Stats } from '../support/corpus.ts'
import { IndexFile } from '../support/index-file.ts'
import { type WhatIfAnswer, whatIf } from './whatif-runs.ts'

const GiB = 2 ** 30
/** More than any run asked for. */
const noCap = 2 ** 41

export interface OwnRun {
  readonly name: string
  readonly device: number
  readonly stats: Stats
  readonly answer: WhatIfAnswer
}

/** Every recorded device of the corpus under the settings of its file. */
export async function ownRuns(): Promise<OwnRun[]> {
  const runs: OwnRun[] = []
  for (const { name, path, stats } of corpusSnapshots()) {
    const index = await IndexFile.of(path)
    const devices = await index.column('SELECT device FROM device WHERE event_count > 0')
    for (const device of devices.map(Number)) {
      runs.push({ name, device, stats: stats.get(device) ?? {}, answer: await whatIf(index, '', null, device) })
    }
    await index.close()
  }
  return runs
}

export const isSameAsRecorded = ({ answer }: OwnRun): boolean => answer.same_layout && answer.first_difference === null
export const hasPeak = ({ stats }: OwnRun): boolean => stats['reserved_bytes.all.peak'] !== undefined
export const isPeakRight = ({ stats, answer }: OwnRun): boolean => stats['reserved_bytes.all.peak'] === answer.reserved_peak_bytes
const hasRetries = ({ stats }: OwnRun): boolean => stats.num_alloc_retries !== undefined
export const isRetriesRight = ({ stats, answer }: OwnRun): boolean => stats.num_alloc_retries === answer.retries
export const isFailureRight = ({ stats, answer }: OwnRun): boolean => Number(stats.num_ooms) > 0 === answer.fails

const share = (runs: readonly OwnRun[], isRight: (run: OwnRun) => boolean): string => `${runs.filter(isRight).length} of ${runs.length}`

export function ownTable(runs: readonly OwnRun[]): string {
  const groups = [...new Set(runs.map(({ name }) => name.split('/')[0] ?? ''))]
  const rowOf = (title: string, of: readonly OwnRun[]) => [
    title,
    share(of, isSameAsRecorded),
    share(of.filter(hasPeak), isPeakRight),
    share(of.filter(hasRetries), isRetriesRight),
    share(of.filter(hasRetries), isFailureRight),
  ]
  const rows = groups.map((group) =>
    rowOf(
      group,
      runs.filter(({ name }) => name.startsWith(`${group}/`)),
    ),
  )
  return markdown(['group', 'same as recorded', 'reserved peak', 'retries', 'failure'], [...rows, rowOf('all', runs)])
}

interface Request {
  readonly event: number
  readonly size: number
}

/** One run of a program under one setting, as it was. */
export interface RealRun {
  readonly program: string
  readonly setting: string
  readonly conf: string
  /** Bytes of the cap on the process. */
  readonly capacity: number
  readonly index: IndexFile
  /** Its allocations, and the one that failed. */
  readonly requests: readonly Request[]
  readonly hasFailed: boolean
  readonly retries: number
}

interface Truth {
  readonly name: string
  readonly setting: string
  readonly conf: string
  readonly cap_gib?: number
  readonly fraction_gib?: number
  readonly error_type?: string
}

const truthOf = <T>({ path }: CorpusSnapshot): T => JSON.parse(readFileSync(join(dirname(path), 'truth.json'), 'utf8')) as T

/** The group `whatif`; each index is to be closed. */
export async function realRuns(): Promise<RealRun[]> {
  const runs: RealRun[] = []
  for (const snapshot of corpusSnapshots().filter(({ name }) => name.startsWith('whatif/'))) {
    const { name, setting, conf, cap_gib, fraction_gib, error_type } = truthOf<Truth>(snapshot)
    const cap = cap_gib ?? fraction_gib
    const index = await IndexFile.of(snapshot.path)
    const rows = await index.all("SELECT event, size_bytes FROM event WHERE device = 0 AND action IN ('alloc', 'oom') ORDER BY event")
    runs.push({
      program: name,
      setting,
      conf,
      capacity: cap === undefined ? noCap : cap * GiB,
      index,
      requests: rows.map(({ event, size_bytes }) => ({ event: Number(event), size: Number(size_bytes) })),
      hasFailed: error_type !== undefined && error_type !== null,
      retries: Number(snapshot.stats.get(0)?.num_alloc_retries),
    })
  }
  return runs
}

export interface Prediction {
  readonly program: string
  readonly from: string
  readonly to: string
  /** Requests that both runs made: a run that failed made no more. */
  readonly requests: number
  readonly realPeak: number
  readonly answer: WhatIfAnswer
  /** Request at which it failed, −1 = at none of these. */
  readonly realFailure: number
  readonly failure: number
  /** Null where the real run went on after the last common request. */
  readonly realRetries: number | null
}

/** What `from`, run again under the settings of `to`, says of the run `to` over the requests that both made. */
export async function predict(from: RealRun, to: RealRun): Promise<Prediction> {
  const answer = await whatIf(from.index, ['default', ...(to.conf === '' ? [] : [to.conf])].join(','), to.capacity)
  const requests = Math.min(from.requests.length, to.requests.length)
  const last = to.requests[requests - 1]?.event ?? 0
  const [peak] = await to.index.column('SELECT max(reserved_bytes) FROM memory_curve WHERE device = 0 AND event <= ?', [last])
  const failing = to.hasFailed && requests === to.requests.length ? requests - 1 : -1
  return {
    program: from.program,
    from: from.setting,
    to: to.setting,
    requests,
    realPeak: Number(peak),
    answer,
    realFailure: failing,
    failure: from.requests.findIndex(({ event }) => event === answer.failing_event),
    realRetries: requests === to.requests.length ? to.retries : null,
  }
}

export const errorOf = ({ answer, realPeak }: Prediction): number => answer.reserved_peak_bytes / realPeak - 1

const failureText = (request: number) => (request < 0 ? 'no' : `at request ${request + 1}`)
const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1)

/** What the answer says that it depends on, and the reserved peaks that may be. */
const doubtText = ({ depends_on, least_reserved_peak_bytes, most_reserved_peak_bytes }: WhatIfAnswer) =>
  depends_on.length === 0 ? '' : `${depends_on.join(', ')}: ${mib(least_reserved_peak_bytes)} to ${mib(most_reserved_peak_bytes)}`

export function predictionTable(predictions: readonly Prediction[]): string {
  const rows = predictions.map((each) => [
    each.program,
    `${each.from} → ${each.to}`,
    String(each.requests),
    mib(each.realPeak),
    mib(each.answer.reserved_peak_bytes),
    `${(100 * errorOf(each)).toFixed(2)} %`,
    `${each.realRetries ?? '–'} / ${each.answer.retries}`,
    `${failureText(each.realFailure)} / ${failureText(each.failure)}`,
    doubtText(each.answer),
  ])
  const heads = [
    'program',
    'from → to',
    'requests',
    'real peak, MiB',
    'predicted',
    'error',
    'retries real / predicted',
    'fails real / predicted',
    'not certain',
  ]
  return markdown(heads, rows)
}

export const cures = ['expandable_segments:True', 'max_split_size_mb:128', 'roundup_power2_divisions:4', 'garbage_collection_threshold:0.6']

export interface Cure {
  readonly name: string
  readonly cap: number
  readonly own: WhatIfAnswer
  /** In the order of `cures`. */
  readonly answers: readonly WhatIfAnswer[]
}

/** The failures that fragmentation caused, under each cure; `isGiven`: with the cap that was set, else with what the recording tells. */
export async function curedRuns(isGiven: boolean): Promise<Cure[]> {
  const runs: Cure[] = []
  for (const snapshot of corpusSnapshots().filter(({ name }) => name.startsWith('oom/'))) {
    if (!existsSync(join(dirname(snapshot.path), 'truth.json'))) continue
    const { label, cap_gib, error } = truthOf<{ label: string; cap_gib?: number; error?: string }>(snapshot)
    if (label !== 'fragmentation' || !error || cap_gib === undefined) continue
    const index = await IndexFile.of(snapshot.path)
    const capacity = isGiven ? cap_gib * GiB : null
    const answers: WhatIfAnswer[] = []
    for (const cure of cures) answers.push(await whatIf(index, cure, capacity))
    const name = snapshot.name.split('/')[1] ?? ''
    runs.push({ name, cap: cap_gib, own: await whatIf(index, '', capacity), answers })
    await index.close()
  }
  return runs
}

export function cureTable(runs: readonly Cure[]): string {
  const cell = ({ fails, reserved_peak_bytes }: WhatIfAnswer) => `${fails ? 'fails' : '**avoided**'}, ${mib(reserved_peak_bytes)}`
  const rows = runs.map(({ name, cap, own, answers }) => [name, `${cap} GiB`, cell(own), ...answers.map(cell)])
  return markdown(['capture', 'cap', 'as recorded', ...cures.map((cure) => `\`${cure}\``)], rows)
}

const markdown = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
