// The failures of a group of files: each snapshot with its metrics and the text of its failure, and each failure of a log that no snapshot shows.
import { basename } from 'node:path'
import { setImmediate as turnOfOthers } from 'node:timers/promises'
import { type Failure, ok, type Result } from '../../../preload/contract/errors.ts'
import type { Captures } from '../captures.ts'
import type { LoadListener } from '../shared-loads.ts'
import type { CaptureMeasures } from './capture-measures.ts'
import { diagnose } from './diagnose.ts'
import type { CaseFailure, InputGroup } from './inputs.ts'
import { type LogFailure, readLogFile } from './log-text.ts'
import { growthOf, type MetricsGrowth, readMetricsFile } from './metrics.ts'
import { type MeasuredCapture, measureWith, misfitOf } from './metrics-fit.ts'
import { type Paired, pairing, withoutRepeats } from './pairing.ts'
import { isCaught } from './recovery.ts'
import { underNamedCap } from './simulations.ts'
import type { Diagnosis, Texts } from './types.ts'

/** One line of the table: a snapshot, or a failure that a log tells of. */
export interface DiagnosedCase {
  readonly file: string
  readonly diagnosis: Diagnosis
  readonly capture: CaptureMeasures | null
  readonly log: LogFailure | null
  readonly metrics: MetricsGrowth | null
  /** The files that these come from. */
  readonly snapshot: string | null
  readonly logFile: string | null
  readonly metricsFile: string | null
  /** Names of the files that might have told of a failure, and cannot be read. */
  readonly unread: readonly string[]
  /** Metrics beside it that are of another run. */
  readonly misfits: readonly Misfit[]
}

/** A file that is not read with a failure, and why. */
export interface Misfit {
  readonly file: string
  readonly why: Texts
}

/** Failures in the logs of one folder: each is kept with its text. */
const maxLogged = 50_000
/** After so many cases the engine answers what else it is asked. */
const casesInTurn = 256

export interface Cases {
  readonly cases: readonly DiagnosedCase[]
  readonly unreadable: readonly CaseFailure[]
  /** Logs that tell of no failure. */
  readonly silentLogs: readonly string[]
}

export interface LoggedFailure {
  readonly file: string
  readonly failure: LogFailure
}

/** Diagnoses a group, and failures of a text that is no file; a file that cannot be read leaves the others as they are. mostLogged: failures of logs that are kept; logs with more are among the unreadable. After the signal the answer is of no use. */
export async function diagnoseGroup(
  captures: Captures,
  group: InputGroup,
  options: LoadListener,
  pasted: readonly LoggedFailure[] = [],
  mostLogged = maxLogged,
): Promise<Cases> {
  const { signal } = options
  const unreadable: CaseFailure[] = []
  const metrics = await metricsOf(group, unreadable, signal)
  const told = await failuresOf(group, unreadable, { signal, most: mostLogged, tooMany: unreadable })
  const speaking = new Set([...told, ...unreadable].map(({ file }) => file))
  const logged = withoutRepeats([...told, ...pasted])
  const loggedFor = pairing(logged, group.snapshots)
  const metricsFor = pairing(metrics, [...group.snapshots, ...group.logs])
  const growths = metrics.map(({ growth }) => growth)
  const cases: DiagnosedCase[] = []
  const shown = new Set<LoggedFailure>()
  for (const file of group.snapshots) {
    if (signal.aborted) break
    const measured = await captures.askOnce(file, options, async (capture) => {
      const first = await measureWith(capture, growths)
      if (!first.ok) return first
      const told = matchOf(file, first.value.measures, group, loggedFor(file))
      const named = await underNamedCap(capture, first.value.measures, told.match?.failure ?? null)
      return named.ok ? ok({ ...first.value, ...told, measures: named.value }) : named
    })
    if (!measured.ok) {
      unreadable.push({ file, error: measured.error })
      continue
    }
    const { measures: capture, match, caught } = measured.value
    for (const one of [...caught, ...(match ? [match] : [])]) shown.add(one)
    const { fitting, misfits } = fittingOf(metricsFor(file).all, match, measured.value)
    const noted = metricsOfRank(fitting, rankOfName(file))
    cases.push(slim(caseOf(file, { snapshot: file, capture, logged: match, noted, misfits })))
  }
  const metricsOfFailure = ({ file, failure }: LoggedFailure) => metricsOfRank(metricsFor(file).all, failure.rank)
  for (const one of await casesOfLogs(logged, shown, metricsOfFailure, signal)) cases.push(one)
  const [noted] = metrics
  if (cases.length === 0 && noted) cases.push(caseOf(noted.file, { noted, unread: unreadOf(group, unreadable) }))
  const [log] = group.logs
  if (cases.length === 0 && log !== undefined && unreadable.length === 0) cases.push(caseOf(log, {}))
  return { cases, unreadable, silentLogs: group.logs.filter((file) => !speaking.has(file)) }
}

const unreadOf = ({ snapshots, logs }: InputGroup, unreadable: readonly CaseFailure[]): string[] =>
  unreadable.flatMap(({ file }) => (snapshots.includes(file) || logs.includes(file) ? basename(file) : []))

/** A case each of the failures of logs that no snapshot shows. */
async function casesOfLogs(
  logged: readonly LoggedFailure[],
  shown: ReadonlySet<LoggedFailure>,
  metricsOfFailure: (one: LoggedFailure) => NotedMetrics | undefined,
  signal: AbortSignal,
): Promise<DiagnosedCase[]> {
  const allocators = new Set(logged.filter(({ failure }) => failure.kind === 'allocator').map(writerOf))
  const rest = logged.filter((one) => !shown.has(one) && !isInWake(one, allocators))
  const counts = new Map<string, number>()
  for (const { file } of rest) counts.set(file, (counts.get(file) ?? 0) + 1)
  const cases: DiagnosedCase[] = []
  for (const [at, one] of rest.entries()) {
    if (at % casesInTurn === 0) await turnOfOthers()
    if (signal.aborted) break
    const { file, failure } = one
    const name = (counts.get(file) ?? 0) > 1 ? `${file}:${failure.line}` : file
    cases.push(caseOf(name, { logged: one, noted: metricsOfFailure(one) }))
  }
  return cases
}

const writerOf = ({ file, failure }: LoggedFailure): string => `${failure.rank} ${file}`

/** What a library says after PyTorch's own allocator has failed in the same rank is no failure of its own. allocators: the writers of such failures. */
function isInWake(one: LoggedFailure, allocators: ReadonlySet<string>): boolean {
  const { kind } = one.failure
  return kind !== 'allocator' && kind !== 'async' && kind !== 'cpu' && allocators.has(writerOf(one))
}

/** What logs, metrics and pasted texts tell, read once. */
export interface ToldSources {
  readonly metrics: readonly NotedMetrics[]
  readonly logged: readonly LoggedFailure[]
  readonly unreadable: readonly CaseFailure[]
}

/** Reads the logs and metrics of a group. */
export async function readSources(group: InputGroup, pasted: readonly LoggedFailure[], signal: AbortSignal): Promise<ToldSources> {
  const unreadable: CaseFailure[] = []
  const metrics = await metricsOf(group, unreadable, signal)
  const told = await failuresOf(group, unreadable, { signal, most: maxLogged, tooMany: [] })
  return { metrics, logged: [...told, ...pasted], unreadable }
}

export interface MeasuredDiagnosis {
  readonly found: DiagnosedCase
  /** Files that tell of this failure. */
  readonly telling: ReadonlySet<string>
  /** What the files tell of other failures. */
  readonly others: readonly LoggedFailure[]
}

/** The diagnosis of an open snapshot with the logs and metrics that the user gave, and with those of its group. */
export function diagnoseMeasured(
  file: string,
  measured: MeasuredCapture,
  group: InputGroup,
  { metrics, logged }: ToldSources,
): MeasuredDiagnosis {
  const capture = measured.measures
  const { match, caught, same } = matchOf(file, capture, group, pairing(logged, group.snapshots)(file))
  const known = new Set([...same, ...caught])
  const own = fittingOf(pairing(metrics, [...group.snapshots, ...group.logs])(file).all, match, measured)
  const all = fittingOf(metrics, match, measured)
  const rank = rankOfName(file)
  const noted = metricsOfRank(own.fitting, rank) ?? (rank === null && all.fitting.length === 1 ? all.fitting[0] : undefined)
  return {
    found: caseOf(file, { snapshot: file, capture, logged: match, noted, misfits: all.misfits }),
    telling: new Set([...known].map((one) => one.file)),
    others: logged.filter((one) => !known.has(one)),
  }
}

/** The metrics that can be of the snapshot's run, and why the others cannot. */
function fittingOf(
  metrics: readonly NotedMetrics[],
  match: LoggedFailure | undefined,
  measured: MeasuredCapture,
): { readonly fitting: readonly NotedMetrics[]; readonly misfits: readonly Misfit[] } {
  const fitting: NotedMetrics[] = []
  const misfits: Misfit[] = []
  for (const one of metrics) {
    const why = misfitOf(basename(one.file), one.growth, match?.failure ?? null, measured)
    if (why) misfits.push({ file: one.file, why })
    else fitting.push(one)
  }
  return { fitting, misfits }
}

export interface CaseSources {
  readonly snapshot?: string | undefined
  readonly capture?: CaptureMeasures | null
  readonly logged?: LoggedFailure | undefined
  readonly noted?: NotedMetrics | undefined
  readonly unread?: readonly string[]
  readonly misfits?: readonly Misfit[]
}

/** A case of these sources, diagnosed. `file`: what it is told by. */
export function caseOf(file: string, { snapshot, capture = null, logged, noted, unread = [], misfits = [] }: CaseSources): DiagnosedCase {
  const sources = { capture, log: logged?.failure ?? null, metrics: noted?.growth ?? null, unread }
  const diagnosis = diagnose(sources)
  return {
    file,
    ...sources,
    misfits,
    diagnosis: { ...diagnosis, needs: [...diagnosis.needs, ...misfits.map(({ why }) => why)] },
    snapshot: snapshot ?? null,
    logFile: logged?.file ?? null,
    metricsFile: noted?.file ?? null,
  }
}

/** Enough to measure a snapshot again, and all that is known of a text. */
export type Kept = Omit<DiagnosedCase, 'capture' | 'diagnosis'>

/** The case of these sources with what was measured of its snapshot. */
export const rebuilt = (
  { file, snapshot, log, logFile, metrics, metricsFile, unread, misfits }: Kept,
  capture: DiagnosedCase['capture'],
): DiagnosedCase =>
  caseOf(file, {
    snapshot: snapshot ?? undefined,
    capture,
    logged: log && logFile !== null ? { file: logFile, failure: log } : undefined,
    noted: metrics && metricsFile !== null ? { file: metricsFile, rank: null, growth: metrics } : undefined,
    unread,
    misfits,
  })

/** Many cases are kept at once, and what a verdict needed is long: this much of it is shown. */
function slim(one: DiagnosedCase): DiagnosedCase {
  const { capture } = one
  if (!capture) return one
  return { ...one, capture: { ...capture, held: [], stacks: capture.stacks.slice(0, 20), growth: largestGrowth(capture) } }
}

const largestGrowth = ({ growth }: CaptureMeasures) => [...growth].sort((a, b) => b.grownBytes - a.grownBytes).slice(0, 20)

const rankOfName = (file: string): number | null => {
  const rank = /rank[-_ ]?(\d{1,6})/i.exec(file.split(/[/\\]/).at(-1) ?? '')?.[1]
  return rank === undefined ? null : Number(rank)
}

interface Match {
  readonly match: LoggedFailure | undefined
  /** What the program caught, as the snapshot shows: no end of its run. */
  readonly caught: readonly LoggedFailure[]
  /** All that tell of it: several files may. */
  readonly same: readonly LoggedFailure[]
}

/** The failure of a log that a snapshot shows: of its rank, else of its request, else the only one beside the only snapshot. */
function matchOf(file: string, capture: CaptureMeasures | null, group: InputGroup, { own, all }: Paired<LoggedFailure>): Match {
  const rank = rankOfName(file)
  const segment = capture?.request?.segmentBytes ?? null
  const ofRank = rank === null ? all : all.filter(({ failure }) => failure.rank === rank || failure.rank === null)
  const recovery = capture?.recovery ?? null
  const caught = recovery ? ofRank.filter(({ failure }) => isCaught(recovery, failure)) : []
  const open = recovery ? ofRank.filter(({ failure }) => !isCaught(recovery, failure)) : ofRank
  const isRequest = ({ requested }: LogFailure): boolean =>
    segment !== null && requested !== null && Math.abs(requested.bytes - segment) <= requested.precision + 1
  // Twice the request is another one; what a text calls the request may be the segment, or rounded.
  const isAnother = ({ requested }: LogFailure): boolean =>
    segment !== null && requested !== null && (requested.bytes > 2 * segment || requested.bytes < segment / 2)
  const [first] = open
  const isOnly = open.length === 1 && first && !isAnother(first.failure) && (group.snapshots.length === 1 || own.length > 0)
  const same = open.filter(({ failure }) => isRequest(failure))
  if (same.length === 0 && isOnly) same.push(first)
  return { match: same[0], caught, same }
}

export interface NotedMetrics {
  readonly file: string
  readonly rank: number | null
  readonly growth: MetricsGrowth
}

async function metricsOf(group: InputGroup, unreadable: CaseFailure[], signal: AbortSignal): Promise<NotedMetrics[]> {
  const all: NotedMetrics[] = []
  for (const file of group.metrics) {
    if (signal.aborted) break
    const read = await attempt(() => readMetricsFile(file, signal))
    if (!read.ok) unreadable.push({ file, error: read.error })
    else if (read.value.rows.length > 0) all.push({ file, rank: rankOfName(file), growth: growthOf(read.value) })
    else if (read.value.badLines > 0) unreadable.push({ file, error: noMetrics })
  }
  return all
}

const noMetrics: Failure = { code: 'file/unknown_format', message: 'No line of it is a JSON object, as the metrics of a step are.' }

/** The metrics of a rank, else those of no rank in particular. */
const metricsOfRank = (metrics: readonly NotedMetrics[], rank: number | null): NotedMetrics | undefined =>
  metrics.find((one) => one.rank === rank) ?? metrics.find((one) => one.rank === null)

interface LogLimits {
  readonly signal: AbortSignal
  readonly most: number
  /** Takes the logs whose failures are not all kept. */
  readonly tooMany: CaseFailure[]
}

async function failuresOf(group: InputGroup, unreadable: CaseFailure[], { signal, most, tooMany }: LogLimits): Promise<LoggedFailure[]> {
  const all: LoggedFailure[] = []
  // Programs that log in JSON write a failure among the lines of their steps.
  for (const file of [...group.logs, ...group.metrics]) {
    if (signal.aborted) break
    const read = await attempt(() => readLogFile(file, signal))
    if (!read.ok && group.metrics.includes(file)) continue // its own reader has said so
    if (!read.ok) unreadable.push({ file, error: read.error })
    else {
      const kept = read.value.failures.slice(0, most - all.length)
      all.push(...kept.map((failure) => ({ file, failure })))
      const leftOut = read.value.leftOut + read.value.failures.length - kept.length
      if (leftOut > 0) tooMany.push({ file, error: tooManyFailures(leftOut) })
    }
  }
  return all
}

/** Of a text whose failures are not all kept. */
export const tooManyFailures = (leftOut: number): Failure => ({
  code: 'file/too_much',
  message: `It tells of too many failures: ${leftOut} are left out.`,
})

/** What reading throws, as a value. Errors: `file/unreadable`. */
export async function attempt<T>(read: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await read())
  } catch (error) {
    return { ok: false, error: { code: 'file/unreadable', message: error instanceof Error ? error.message : String(error) } }
  }
}
