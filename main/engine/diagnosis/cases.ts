// The failures of a group of files: each snapshot with its metrics and the text of its failure, and each failure of a log that no snapshot shows.
import { type Failure, ok, type Result } from '../../../preload/contract/errors.ts'
import type { Captures } from '../captures.ts'
import type { LoadListener } from '../shared-loads.ts'
import { type CaptureMeasures, measureCapture } from './capture-measures.ts'
import { diagnose } from './diagnose.ts'
import type { InputGroup } from './inputs.ts'
import { type LogFailure, readLogFile } from './log-text.ts'
import { growthOf, type MetricsGrowth, readMetricsFile } from './metrics.ts'
import type { Diagnosis } from './types.ts'

/** One line of the table: a snapshot, or a failure that a log tells of. */
export interface DiagnosedCase {
  readonly file: string
  readonly diagnosis: Diagnosis
  readonly capture: CaptureMeasures | null
  readonly log: LogFailure | null
  readonly metrics: MetricsGrowth | null
}

export interface CaseFailure {
  readonly file: string
  readonly error: Failure
}

export interface Cases {
  readonly cases: readonly DiagnosedCase[]
  readonly unreadable: readonly CaseFailure[]
}

interface LoggedFailure {
  readonly file: string
  readonly failure: LogFailure
}

/** Diagnoses a group; a file that cannot be read leaves the others as they are. */
export async function diagnoseGroup(captures: Captures, group: InputGroup, options: LoadListener): Promise<Cases> {
  const unreadable: CaseFailure[] = []
  const metrics = await metricsOf(group, unreadable)
  const logged = await failuresOf(group, unreadable)
  const cases: DiagnosedCase[] = []
  const told = new Set<LoggedFailure>()
  for (const file of group.snapshots) {
    const measured = await measureFile(captures, file, options)
    if (!measured.ok) {
      unreadable.push({ file, error: measured.error })
      continue
    }
    const match = matchOf(file, measured.value, group, logged)
    if (match) told.add(match)
    cases.push(caseOf(file, measured.value, match?.failure ?? null, metricsOfRank(metrics, rankOfName(file))))
  }
  const rest = logged.filter((one) => !told.has(one) && !isInWakeOf(one, logged))
  for (const { file, failure } of rest)
    cases.push(caseOf(rest.length > 1 ? `${file}:${failure.line}` : file, null, failure, metricsOfRank(metrics, failure.rank)))
  const [metricsFile] = group.metrics
  const [first] = metrics
  if (cases.length === 0 && metricsFile !== undefined && first) cases.push(caseOf(metricsFile, null, null, first.growth))
  const [log] = group.logs
  if (cases.length === 0 && log !== undefined && unreadable.length === 0) cases.push(caseOf(log, null, null, null))
  return { cases, unreadable }
}

/** What a library says after PyTorch's own allocator has failed in the same rank is no failure of its own. */
function isInWakeOf({ file, failure }: LoggedFailure, all: readonly LoggedFailure[]): boolean {
  if (failure.kind === 'allocator' || failure.kind === 'async' || failure.kind === 'cpu') return false
  return all.some((one) => one.failure.kind === 'allocator' && one.file === file && one.failure.rank === failure.rank)
}

function caseOf(file: string, capture: CaptureMeasures | null, log: LogFailure | null, metrics: MetricsGrowth | null): DiagnosedCase {
  return { file, capture, log, metrics, diagnosis: diagnose({ capture, log, metrics }) }
}

async function measureFile(captures: Captures, file: string, options: LoadListener): Promise<Result<CaptureMeasures | null>> {
  const opened = await captures.open(file, options)
  if (!opened.ok) return opened
  const capture = captures.get(opened.value.captureId)
  if (!capture.ok) return capture
  try {
    return await capture.value.ask(options.signal, () => measureCapture(capture.value))
  } finally {
    await captures.close(opened.value.captureId)
  }
}

const rankOfName = (file: string): number | null => {
  const rank = /rank[-_ ]?(\d{1,6})/i.exec(file.split(/[/\\]/).at(-1) ?? '')?.[1]
  return rank === undefined ? null : Number(rank)
}

/** The failure of a log that a snapshot shows: of its rank, else of its request, else the only one beside the only snapshot. */
function matchOf(
  file: string,
  capture: CaptureMeasures | null,
  group: InputGroup,
  logged: readonly LoggedFailure[],
): LoggedFailure | undefined {
  const rank = rankOfName(file)
  const segment = capture?.request?.segmentBytes ?? null
  const ofRank = rank === null ? logged : logged.filter(({ failure }) => failure.rank === rank || failure.rank === null)
  const isRequest = ({ requested }: LogFailure): boolean =>
    segment !== null && requested !== null && Math.abs(requested.bytes - segment) <= requested.precision + 1
  return ofRank.find(({ failure }) => isRequest(failure)) ?? (group.snapshots.length === 1 && ofRank.length === 1 ? ofRank[0] : undefined)
}

interface RankMetrics {
  readonly rank: number | null
  readonly growth: MetricsGrowth
}

async function metricsOf(group: InputGroup, unreadable: CaseFailure[]): Promise<RankMetrics[]> {
  const all: RankMetrics[] = []
  for (const file of group.metrics) {
    const read = await attempt(() => readMetricsFile(file))
    if (!read.ok) unreadable.push({ file, error: read.error })
    else if (read.value.rows.length > 0) all.push({ rank: rankOfName(file), growth: growthOf(read.value) })
  }
  return all
}

/** The metrics of a rank, else those of no rank in particular. */
const metricsOfRank = (metrics: readonly RankMetrics[], rank: number | null): MetricsGrowth | null =>
  (metrics.find((one) => one.rank === rank) ?? metrics.find((one) => one.rank === null))?.growth ?? null

async function failuresOf(group: InputGroup, unreadable: CaseFailure[]): Promise<LoggedFailure[]> {
  const all: LoggedFailure[] = []
  for (const file of group.logs) {
    const read = await attempt(() => readLogFile(file))
    if (!read.ok) unreadable.push({ file, error: read.error })
    else all.push(...read.value.failures.map((failure) => ({ file, failure })))
  }
  return all
}

async function attempt<T>(read: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await read())
  } catch (error) {
    return { ok: false, error: { code: 'file/unreadable', message: error instanceof Error ? error.message : String(error) } }
  }
}
