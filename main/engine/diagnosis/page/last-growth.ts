// The last large growth before the moment. Lasting level of an event: the least that was allocated from there up to the moment, so that what was given back
// again does not count. Of all stretches of a twentieth of the history, the last whose level rises at least half as much as that of the steepest.
import { ok, type Result } from '../../../../preload/contract/errors.ts'
import type { DiagnosisPage } from '../../../../preload/contract/queries.ts'
import type { OpenCapture } from '../../open-capture.ts'
import { batchOf } from '../../queries/native-answers.ts'
import type { CaptureMeasures } from '../capture-measures.ts'
import { placeAt } from '../places.ts'
import { Reading } from '../reading.ts'
import { titleOf } from '../stack-roles.ts'
import { byTitle, sumOf } from './by-title.ts'

export type LastGrowth = NonNullable<DiagnosisPage['lastGrowth']>

const columns = 2000
const stretches = 20
const maxStacks = 200
/** Of what is allocated: less is no large growth. */
const leastShare = 0.01

/** Columns [from, to] between whose levels memory rose. */
interface Rise {
  readonly from: number
  readonly to: number
  readonly bytes: number
}

/** Null where nothing rises. Errors: as the store. */
export async function lastGrowthOf(
  capture: OpenCapture,
  { device, event, allocated }: CaptureMeasures,
): Promise<Result<LastGrowth | null>> {
  if (event < 1) return ok(null)
  const count = Math.min(columns, event + 1)
  const found = await batchOf(capture, 'SELECT timeline_curves(?, ?, ?, ?, ?)', [device, 'event', 0, event + 1, count])
  if (!found.ok) return found
  // The moment itself stands after the last column.
  const least = [...found.value.f64('allocated_min'), allocated]
  const starts = [...found.value.f64('first_event'), event + 1]
  const rise = lastRise(levelsOf(least))
  if (!rise || rise.bytes < leastShare * allocated) return ok(null)
  const reading = new Reading(capture.store)
  const level = least.slice(rise.from).reduce((a, b) => Math.min(a, b))
  // The last column that is as low as the level; a column may also show the state that it starts with.
  const low = least.lastIndexOf(level)
  const lastWhere = async (condition: string, bytes: number, column: number): Promise<number> => {
    const [from, to] = [(starts[column] ?? 0) - 1, starts[column + 1] ?? event + 1]
    const row = await reading.row(
      `SELECT max(event) AS event FROM memory_curve WHERE device = ? AND event >= ? AND event < ? AND allocated_bytes ${condition} ?`,
      [device, from, to, bytes],
    )
    return typeof row?.event === 'number' ? row.event : from
  }
  const fromEvent = await lastWhere('<=', level, low)
  const toEvent = Math.min(event, (await lastWhere('<', level + rise.bytes, rise.to - 1)) + 1)
  const made = await reading.rows(
    `SELECT made.bytes, substr(s.text, 1, 20000) AS text FROM (SELECT stack_id, sum(size_bytes) AS bytes FROM live_allocation(?1, ?2)
      WHERE alloc_event > ?3 AND alloc_event <= ?4 GROUP BY 1 ORDER BY 2 DESC LIMIT ${maxStacks}) AS made LEFT JOIN stack AS s USING (stack_id)`,
    [device, event, fromEvent, toEvent],
  )
  const stacks = made.map(({ bytes, text }) => ({ title: titleOf(typeof text === 'string' ? text : null), bytes: Number(bytes) }))
  const groups = byTitle(stacks).map((group) => ({ title: group[0]?.title ?? '', bytes: sumOf(group, ({ bytes }) => bytes) }))
  const most = groups.reduce((best, each) => (each.bytes > best.bytes ? each : best), { title: '', bytes: 0 })
  const filter = `made:${fromEvent + 1}..${toEvent} alive_at:${event}`
  const place = placeAt({ device, event: toEvent }, 'timeline', filter)
  return reading.answer(() => ({ fromEvent, toEvent, bytes: rise.bytes, title: most.title, titleBytes: most.bytes, place }))
}

/** Each column's least from there to the end. */
function levelsOf(least: readonly number[]): number[] {
  const levels = [...least]
  for (let at = levels.length - 2; at >= 0; at -= 1) levels[at] = Math.min(levels[at] ?? 0, levels[at + 1] ?? 0)
  return levels
}

function lastRise(levels: readonly number[]): Rise | null {
  const width = Math.max(1, Math.ceil(levels.length / stretches))
  const rises = levels.slice(0, -1).map((level, from): Rise => {
    const to = Math.min(levels.length - 1, from + width)
    return { from, to, bytes: (levels[to] ?? 0) - level }
  })
  const steepest = rises.reduce((most, { bytes }) => Math.max(most, bytes), 0)
  const large = rises.filter(({ bytes }) => steepest > 0 && bytes >= steepest / 2)
  const last = large.at(-1)
  if (!last) return null
  // Stretches that overlap tell of one growth: the one of them that rises most.
  const best = large.filter(({ from }) => from > last.from - width).reduce((a, b) => (b.bytes > a.bytes ? b : a))
  const reached = levels.indexOf(levels[best.to] ?? 0)
  return { ...best, to: reached }
}
