// Whether a program went on after its last failure: many catch it, make the batch smaller and try again.
import type { LogFailure } from './log-text.ts'
import type { Reading } from './reading.ts'

/** A failure after which the program went on. */
export interface Recovery {
  readonly event: number
  readonly requestedBytes: number
  /** Allocations after it. */
  readonly madeAfter: number
  /** What this failure and those before it asked for. */
  readonly requests: readonly number[]
}

/** What unwinding and a last log line make is less. */
const leastAfter = 100
const leastShareAfter = 0.1

/** The last failure of the device at `event`, where what follows is more than the end of a program; else null. */
export async function recoveryAfter(reading: Reading, device: number, event: number): Promise<Recovery | null> {
  const row = await reading.row(
    `SELECT (SELECT size_bytes FROM oom WHERE device = ?1 AND event = ?2) AS bytes, sum(alloc_event > ?2) AS after, sum(alloc_event < ?2) AS before
      FROM allocation WHERE device = ?1 AND alloc_event >= 0`,
    [device, event],
  )
  const [after, before] = [Number(row?.after ?? 0), Number(row?.before ?? 0)]
  if (after < Math.max(leastAfter, leastShareAfter * before)) return null
  const earlier = await reading.rows('SELECT DISTINCT size_bytes AS bytes FROM oom WHERE device = ? AND event <= ? LIMIT 1000', [
    device,
    event,
  ])
  const requests = earlier.map(({ bytes }) => Number(bytes))
  return { event, requestedBytes: Number(row?.bytes ?? 0), madeAfter: after, requests }
}

const mib = 1024 ** 2

/** Segments that a request may need: 2 MiB for the small pool, 20 MiB, or whole 2 MiB; whole pages of 20 MiB where segments expand. */
const segmentsOf = (bytes: number): readonly number[] => [
  bytes,
  bytes <= mib ? 2 * mib : Math.ceil(bytes / (20 * mib)) * 20 * mib,
  Math.ceil(bytes / (2 * mib)) * 2 * mib,
]

/** Whether a log tells of a failure that the program caught. */
export function isCaught({ requests }: Recovery, { requested }: LogFailure): boolean {
  if (!requested) return false
  return requests.flatMap(segmentsOf).some((bytes) => Math.abs(bytes - requested.bytes) <= requested.precision + 1)
}
