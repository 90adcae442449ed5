// Whether metrics can be of the run that a snapshot shows: what they note must have been so there. Metrics of another run would be read as a history that
// never was.

import { ok, type Result } from '../../../preload/contract/errors.ts'
import { formatCount } from '../../../preload/contract/format.ts'
import type { OpenCapture } from '../open-capture.ts'
import { type CaptureMeasures, measureCapture } from './capture-measures.ts'
import type { LogFailure } from './log-text.ts'
import type { MetricsGrowth } from './metrics.ts'
import { Reading } from './reading.ts'
import { bytesWord } from './score.ts'
import type { Texts } from './types.ts'
import { say } from './words.ts'

/** A capture as far as metrics can be held against it. */
export interface MeasuredCapture {
  readonly measures: CaptureMeasures | null
  /** Of the levels that metrics note, those at which its reserved memory ever stood. */
  readonly reservedLevels: ReadonlySet<number>
}

/** Metrics are noted in rounded units. */
const room = 0.01
/** Where fewer of the noted levels are in a whole history, the metrics are of another. Some may be missing: an allocator that tries again leaves no trace of each try. */
const leastCommonShare = 0.25
/** One level may be met by chance, or missed. */
const leastLevels = 3
/** Segments are whole multiples of it, so that what is noted in bytes is too. */
const segmentUnit = 2 * 1024 ** 2

/** Measures a capture, and looks in its history for what the metrics note. Errors: as the store. */
export async function measureWith(capture: OpenCapture, noted: readonly MetricsGrowth[]): Promise<Result<MeasuredCapture>> {
  const measured = await measureCapture(capture)
  if (!measured.ok) return measured
  const measures = measured.value
  const levels = noted.flatMap(({ reservedLevels }) => reservedLevels)
  if (!measures || levels.length === 0 || !isWhole(measures)) return ok({ measures, reservedLevels: new Set() })
  const reading = new Reading(capture.store)
  const rows = await reading.rows(
    'SELECT DISTINCT reserved_bytes AS level FROM memory_curve WHERE device = ? AND reserved_bytes IN (SELECT value FROM json_each(?))',
    [measures.device, JSON.stringify(levels)],
  )
  return reading.answer(() => ({ measures, reservedLevels: new Set(rows.map(({ level }) => Number(level))) }))
}

/** A history from the first request to the failure that ended the program. */
const isWhole = ({ isFailure, isHistoryShort, isCut }: CaptureMeasures): boolean => isFailure && !isHistoryShort && !isCut

/** Why they cannot be of one run; null where nothing speaks against it. name: of the metrics' file. */
export function misfitOf(
  name: string,
  growth: MetricsGrowth,
  log: LogFailure | null,
  { measures, reservedLevels }: MeasuredCapture,
): Texts | null {
  const { deviceTotal, most } = growth
  const noted = Math.max(most.reserved ?? 0, most.allocated ?? 0)
  const above = (id: 'metrics_above_cap' | 'metrics_above_history', bytes: number): Texts =>
    say(id, { name, noted: bytesWord(noted), most: bytesWord(bytes) })
  const { allowed = null, total = null } = log ?? {}
  if (allowed && noted > allowed.bytes * (1 + room) + allowed.precision) return above('metrics_above_cap', allowed.bytes)
  if (total && deviceTotal !== null && Math.abs(deviceTotal - total.bytes) > total.bytes * room + total.precision)
    return say('metrics_other_device', { name, noted: bytesWord(deviceTotal), total: bytesWord(total.bytes) })
  if (!measures) return null
  const reservable = mostReservable(measures)
  if (reservable !== null && noted > reservable * (1 + room)) return above('metrics_above_history', reservable)
  const steps = measures.stepAtWork
  if (isWhole(measures) && steps !== null && !isByParts(growth.steps, steps))
    return say('metrics_more_steps', { name, noted: formatCount(growth.steps), steps: formatCount(steps) })
  return isWhole(measures) && isOfOtherLevels(growth.reservedLevels, reservedLevels) ? say('metrics_other_levels', { name }) : null
}

/** What a program that ended with its failure cannot have reserved before; null where the history does not tell. */
function mostReservable(measures: CaptureMeasures): number | null {
  const { isFailure, isCut, limits } = measures
  if (!isFailure || isCut) return null
  return isWhole(measures) ? limits.mostReserved : limits.refusedBytes
}

/** True for no more rows than steps, or as many for each: where gradients are accumulated, a step has several. */
function isByParts(rows: number, steps: number): boolean {
  if (rows <= steps) return true
  const parts = Math.ceil(rows / steps)
  return rows >= parts * (steps - 1)
}

function isOfOtherLevels(noted: readonly number[], met: ReadonlySet<number>): boolean {
  if (noted.length < leastLevels || noted.some((level) => level % segmentUnit !== 0)) return false
  return noted.filter((level) => met.has(level)).length < leastCommonShare * noted.length
}
