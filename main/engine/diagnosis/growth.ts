// The leak finder: stacks that hold more from one quiet moment to the next. Quiet moments are the lowest of equal stretches of the history, so
// that what a step takes and gives back is not seen.
import type { Reading } from './reading.ts'
import { type Role, roleOf, titleOf } from './stack-roles.ts'
import { median, type Trend, trendOf } from './trends.ts'

export interface GrowingStack {
  readonly stackId: number
  readonly role: Role
  readonly title: string
  /** Theil–Sen over the quiet moments. */
  readonly bytesPerEvent: number
  readonly grownBytes: number
  readonly lastBytes: number
  readonly lastCount: number
  /** Rises minus falls over all pairs of moments, −1 to 1. */
  readonly order: number
  /** Share of the stack's allocations in the history that were given back. */
  readonly freedShare: number
  readonly madeCount: number
  /** kept: more and more allocations. larger: as many as before, each larger than its forerunner (a tensor that is extended by copying). */
  readonly kind: 'kept' | 'larger'
}

export interface Growth {
  readonly stacks: readonly GrowingStack[]
  /** How often the history repeats itself, by the allocations of its stacks; null where it does not. */
  readonly repeats: number | null
  /** Events from one repeat to the next; null where it does not repeat itself. */
  readonly eventsPerRepeat: number | null
  /** Allocated bytes over the events at the quiet moments. */
  readonly allocated: Trend | null
  /** The last quiet moment. */
  readonly quietEvent: number | null
}

interface Span {
  readonly device: number
  /** Until this event. */
  readonly event: number
  readonly steps: number | null
}

const [fewestStretches, mostStretches] = [6, 16]
const maxStacks = 200
/** The newest allocations tell the habits of a stack. */
const maxScanned = 200_000
const leastOrder = 0.5
/** What is extended grows with every step; sizes that vary grow by chance. */
const leastSteadyOrder = 0.75
const leastStrictOrder = 0.95
const mostFreed = 0.75

interface StackHabit {
  readonly made: number
  readonly freed: number
  readonly smallest: number
  readonly largest: number
  readonly firstEvent: number
  readonly lastEvent: number
}

interface Moment {
  readonly event: number
  readonly allocated: number
  readonly byStack: ReadonlyMap<number, { readonly bytes: number; readonly count: number }>
}

/** Stacks that hold more from one quiet moment to the next, and how often the history repeats itself. Reads about sixteen states of the allocator. */
export async function growthOfStacks(reading: Reading, span: Span): Promise<Growth> {
  if (span.event < mostStretches * 2) return { stacks: [], repeats: null, eventsPerRepeat: null, allocated: null, quietEvent: null }
  const habits = await habitsOf(reading, span)
  const repeats = repeatsOf(habits)
  const steps = span.steps ?? repeats
  // A stretch is no shorter than a step, or it may have no quiet moment.
  const moments = await quietMoments(reading, span, Math.min(mostStretches, Math.max(fewestStretches, steps ?? mostStretches)))
  const grown = growingIn(moments, habits)
  const texts = await reading.stackTexts(grown.map((stack) => stack.stackId))
  return {
    repeats,
    eventsPerRepeat: eventsPerRepeatOf(habits, repeats),
    quietEvent: moments.at(-1)?.event ?? null,
    allocated: trendOf(moments.map(({ event, allocated }) => ({ x: event, y: allocated }))),
    stacks: grown.map((stack) => {
      const text = texts.get(stack.stackId) ?? null
      return { ...stack, role: roleOf(text), title: titleOf(text) }
    }),
  }
}

async function habitsOf(reading: Reading, { device, event }: Span): Promise<Map<number, StackHabit>> {
  const last = await reading.row('SELECT first_allocation_id + allocation_count AS past FROM device WHERE device = ?', [device])
  const rows = await reading.rows(
    `SELECT coalesce(stack_id, -1) AS stack, count(*) AS made, sum(free_requested_event <= ?) AS freed, min(size_bytes) AS smallest,
       max(size_bytes) AS largest, min(alloc_event) AS first_event, max(alloc_event) AS last_event
      FROM allocation WHERE device = ? AND allocation_id >= ? AND alloc_event <= ? GROUP BY 1`,
    [event, device, Number(last?.past ?? 0) - maxScanned, event],
  )
  return new Map(
    rows.map((row) => [
      Number(row.stack),
      {
        made: Number(row.made),
        freed: Number(row.freed ?? 0),
        smallest: Number(row.smallest),
        largest: Number(row.largest),
        firstEvent: Number(row.first_event ?? 0),
        lastEvent: Number(row.last_event ?? 0),
      },
    ]),
  )
}

/**
 * The count that most stacks share, or have a multiple of: how often the program did the same again. Only stacks of frames count that give memory
 * back (a step), or that always ask for the same and make a good part of all allocations (a loop): loading a model does neither.
 */
function repeatsOf(habits: ReadonlyMap<number, StackHabit>): number | null {
  const total = [...habits.values()].reduce((sum, { made }) => sum + made, 0)
  const isLoop = ({ made, smallest, largest }: StackHabit): boolean => made >= 8 && smallest === largest && made >= total / 5
  const counts = [...habits]
    .filter(([stack, habit]) => stack >= 0 && habit.made >= 3 && (habit.freed >= 2 || isLoop(habit)))
    .map(([, { made }]) => made)
  const candidates = [...new Set(counts)].sort((a, b) => a - b).slice(0, 64)
  const sharing = candidates.map((count) => counts.filter((made) => made % count <= made / count && made >= count).length)
  const most = Math.max(0, ...sharing)
  return candidates[sharing.findIndex((share) => share >= most / 2)] ?? null
}

/** By the stacks that were there once a repeat: what was done before the first and after the last counts for none. */
function eventsPerRepeatOf(habits: ReadonlyMap<number, StackHabit>, repeats: number | null): number | null {
  const once = [...habits].filter(([stack, { made }]) => stack >= 0 && made === repeats && made > 1)
  return once.length === 0 ? null : median(once.map(([, { firstEvent, lastEvent, made }]) => (lastEvent - firstEvent) / (made - 1)))
}

async function quietMoments(reading: Reading, { device, event }: Span, stretches: number): Promise<Moment[]> {
  const moments: Moment[] = []
  for (let at = 0; at < stretches; at += 1) {
    const from = Math.floor((at * event) / stretches)
    const to = Math.floor(((at + 1) * event) / stretches)
    const stats = await reading.json<{ curves: { allocated: { min: number; min_event: number } } }>(
      'SELECT range_stats(?, ?, ?) AS value',
      [device, from, to],
    )
    const quiet = Math.max(from, stats?.curves.allocated.min_event ?? from)
    const top = await reading.json<{ stack_id: number; bytes: number; count: number }[]>('SELECT top_stacks(?, ?, ?) AS value', [
      device,
      quiet,
      maxStacks,
    ])
    moments.push({
      event: quiet,
      allocated: stats?.curves.allocated.min ?? 0,
      byStack: new Map((top ?? []).map(({ stack_id, bytes, count }) => [stack_id, { bytes, count }])),
    })
  }
  return moments
}

type Unnamed = Omit<GrowingStack, 'role' | 'title'>

function growingIn(moments: readonly Moment[], habits: ReadonlyMap<number, StackHabit>): Unnamed[] {
  const last = moments.at(-1)
  if (!last) return []
  return [...last.byStack].flatMap(([stackId, now]) => {
    const bytes = moments.map(({ event, byStack }) => ({ x: event, y: byStack.get(stackId)?.bytes ?? 0 }))
    const trend = trendOf(bytes)
    const habit = habits.get(stackId)
    if (!trend || !habit || trend.slope <= 0 || trend.order < leastOrder || habit.made < 4) return []
    const kind = kindOf(moments, stackId, habit)
    const freedShare = habit.freed / habit.made
    if (kind === null) return []
    return [
      {
        stackId,
        bytesPerEvent: trend.slope,
        grownBytes: trend.last - trend.first,
        lastBytes: now.bytes,
        lastCount: now.count,
        order: trend.order,
        freedShare,
        madeCount: habit.made,
        kind,
      },
    ]
  })
}

/** A good part of what a stack makes is kept, or it would not be a leak; what grows larger is given back when its successor is there. */
function kindOf(moments: readonly Moment[], stackId: number, habit: StackHabit): 'kept' | 'larger' | null {
  if (habit.freed / habit.made <= mostFreed) return 'kept'
  const held = moments.slice(Math.floor(moments.length / 4)).flatMap(({ byStack }) => byStack.get(stackId) ?? [])
  const [first] = held
  const last = held.at(-1)
  if (!first || !last || held.length < moments.length / 2) return null
  const isSteady = last.count <= first.count * 1.5
  const means = trendOf(held.map(({ bytes, count }, at) => ({ x: at, y: bytes / count })))
  if (!isSteady || means === null) return null
  const ratio = last.bytes / last.count / (first.bytes / first.count)
  // A short history shows little of a growth, but all of it.
  return (means.order >= leastSteadyOrder && ratio >= 1.25) || (means.order >= leastStrictOrder && ratio >= 1.05) ? 'larger' : null
}
