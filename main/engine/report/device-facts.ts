// What a report says of one device, gathered from the questions that the views ask too, so that report and window agree.
import type { DeviceSummary } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { ReportDevice, ReportFailure } from '../../../preload/contract/report.ts'
import type { OpenCapture } from '../open-capture.ts'
import { rowCondition } from '../queries/allocation-filter.ts'
import { blocksWouldFit } from '../queries/blocks.ts'
import { eventRow } from '../queries/events.ts'
import type { QueryHandler } from '../queries/query.ts'
import { cutText, numberOf, textOf } from '../queries/row.ts'
import { timelineRange } from '../queries/stacks.ts'
import { framesOf, momentOf } from './moment-facts.ts'

export const reportDevice: QueryHandler<'report.device'> = async (capture, { device: number, temporaryEvents }) => {
  const device = capture.summary.devices.find((each) => each.device === number)
  if (!device) return fail('query/bad_argument', `There is no device ${number} in this capture.`)
  const lives = await livesOf(capture, device, temporaryEvents)
  if (!lives.ok) return lives
  const annotations = await annotationsOf(capture, device)
  if (!annotations.ok) return annotations
  const moments = await momentsOf(capture, device)
  if (!moments.ok) return moments
  return ok({ ...lives.value, ...annotations.value, ...moments.value })
}

type Lives = Pick<ReportDevice, 'curves' | 'made' | 'freed' | 'neverFreed' | 'temporary'>

async function livesOf(capture: OpenCapture, { device, eventCount }: DeviceSummary, temporaryEvents: number): Promise<Result<Lives>> {
  const temporary = rowCondition(JSON.stringify({ most_events: temporaryEvents }))
  const neverFreed = rowCondition(JSON.stringify({ never_freed: true }))
  const row = await capture.store.get(
    `SELECT count(*) FILTER (WHERE temporary) AS temporary_count, coalesce(sum(size_bytes) FILTER (WHERE temporary), 0) AS temporary_bytes,
       count(*) FILTER (WHERE kept) AS kept_count, coalesce(sum(size_bytes) FILTER (WHERE kept), 0) AS kept_bytes
     FROM (SELECT size_bytes, ${temporary.sql} AS temporary, ${neverFreed.sql} AS kept FROM allocation WHERE device = ?)`,
    [...temporary.parameters, ...neverFreed.parameters, device],
  )
  if (!row.ok) return row
  const figure = (name: string): number => (row.value ? numberOf(row.value, name) : 0)
  const groups = {
    temporary: { count: figure('temporary_count'), bytes: figure('temporary_bytes') },
    neverFreed: { count: figure('kept_count'), bytes: figure('kept_bytes') },
  }
  const none = { count: 0, bytes: 0 }
  if (eventCount === 0) return ok({ ...groups, curves: null, made: none, freed: none })
  const range = await timelineRange(capture, { captureId: capture.summary.captureId, device, fromEvent: 0, toEvent: eventCount })
  if (!range.ok) return range
  const { curves, allocatedCount, allocatedBytes, freedCount, freedBytes } = range.value
  return ok({
    ...groups,
    curves,
    made: { count: allocatedCount, bytes: allocatedBytes },
    freed: { count: freedCount, bytes: freedBytes },
  })
}

const maxAnnotations = 12

async function annotationsOf(
  capture: OpenCapture,
  { device }: DeviceSummary,
): Promise<Result<Pick<ReportDevice, 'annotations' | 'annotationCount'>>> {
  const rows = await capture.store.all(
    `SELECT name, count(*) AS number, sum(count(*)) OVER () AS total
     FROM (SELECT ${cutText('name')} AS name FROM annotation WHERE device = ?) GROUP BY name ORDER BY number DESC, name LIMIT ?`,
    [device, maxAnnotations],
  )
  if (!rows.ok) return rows
  const [first] = rows.value
  return ok({
    annotations: rows.value.map((row) => ({ name: textOf(row, 'name'), count: numberOf(row, 'number') })),
    annotationCount: first ? numberOf(first, 'total') : 0,
  })
}

type Moments = Pick<ReportDevice, 'peak' | 'failure' | 'dump'>

async function momentsOf(capture: OpenCapture, device: DeviceSummary): Promise<Result<Moments>> {
  if (device.eventCount === 0) {
    const dump = await momentOf(capture, device, -1)
    return dump.ok ? ok({ peak: null, failure: null, dump: dump.value }) : dump
  }
  const peak = await momentOf(capture, device, device.peakEvent)
  if (!peak.ok) return peak
  const failure = await failureOf(capture, device)
  return failure.ok ? ok({ peak: peak.value, failure: failure.value, dump: null }) : failure
}

/** The last failure; null where there was none. */
async function failureOf(capture: OpenCapture, device: DeviceSummary): Promise<Result<ReportFailure | null>> {
  const { captureId, hasBlocks } = capture.summary
  const last = device.ooms.at(-1)
  if (!last) return ok(null)
  const at = { captureId, device: device.device, event: last.event }
  const moment = await momentOf(capture, device, last.event)
  if (!moment.ok) return moment
  const found = await eventRow(capture, at)
  if (!found.ok) return found
  const { stackId = -1, title = '', place = '' } = found.value.row ?? {}
  const stack = await framesOf(capture, [stackId])
  if (!stack.ok) return stack
  const fit = hasBlocks && last.sizeBytes > 0 ? await blocksWouldFit(capture, { ...at, sizeBytes: last.sizeBytes }) : ok(null)
  if (!fit.ok) return fit
  const { sizeBytes, deviceFreeBytes } = last
  return ok({ moment: moment.value, sizeBytes, deviceFreeBytes, title, place, stack: stack.value(stackId), fit: fit.value })
}
