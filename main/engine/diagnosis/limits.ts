// What a history proves about how much a program could reserve: the most that it ever had, and the requests for new memory that were refused although the
// device had room. Also how often the allocator had emptied its cache and tried again, which warns of a failure to come.
import type { Reading } from './reading.ts'
import type { Simulated } from './simulations.ts'

export interface ProvedLimits {
  /** The most that was reserved at any event. */
  readonly mostReserved: number
  /** A cap lies below this: what was reserved when a new segment was refused, and the segment; null where the device never had room for what it refused. */
  readonly refusedBytes: number | null
  readonly retries: Retries
}

/** How often the cache was emptied to make room for a new segment, which then was given. */
export interface Retries {
  readonly count: number
  readonly firstEvent: number | null
}

/** The lowest tell the most. */
const maxFailures = 8
const maxReservations = 200_000

/** Of a device, over its whole history: a cap holds all the time. */
export async function provedLimits(reading: Reading, device: number): Promise<ProvedLimits> {
  const row = await reading.row('SELECT peak_reserved_bytes FROM device WHERE device = ?', [device])
  const mostReserved = Number(row?.peak_reserved_bytes ?? 0)
  return { mostReserved, refusedBytes: await leastRefused(reading, device), retries: await retriesOf(reading, device, mostReserved) }
}

/** With what the simulator proves of the cap: it knows the attempts that came before a retry too. */
export function tightened(limits: ProvedLimits, simulated: Simulated | null): ProvedLimits {
  const cap = simulated?.cap
  if (!cap) return limits
  return {
    ...limits,
    mostReserved: Math.max(limits.mostReserved, cap.leastBytes),
    refusedBytes: Math.min(limits.refusedBytes ?? Number.POSITIVE_INFINITY, cap.belowBytes),
  }
}

async function leastRefused(reading: Reading, device: number): Promise<number | null> {
  const rows = await reading.rows(
    `SELECT o.device_free_bytes AS free, m.reserved_bytes AS reserved,
       (SELECT would_fit(e.device, e.event, o.size_bytes, e.stream, e.pool) FROM event AS e WHERE e.device = o.device AND e.event = o.event) AS fit
      FROM oom AS o JOIN memory_curve AS m ON m.device = o.device AND m.event = o.event
      WHERE o.device = ? AND o.size_bytes BETWEEN 1 AND o.device_free_bytes ORDER BY m.reserved_bytes + o.size_bytes LIMIT ${maxFailures}`,
    [device],
  )
  const refused = rows.flatMap(({ free, reserved, fit }) => {
    const segment = typeof fit === 'string' ? (JSON.parse(fit) as { segment_bytes: number }).segment_bytes : null
    return segment !== null && Number(free) >= segment ? [Number(reserved) + segment] : []
  })
  return refused.length === 0 ? null : Math.min(...refused)
}

/**
 * A retry gives segments back and gets a new one in the very next event, both with the stack of the call that asked. A program that empties the cache itself
 * does so in a call of its own; only where what was reserved before and the new segment are more than was ever reserved, there had been no room.
 */
async function retriesOf(reading: Reading, device: number, mostReserved: number): Promise<Retries> {
  const ends = await reading.rows(
    `SELECT DISTINCT unmap_event AS event FROM reservation WHERE device = ? AND unmap_event >= 0 LIMIT ${maxReservations}`,
    [device],
  )
  const given = new Set(ends.map(({ event }) => Number(event)))
  const starts = await reading.rows(
    `SELECT map_event AS event, max(size_bytes) AS bytes FROM reservation WHERE device = ? AND map_event > 0 GROUP BY 1 ORDER BY 1 LIMIT ${maxReservations}`,
    [device],
  )
  const tries = starts.flatMap(({ event, bytes }) => {
    let first = Number(event)
    while (given.has(first - 1)) first -= 1
    return first === Number(event) ? [] : [[first, Number(event), Number(bytes)] as const]
  })
  const pressed = await reading.rows(
    `SELECT asked.event FROM json_each(?1) AS tried
      JOIN event AS given ON given.device = ?2 AND given.event = tried.value ->> 0
      JOIN event AS asked ON asked.device = ?2 AND asked.event = tried.value ->> 1 AND asked.stack_id IS given.stack_id
      JOIN memory_curve AS before ON before.device = ?2 AND before.event = given.event - 1
      WHERE before.reserved_bytes + (tried.value ->> 2) > ?3 ORDER BY 1`,
    [JSON.stringify(tries), device, mostReserved],
  )
  return { count: pressed.length, firstEvent: typeof pressed[0]?.event === 'number' ? pressed[0].event : null }
}
