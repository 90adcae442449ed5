// Single events of the history.
import { ok } from '../../../preload/contract/errors.ts'
import type { QueryHandler } from './query.ts'
import { cutText, numberOf, numberOrNull, textOf, textOrNull } from './row.ts'

export const eventRow: QueryHandler<'event.row'> = async (capture, { device, event }) => {
  const found = await capture.store.get(
    `SELECT event, ${cutText('action')} AS action, address, size_bytes, coalesce(CAST(stream AS TEXT), '') AS stream, time_ns, coalesce(stack_id, -1) AS stack_id,
            device_free_bytes
     FROM event WHERE device = ? AND event = ?`,
    [device, event],
  )
  if (!found.ok) return found
  const row = found.value
  if (!row) return ok({ row: null })
  const stackId = numberOf(row, 'stack_id')
  const titles = await capture.titles.of([stackId])
  if (!titles.ok) return titles
  return ok({
    row: {
      event: numberOf(row, 'event'),
      action: textOf(row, 'action'),
      address: textOrNull(row, 'address'),
      sizeBytes: numberOf(row, 'size_bytes'),
      stream: textOf(row, 'stream'),
      timeNs: numberOrNull(row, 'time_ns'),
      stackId,
      deviceFreeBytes: numberOrNull(row, 'device_free_bytes'),
      ...titles.value(stackId),
    },
  })
}
