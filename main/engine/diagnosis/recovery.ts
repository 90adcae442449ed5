// Whether a program went on after its last failure: many catch it, make the batch smaller and try again.
import type { Reading } from './reading.ts'

/** A failure after which the program went on. */
export interface Recovery {
  readonly event: number
  readonly requestedBytes: number
  /** Allocations after it. */
  readonly madeAfter: number
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
  return { event, requestedBytes: Number(row?.bytes ?? 0), madeAfter: after }
}
