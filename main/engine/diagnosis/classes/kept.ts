// What classes of growth share: the stacks that keep more and more.
import type { CaptureMeasures, HeldStack } from '../capture-measures.ts'
import type { GrowingStack } from '../growth.ts'
import { copiesOf, heldBy, parametersOf, sizesOf } from '../parameters.ts'
import { bytesWord, evidence } from '../score.ts'
import type { Role } from '../stack-roles.ts'
import type { Evidence, Subject } from '../types.ts'

/** Fewer steps prove no habit. */
export const leastSteps = 3
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
    const { matched, copies, distinctSizes, covered, evenness } = copiesOf(sizes, sizesOf(heldBy(capture, new Set([stackId]))))
    // A model of few sizes is known by all of them, each as often as there.
    const isByChance = distinctSizes < leastSizes && (distinctSizes < 2 || Math.min(covered, evenness) < 0.95)
    return matched >= 0.8 && copies <= 1.2 && !isByChance
  })
}

/** Stacks that copied a model. */
export const modelCopies = ({ stacks }: CaptureMeasures): ReadonlySet<number> =>
  new Set(stacks.filter(({ isModelCopy }) => isModelCopy).map(({ stackId }) => stackId))

const leastHolding = 4
const leastHoldingShare = 0.3

/** The line of the program that holds most: in several allocations and a good part of all; null where none does, or where what it holds are copies of a model. */
export function holdingLine(capture: CaptureMeasures): HeldStack | null {
  const own = capture.stacks.filter(({ role, count, isModelCopy }) => role === 'program' && count >= leastHolding && !isModelCopy)
  const [largest] = own.sort((a, b) => b.bytes - a.bytes)
  const isMuch = largest !== undefined && largest.bytes >= leastHoldingShare * capture.reserved
  return capture.hasStacks && isMuch && stackOfSets(capture)?.stack !== largest ? largest : null
}

/** The line that holds most sets of the sizes of the parameters, at least three; null where none does. */
export function stackOfSets(capture: CaptureMeasures): { readonly stack: HeldStack; readonly copies: number } | null {
  const parameters = parametersOf(capture)
  const isSource = new Set(parameters.map(({ stackId }) => stackId))
  const sizes = sizesOf(parameters)
  for (const stack of capture.hasStacks ? capture.stacks : []) {
    if ((stack.role !== 'program' && stack.role !== 'backward') || stack.isModelCopy || isSource.has(stack.stackId)) continue
    const { matched, covered, evenness, copies, distinctSizes } = copiesOf(sizes, sizesOf(heldBy(capture, new Set([stack.stackId]))))
    if (matched >= 0.8 && covered >= 0.6 && evenness >= 0.5 && copies >= 2.5 && distinctSizes > 1) return { stack, copies }
  }
  return null
}

/** Sets of the sizes of the parameters are gradients or weights alike. */
export const setsHeld = ({ stack, copies }: { readonly stack: HeldStack; readonly copies: number }): Evidence =>
  evidence('sets_held', Math.round(copies * 10) / 10, 'count', { bytes: bytesWord(stack.bytes) })

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
