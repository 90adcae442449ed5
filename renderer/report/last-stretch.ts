// The part of a recording that led to its failure: too narrow to read where all of it is drawn. Pure.
import type { Range } from '../state/view-state.ts'

const usualShare = 0.1
const leastShare = 0.005
const mostShare = 0.4
const roomShare = 0.02 // of the stretch, at its ends

/**
 * From where the last annotation before the failure ended (a training step that has not finished, where the program marks its steps), else the
 * last tenth. `ends`: of the annotations; all in units of the axis. undefined: it would show no less than all there is.
 */
export function lastStretch(ends: readonly number[], failure: number, full: Range): Range | undefined {
  const whole = failure - full.x0
  if (!(whole > 0)) return undefined
  const fitting = ends.filter((end) => end <= failure - whole * leastShare && end >= failure - whole * mostShare)
  const start = fitting.length > 0 ? Math.max(...fitting) : failure - whole * usualShare
  const room = (failure - start) * roomShare
  return { x0: start - room, x1: failure + room }
}
