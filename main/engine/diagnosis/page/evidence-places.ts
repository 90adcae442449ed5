// The view that shows the number of each piece of evidence. What comes from a text or from metrics has none.
import type { Category, EvidencePlace } from '../../../../preload/contract/queries.ts'
import { holdingLine, keptStacks, stackOfSets } from '../classes/kept.ts'
import { gradientPlace } from '../gradient-place.ts'
import { categoryTerm, namesTerm, oneStackTerm, placeAt } from '../places.ts'
import type { Subject } from '../types.ts'
import type { evidenceWords } from '../words/evidence.ts'

type Measure = keyof typeof evidenceWords
type Finder = (subject: Subject) => EvidencePlace | null

const inText: Finder = () => null
const view =
  (name: EvidencePlace['view']): Finder =>
  ({ capture }) =>
    placeAt(capture, name)
const heldIn =
  (category: Category): Finder =>
  ({ capture }) =>
    placeAt(capture, 'flame', categoryTerm(category))

type Stack = { readonly stackId: number; readonly title: string }

/** The timeline of one stack; of all where there is none. */
const growthOf =
  (find: (subject: Subject) => Stack | undefined): Finder =>
  (subject) => {
    const stack = find(subject)
    return placeAt(subject.capture, 'timeline', stack ? oneStackTerm(stack) : '')
  }
const ofKept = growthOf((subject) => keptStacks(subject)[0])
const ofSets: Finder = ({ capture }) => {
  const stack = capture ? stackOfSets(capture)?.stack : undefined
  return stack ? placeAt(capture, 'flame', oneStackTerm(stack)) : null
}
const ofLine: Finder = ({ capture }) => {
  const stack = capture ? holdingLine(capture) : null
  return stack ? placeAt(capture, 'flame', oneStackTerm(stack)) : null
}
const ofRequest: Finder = ({ capture }) => placeAt(capture, 'flame', namesTerm(capture?.request?.title ?? ''))
const ofBackward: Finder = ({ capture }) => {
  const largest = capture?.stacks.find(({ role }) => role === 'backward')
  return placeAt(capture, 'flame', largest ? oneStackTerm(largest) : '')
}

const finders: Readonly<Record<Measure, Finder>> = {
  free_in_pool: view('fragmentation'),
  free_other_streams: view('fragmentation'),
  largest_free: view('blocks'),
  held_and_request: view('fragmentation'),
  held_and_request_reserved: view('fragmentation'),
  held_and_request_left: view('fragmentation'),
  held_and_request_open: view('fragmentation'),
  kept_forward: growthOf((subject) => keptStacks(subject).find(({ role }) => role === 'forward') ?? keptStacks(subject)[0]),
  // The libraries' workspaces are made in the first forward pass, those of the backward pass have no stack.
  forward_bytes: ({ capture }) => placeAt(capture, 'flame', `${categoryTerm('activation', 'workspace')} -is:no_stack`),
  step_memory: view('timeline'),
  peak_with_size: inText,
  peak_with_sequence: inText,
  peak_with_batch: inText,
  peak_with_both: inText,
  peak_with_size_few: inText,
  peak_rose_with_sequence: inText,
  peak_rose_with_batch: inText,
  peak_rose_with_both: inText,
  pattern_kept: view('timeline'),
  traceback: inText,
  gradient_copies: gradientPlace,
  gradient_kept: gradientPlace,
  per_sample: ofBackward,
  backward_bytes: ofBackward,
  gradients_held: ofBackward,
  sets_held: ofSets,
  gradient_norm: inText,
  gradient_norm_not_finite: inText,
  small_blocks: view('fragmentation'),
  small_share: view('fragmentation'),
  small_segment: inText,
  host_growth: inText,
  outside_bytes: inText,
  outside_unknown_total: view('timeline'),
  outside_growth: inText,
  own_outside: inText,
  outside_growth_own: inText,
  other_processes: inText,
  private_pools: view('fragmentation'),
  optimizer_state_bytes: heldIn('optimizer_state'),
  optimizer_request: ofRequest,
  optimizer_first_step: view('timeline'),
  larger_tensors: growthOf(({ capture }) =>
    capture?.growth
      .filter(({ kind, role }) => (kind === 'larger' && role !== 'backward') || role === 'cache')
      .reduce<(typeof capture.growth)[number] | undefined>(
        (best, each) => (best && best.grownBytes >= each.grownBytes ? best : each),
        undefined,
      ),
  ),
  longer_request: view('flame'),
  cache_bytes: heldIn('kv_cache'),
  weights_twin: heldIn('parameter'),
  weights_repeated: heldIn('parameter'),
  sizes_repeated: view('flame'),
  sizes_reversed: view('flame'),
  weights_bytes: heldIn('parameter'),
  request_share: view('timeline'),
  request_share_reserved: view('timeline'),
  request_stack: ofRequest,
  leak_slope: ofKept,
  leak_bytes: ofKept,
  leak_stack: ofKept,
  line_holds: ofLine,
  leak_end: ofKept,
  leak_end_count: ofKept,
  quiet_growth: view('timeline'),
  metrics_slope: inText,
}

const isMeasure = (measure: string): measure is Measure => Object.hasOwn(finders, measure)

/** Null where no view shows the measure. */
export const evidencePlace = (measure: string, subject: Subject): EvidencePlace | null =>
  isMeasure(measure) ? finders[measure](subject) : null
