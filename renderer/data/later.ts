// Timers whose work belongs to what is on screen. Tests wait until none is pending.
let pending = 0

/** Does the work after `ms` milliseconds, unless the returned function is called before. */
export function later(ms: number, work: () => void): () => void {
  let isPending = true
  pending++
  const end = (): boolean => {
    if (!isPending) return false
    isPending = false
    pending--
    return true
  }
  const timer = setTimeout(() => {
    if (end()) work()
  }, ms)
  return () => {
    if (end()) clearTimeout(timer)
  }
}

/** True while work waits for its time. */
export const anyLater = (): boolean => pending > 0
