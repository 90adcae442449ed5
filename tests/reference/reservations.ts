// What was reserved when, found backwards from the file's segments: the ranges before the first event, and what each event that
// reserves memory reserves it for. The trace itself names neither pool (before PyTorch 2.12) nor small or large.
import { Layout, type Origin } from './layout.ts'
import type { RefEvent, RefSegment } from './snapshot.ts'

const MiB = 1 << 20

export interface Reservations {
  /** All free, before the first event. */
  readonly start: Layout
  /** By the event that reserves it. */
  readonly origins: ReadonlyMap<number, Origin>
}

/**
 * The final segments with the segment events undone, last first. `onlyPool` is the pool of what did not last, null when several come
 * into question.
 */
export function reservationsOf(events: readonly RefEvent[], segments: readonly RefSegment[], onlyPool: string | null): Reservations {
  const start = new Layout()
  const origins = new Map<number, Origin>()
  for (const { address, size, expandable, stream, pool, large } of segments) {
    start.reserve(address, size, { expandable, stream, pool, small: !large })
  }
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index] as RefEvent
    if (event.action === 'segment_alloc' || event.action === 'segment_map') {
      origins.set(index, mergedOrigin(event, start.release(event.address, event.size), onlyPool))
    } else if (event.action === 'segment_free' || event.action === 'segment_unmap') {
      start.reserve(event.address, event.size, mergedOrigin(event, null, onlyPool))
    }
  }
  return { start, origins }
}

/** What an event and that which became of its memory say together. */
function mergedOrigin({ action, size, stream, pool }: RefEvent, lasting: Origin | null, onlyPool: string | null): Origin {
  const expandable = action === 'segment_map' || action === 'segment_unmap'
  return { expandable, stream, pool: pool ?? lasting?.pool ?? onlyPool, small: lasting?.small ?? isSmall(action, size) }
}

/** Small segments are of 2 MiB; large pages are of 20 MiB, but as many small ones can be unmapped at once. */
function isSmall(action: string, size: number): boolean | null {
  if (action === 'segment_alloc' || action === 'segment_free') return size <= 2 * MiB
  if (size % (20 * MiB) !== 0) return true
  return action === 'segment_map' ? false : null
}

/** Does what a segment event did; other events do nothing. False when the layout has no such free memory. */
export function followReservation(layout: Layout, event: RefEvent, origin: Origin | undefined): boolean {
  if (origin !== undefined) layout.reserve(event.address, event.size, origin)
  if (event.action !== 'segment_free' && event.action !== 'segment_unmap') return true
  return layout.release(event.address, event.size) !== null
}
