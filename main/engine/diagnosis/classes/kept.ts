// What classes of growth share: the stacks that keep more and more.
import type { CaptureMeasures, HeldStack } from '../capture-measures.ts'
import type { GrowingStack } from '../growth.ts'
import { copiesOf, heldBy, parametersOf, sizesOf } from '../parameters.ts'
import type { Role } from '../stack-roles.ts'
import type { Subject } from '../types.ts'

/** Fewer steps prove no habit. */
const leastSteps = 3
/** Fewer sizes are shared by chance. */
const leastSizes = 3

/** These have classes of their own. */
const ownNames: readonly Role[] = ['weights', 'cache', 'optimizer_state', 'optimizer']

/** Stacks that hold more with every step and give nothing back, largest growth first; none where the run does not repeat itself, or no stacks tell its parts apart. */
export function keptStacks({ capture, metrics }: Subject): readonly GrowingStack[] {
  if (!capture?.hasStacks || (capture.steps ?? metrics?.steps ?? 0) < leastSteps) return []
  const once = new Set(singleSets(capture).map(({ stackId }) => stackId))
  const kept = capture.growth.filter(({ kind, role, stackId }) => kind === 'kept' && !ownNames.includes(role) && !once.has(stackId))
  if (capture.isHistoryShort && isReplacement(kept, capture)) return []
  return (
    kept
      // What began to grow before the history is kept like the rest.
      .map((stack) => (capture.isHistoryShort ? { ...stack, grownBytes: stack.lastBytes } : stack))
      .sort((a, b) => b.grownBytes - a.grownBytes)
  )
}

/**
 * Stacks that hold one set of the sizes of the parameters, or a part of it: the gradients of one pass, or a copy of them. They grow from layer to
 * layer, and not from step to step.
 */
export function singleSets(capture: CaptureMeasures): readonly HeldStack[] {
  const passed = capture.stacks.filter(({ role }) => role === 'backward' || role === 'program')
  const parameters = parametersOf(capture)
  const isSource = new Set(parameters.map(({ stackId }) => stackId))
  const sizes = sizesOf(parameters)
  return passed.filter(({ stackId }) => {
    if (isSource.has(stackId)) return false
    const { matched, copies, distinctSizes } = copiesOf(sizes, sizesOf(heldBy(capture, new Set([stackId]))))
    return matched >= 0.8 && copies <= 1.2 && distinctSizes >= leastSizes
  })
}

/** A full buffer gives back one for each that it takes; of those from before the history it is not known who made them, but the sum does not grow. */
function isReplacement(kept: readonly GrowingStack[], { quietAllocated }: CaptureMeasures): boolean {
  return quietAllocated !== null && quietAllocated.last - quietAllocated.first < sumGrown(kept) / 2
}

/**
 * The one tensor that is made anew, larger, with every step: results joined to those before. Keys and values come at least in twos, and inside
 * the model.
 */
export function joinedTensor({ capture }: Subject): GrowingStack | null {
  const alone = (capture?.growth ?? []).filter(({ kind, role, lastCount }) => kind === 'larger' && role === 'program' && lastCount < 2)
  return alone.sort((a, b) => b.lastBytes - a.lastBytes)[0] ?? null
}

/** One allocation a step, of one line or two, is a result that is kept (a mask or a table for a new shape) rather than the graph behind it. */
export const isOneResult = (graph: readonly GrowingStack[], { steps }: CaptureMeasures): boolean =>
  graph.length <= 2 && steps !== null && graph.every(({ madeCount }) => madeCount <= steps * 1.2)

export const sumGrown = (stacks: readonly GrowingStack[]): number => stacks.reduce((sum, { grownBytes }) => sum + grownBytes, 0)

export interface Pace {
  readonly steps: number
  readonly eventsPerStep: number
  /** Counted by the program itself; else by how often its history repeats itself. */
  readonly isCounted: boolean
}

/** The steps of the history and their length; null where it shows none. */
export function paceOf({ capture, metrics }: Subject): Pace | null {
  if (!capture) return null
  const noted = metrics && !capture.isHistoryShort && metrics.steps >= leastSteps ? metrics.steps : null
  const steps = capture.hasStepAnnotations ? capture.steps : (noted ?? capture.steps)
  if (steps === null || steps < leastSteps) return null
  const mean = (capture.event + 1) / steps
  return { steps, eventsPerStep: repeatedLength(capture, mean) ?? mean, isCounted: capture.hasStepAnnotations || noted !== null }
}

const mostApart = 0.2

/** The mean counts what came before the first step and what the last had done: the length of what repeats itself does not. A step may repeat it. */
function repeatedLength({ eventsPerRepeat }: CaptureMeasures, mean: number): number | null {
  if (eventsPerRepeat === null || eventsPerRepeat <= 0) return null
  const length = eventsPerRepeat * Math.max(1, Math.round(mean / eventsPerRepeat))
  return Math.abs(length / mean - 1) <= mostApart ? length : null
}
