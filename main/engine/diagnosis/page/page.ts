// The whole diagnosis of one failure, as the window shows it. Every list and text is bounded, so that no file makes the answer larger than a megabyte.
import { basename } from 'node:path'
import { ok, type Result } from '../../../../preload/contract/errors.ts'
import type { DiagnosisPage, DiagnosisSituation } from '../../../../preload/contract/queries.ts'
import type { OpenCapture } from '../../open-capture.ts'
import type { CaptureMeasures } from '../capture-measures.ts'
import { attempt, type DiagnosedCase } from '../cases.ts'
import { paceOf } from '../classes/kept.ts'
import { factStates } from '../fact-states.ts'
import { readMetricsFile } from '../metrics.ts'
import { readSourcesOf } from '../page-sources.ts'
import { Reading } from '../reading.ts'
import type { Situation } from '../situation.ts'
import type { Subject, Texts } from '../types.ts'
import { say } from '../words.ts'
import { curvesOf } from './curves.ts'
import { evidencePlace } from './evidence-places.ts'
import { growingStacks } from './growing.ts'
import { heldOf } from './held.ts'
import { type LastGrowth, lastGrowthOf } from './last-growth.ts'
import { workOf } from './work.ts'

const maxEvidence = 12 // of a candidate
const maxFrames = 200
const maxStacksAtEnd = 1000
const maxFrameLength = 500
const maxSettings = 100
const maxNameLength = 200
const maxValueLength = 1000

interface CaptureParts {
  readonly timeNs: number | null
  readonly request: DiagnosisPage['request']
  readonly held: NonNullable<DiagnosisPage['held']>
  readonly lastGrowth: LastGrowth | null
  /** Bytes by stack after the last event, where nothing failed. */
  readonly atEnd: ReadonlyMap<number, number> | null
}

/**
 * The page of a case. `open`: the snapshot that the case was measured from; null where there is none. Metrics that cannot be read any more cost their
 * curves, not the page. Errors: as the store.
 */
export async function pageOf(one: DiagnosedCase, open: OpenCapture | null, signal: AbortSignal): Promise<Result<DiagnosisPage>> {
  const { diagnosis, capture, log, metrics } = one
  const subject: Subject = { capture, log, metrics, situation: diagnosis.situation }
  const parts = open && capture ? await partsOf(open, capture) : ok(null)
  if (!parts.ok) return parts
  const shownMetrics = await metricsOf(one, signal)
  return ok({
    name: (open?.summary.sourceName ?? basename(one.file)).slice(0, maxNameLength),
    device: capture?.device ?? null,
    event: capture?.event ?? null,
    timeNs: parts.value?.timeNs ?? null,
    verdict: diagnosis.verdict,
    candidates: diagnosis.candidates.map(({ label, confidence, evidence }) => ({
      label,
      confidence,
      evidence: evidence
        .slice(0, maxEvidence)
        .map((each) => ({ ...each, value: shown(each.value), place: evidencePlace(each.measure, subject) })),
    })),
    situation: situationOf(subject),
    request: parts.value?.request ?? null,
    held: parts.value?.held ?? null,
    lastGrowth: parts.value?.lastGrowth ?? null,
    growing: growingStacks(subject, parts.value?.atEnd ?? null),
    isGrowthSought: capture?.hasStacks === true && paceOf(subject) !== null,
    work: workOf(subject, parts.value?.request?.frames ?? []),
    steps: paceOf(subject)?.steps ?? metrics?.steps ?? null,
    neededBytes: neededBytes(diagnosis.situation),
    settings: open ? settingsOf(open) : [],
    errorText: log && {
      text: log.text,
      name: basename(one.logFile ?? one.file).slice(0, maxNameLength),
      line: log.line,
      rank: log.rank,
      time: log.time,
    },
    metrics: shownMetrics,
    sources: readSourcesOf(one),
    advice: [...diagnosis.advice],
    needs: [...diagnosis.needs, ...(one.metricsFile !== null && shownMetrics === null ? [lostNote(one.metricsFile)] : [])],
  })
}

/** Metrics may hold numbers whose differences are beyond all numbers. */
const shown = (value: number | string): number | string => (typeof value === 'string' || Number.isFinite(value) ? value : '∞')

async function partsOf(open: OpenCapture, measures: CaptureMeasures): Promise<Result<CaptureParts>> {
  const held = await heldOf(open, measures)
  if (!held.ok) return held
  const lastGrowth = await lastGrowthOf(open, measures)
  if (!lastGrowth.ok) return lastGrowth
  const reading = new Reading(open.store)
  const time = await reading.row('SELECT time_ns FROM event WHERE device = ? AND event = ?', [measures.device, measures.event])
  const end = measures.isFailure
    ? null
    : await reading.json<{ stack_id: number; bytes: number }[]>('SELECT top_stacks(?, ?, ?) AS value', [
        measures.device,
        measures.eventCount - 1,
        maxStacksAtEnd,
      ])
  const stackId = measures.request?.stackId ?? -1
  const frames = ((await reading.stackTexts([stackId])).get(stackId) ?? '').split('\n').filter((line) => line.trim() !== '')
  return reading.answer(() => ({
    timeNs: typeof time?.time_ns === 'number' ? time.time_ns : null,
    request: measures.request && {
      stackId,
      title: measures.request.title,
      frames: frames.slice(0, maxFrames).map((frame) => frame.slice(0, maxFrameLength)),
      stream: measures.request.stream,
      pool: measures.request.pool,
      segmentType: measures.request.segmentType,
    },
    held: held.value,
    lastGrowth: lastGrowth.value,
    atEnd: end && new Map(end.map(({ stack_id, bytes }) => [stack_id, bytes])),
  }))
}

function situationOf(subject: Subject): DiagnosisSituation {
  const { facts: _, reach: __, reason: ___, provedReason, ...numbers } = subject.situation
  return { ...numbers, reason: provedReason, facts: factStates(subject) }
}

/**
 * What was missing for the request, the nearer of two ways: a free block as large as it, or room for a new segment below a limit that is known; outside
 * PyTorch, free memory of the device. Null where nothing failed, or the numbers are not known.
 */
function neededBytes(situation: Situation): number | null {
  const { reason, isFailure, requestedBytes, segmentBytes, largestFreeBytes, deviceFreeBytes, reservedBytes, limitBytes, isLimitKnown } =
    situation
  const segment = segmentBytes ?? requestedBytes
  if (!isFailure || reason === 'unknown' || requestedBytes === null || segment === null) return null
  const ways: number[] = []
  if (reason === 'outside_pytorch') ways.push(...(deviceFreeBytes === null ? [] : [segment - deviceFreeBytes]))
  else {
    if (largestFreeBytes !== null) ways.push(requestedBytes - largestFreeBytes)
    if (isLimitKnown && limitBytes !== null && reservedBytes !== null) ways.push(segment - (limitBytes - reservedBytes))
  }
  return ways.length === 0 ? null : Math.max(0, Math.min(...ways))
}

function settingsOf({ summary }: OpenCapture): DiagnosisPage['settings'] {
  return Object.entries(summary.settings ?? {})
    .slice(0, maxSettings)
    .map(([name, value]) => ({
      name: name.slice(0, maxNameLength),
      value: (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, maxValueLength),
    }))
}

/** Null without metrics, or where they cannot be read any more. */
async function metricsOf({ metricsFile, metrics }: DiagnosedCase, signal: AbortSignal): Promise<DiagnosisPage['metrics']> {
  if (metricsFile === null || metrics === null) return null
  const read = await attempt(() => readMetricsFile(metricsFile, signal))
  return read.ok ? { name: basename(metricsFile).slice(0, maxNameLength), steps: metrics.steps, ...curvesOf(read.value) } : null
}

/** A log or metrics that cannot be read any more cost what they told, not the page. */
export const lostNote = (path: string): Texts => say('source_lost', { name: basename(path) })
