// Questions that screen and pictures share.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import { engine } from '../../data/engine-client.ts'
import { type Measures, measuresAt, measuresOf } from '../../space/measures.ts'
import type { PlacedReport } from './fragmentation-data.ts'

interface Place {
  readonly captureId: string
  readonly device: number
}

const atOnce = 16

/** Measures after one event, with its time; −1 = before the first. */
async function askMeasures({ captureId, device }: Place, event: number): Promise<Result<Measures>> {
  const range = { x0: event, x1: event + 1 }
  const answer = await engine.call('space.curves', { captureId, device, axis: 'event', ...range, columns: 1 })
  return answer.ok ? ok({ ...measuresAt({ range, axis: 'event', device, data: answer.value }, 0), event }) : answer
}

/** The report after an event, with its time. `hasEvents` false: the state of the dump. */
export async function askReport(place: Place, event: number, hasEvents: boolean): Promise<Result<PlacedReport>> {
  const [report, measures] = await Promise.all([
    engine.call('space.report', { ...place, event }),
    hasEvents ? askMeasures(place, event) : undefined,
  ])
  if (!report.ok) return report
  return ok({ device: place.device, event, timeNs: measures?.ok ? measures.value.timeNs : Number.NaN, value: report.value })
}

/** Measures after several events, in their order. */
export async function askMoments(place: Place, events: readonly number[], hasEvents: boolean): Promise<Result<readonly Measures[]>> {
  if (!hasEvents) {
    const report = await engine.call('space.report', { ...place, event: -1 })
    return report.ok ? ok(events.map((event) => measuresOf(report.value.totals, event))) : report
  }
  const rows: Measures[] = []
  for (let first = 0; first < events.length; first += atOnce) {
    const answers = await Promise.all(events.slice(first, first + atOnce).map((event) => askMeasures(place, event)))
    for (const answer of answers) {
      if (!answer.ok) return answer
      rows.push(answer.value)
    }
  }
  return ok(rows)
}
