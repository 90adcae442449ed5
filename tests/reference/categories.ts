// Categories the slow way, written from resources/categories/README.md: every rule is tried on every allocation, every event has its phase.

export interface RefRuleMatch {
  readonly frames?: readonly string[]
  readonly innermost?: readonly string[]
  readonly without_frames?: readonly string[]
  readonly python_stack?: boolean
  readonly made_in?: readonly string[]
  readonly freed_in?: readonly string[]
  readonly life?: readonly string[]
  readonly size_of?: readonly string[]
  readonly made_before?: boolean
  readonly never_freed?: boolean
  readonly most_events?: number
  readonly least_events?: number
  readonly least_steps?: number
  readonly most_steps?: number
  readonly min_bytes?: number
  readonly max_bytes?: number
  readonly bytes?: readonly number[]
}

export interface RefRules {
  readonly steps?: readonly string[]
  readonly phases?: readonly {
    readonly phase: string
    readonly frames?: readonly string[]
    readonly entry?: readonly string[]
    readonly outermost?: readonly string[]
    readonly annotations?: readonly string[]
    readonly without_python?: boolean
  }[]
  readonly rules?: readonly { readonly id: string; readonly category: string; readonly confidence: number; readonly match: RefRuleMatch }[]
}

export interface CategorySubject {
  readonly eventCount: number
  readonly timesNs: readonly number[] | null
  readonly annotations: readonly { readonly name: string; readonly startNs: number | null; readonly endNs: number | null }[]
  /** In order of allocation_id; null: before the first event, or not in the capture. frames: filename:name, innermost first; null = no stack. */
  readonly allocations: readonly {
    readonly requested: number
    readonly made: number | null
    readonly freed: number | null
    readonly isPendingBefore: boolean
    readonly stack: number
    readonly frames: readonly string[]
  }[]
  /** Of every stack of the capture. */
  readonly stacks: readonly (readonly string[])[]
}

const quoted = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
const pattern = (glob: string) => new RegExp(`^${glob.split('*').map(quoted).join('.*').replaceAll('/', '[/\\\\]')}$`, 's')
const endsLike = (glob: string) => pattern(`*${glob}`)
const isPython = (frame: string): boolean => frame.startsWith('<') || /\.py:[^:]*$/.test(frame)

/** Whether a frame matches one of the patterns. Kept for each stack: nothing else here is asked so often. */
function hasFrame(frames: readonly string[], globs: readonly string[]): boolean {
  const known = answers.get(frames) ?? new Map<string, boolean>()
  answers.set(frames, known)
  return globs.some((glob) => {
    const answer = known.get(glob) ?? frames.some((frame) => cached(glob).test(frame))
    known.set(glob, answer)
    return answer
  })
}

const answers = new WeakMap<readonly string[], Map<string, boolean>>()
const compiled = new Map<string, RegExp>()
function cached(glob: string): RegExp {
  const known = compiled.get(glob) ?? endsLike(glob)
  compiled.set(glob, known)
  return known
}

interface Span {
  readonly start: number
  readonly end: number
  readonly phase: string
}

/** The annotations that tell a phase, in events; what outlasts the one around it ends with that. */
function spansOf({ eventCount, timesNs, annotations }: CategorySubject, { phases = [] }: RefRules): Span[] {
  if (!timesNs) return []
  const eventFrom = (ns: number) => {
    const found = timesNs.findIndex((time) => time >= ns)
    return found < 0 ? eventCount : found
  }
  const sorted = annotations
    .filter(({ startNs }) => startNs !== null)
    .sort((a, b) => Number(a.startNs) - Number(b.startNs) || (b.endNs ?? -1) - (a.endNs ?? -1))
  const spans: Span[] = []
  for (const { name, startNs, endNs } of sorted) {
    const phase = phases.find(({ annotations: globs = [] }) => globs.some((glob) => pattern(glob).test(name)))?.phase
    if (phase === undefined) continue
    const start = eventFrom(Number(startNs))
    const around = spans.findLast((span) => span.start <= start && start < span.end)
    const end = endNs === null ? Number.POSITIVE_INFINITY : eventFrom(endNs)
    spans.push({ start, end: Math.min(end, around?.end ?? end), phase })
  }
  return spans
}

/** The phase of every event. */
function phasesOf(subject: CategorySubject, rules: RefRules): string[] {
  const spans = spansOf(subject, rules)
  const annotated = (event: number) => spans.findLast(({ start, end }) => start <= event && event < end)?.phase ?? 'program'
  const edges = new Set(spans.flatMap(({ start, end }) => [start, end]))
  const hasPython = subject.stacks.some((frames) => frames.some(isPython))
  const told = (frames: readonly string[]) =>
    (rules.phases ?? []).find((rule) => {
      const outermost = frames.findLast(isPython)
      return (
        hasFrame(frames, [...(rule.frames ?? []), ...(rule.entry ?? [])]) ||
        (outermost !== undefined && hasFrame([outermost], rule.outermost ?? [])) ||
        (rule.without_python === true && hasPython && outermost === undefined)
      )
    })?.phase
  const made = new Map(subject.allocations.flatMap(({ made, frames }) => (made === null ? [] : [[made, frames] as const])))
  const phases: string[] = []
  for (let event = 0, now = 'program'; event < subject.eventCount; event++) {
    if (edges.has(event)) now = annotated(event)
    const frames = made.get(event)
    if (frames) now = told(frames) ?? annotated(event)
    phases.push(now)
  }
  return phases
}

/** The first events of the steps. */
function stepsOf(subject: CategorySubject, rules: RefRules, phases: readonly string[]): number[] {
  const { timesNs, eventCount } = subject
  const named = subject.annotations.filter(
    ({ name, startNs }) => startNs !== null && (rules.steps ?? []).some((glob) => pattern(glob).test(name)),
  )
  const starts = timesNs
    ? named.map(({ startNs }) => {
        const found = timesNs.findIndex((time) => time >= Number(startNs))
        return found < 0 ? eventCount : found
      })
    : []
  if (starts.length > 0) return [...new Set(starts)].sort((a, b) => a - b)
  const turns: number[] = []
  let isDue = true
  for (const [event, phase] of phases.entries()) {
    if (phase === phases[event - 1]) continue
    if (phase === 'optimizer' && isDue) turns.push(event)
    if (phase !== 'program') isDue = phase === 'backward'
  }
  return turns.length > 0 ? turns : evenestStack(subject)
}

function evenestStack({ allocations }: CategorySubject): number[] {
  const byStack = new Map<number, number[]>()
  for (const { made, stack, frames } of allocations) {
    const events = byStack.get(stack) ?? []
    byStack.set(stack, events)
    if (made !== null && frames.some(isPython)) events.push(made)
  }
  const even = [...byStack.values()]
    .filter((events) => events.length >= 3)
    .map((events) => ({ events, gaps: events.slice(1).map((event, place) => event - Number(events[place])) }))
    .map(({ events, gaps }) => ({ events, longest: Math.max(...gaps), shortest: Math.min(...gaps) }))
    .filter(({ longest, shortest }) => longest - shortest <= Math.trunc(longest / 4))
    .sort((a, b) => b.longest - a.longest || Number(a.events[0]) - Number(b.events[0]))
  return even[0]?.events ?? []
}

export interface RefCategory {
  readonly category: string
  readonly rule: string | null
}

/** The category of every allocation, in order. */
export function categories(subject: CategorySubject, rules: RefRules): RefCategory[] {
  const phases = phasesOf(subject, rules)
  const steps = stepsOf(subject, rules, phases)
  const ends: number[] = []
  for (let event = phases.length - 1; event >= 0; event--) {
    const next = phases[event + 1]
    ends[event] = next === undefined ? Number.POSITIVE_INFINITY : next === phases[event] ? Number(ends[event + 1]) : event + 1
  }
  const sizes = new Map<string, Set<number>>()
  const entries = rules.phases?.flatMap(({ entry = [] }) => entry) ?? []
  const decide = (place: number, withSizes: boolean) => {
    const known = withSizes ? sizes : null
    return rules.rules?.find(({ match }) => fits(match, subject, place, { phases, ends, steps, sizes: known, entries }))
  }
  if (rules.rules?.some(({ match }) => match.size_of)) {
    for (const [place, { requested }] of subject.allocations.entries()) {
      const rule = decide(place, false)
      if (rule) sizes.set(rule.category, (sizes.get(rule.category) ?? new Set()).add(requested))
    }
  }
  return subject.allocations.map((_, place) => {
    const rule = decide(place, true)
    return { category: rule?.category ?? 'unknown', rule: rule?.id ?? null }
  })
}

interface Known {
  readonly phases: readonly string[]
  readonly ends: readonly number[]
  readonly steps: readonly number[]
  readonly sizes: ReadonlyMap<string, ReadonlySet<number>> | null
  readonly entries: readonly string[]
}

function fits(match: RefRuleMatch, subject: CategorySubject, place: number, known: Known): boolean {
  const allocation = subject.allocations[place] as CategorySubject['allocations'][number]
  const freed = allocation.isPendingBefore ? 0 : allocation.freed
  // What was there before and is freed in the capture has the stack of its free.
  const frames = allocation.made === null && freed !== null ? none : allocation.frames
  return (
    fitsStack(match, frames, known.entries) &&
    fitsSize(match, allocation.requested, known) &&
    fitsLife(match, allocation.made, freed, subject.eventCount, known)
  )
}

const none: readonly string[] = []

function fitsStack(match: RefRuleMatch, frames: readonly string[], entries: readonly string[]): boolean {
  const innermost = frames.find(isPython)
  const decisive = frames.find((frame) => isPython(frame) || entries.some((glob) => cached(glob).test(frame)))
  const runsPython = decisive !== undefined && !entries.some((glob) => cached(glob).test(decisive))
  return (
    (!match.frames?.length || hasFrame(frames, match.frames)) &&
    (!match.innermost?.length || (innermost !== undefined && match.innermost.some((glob) => cached(glob).test(innermost)))) &&
    !hasFrame(frames, match.without_frames ?? []) &&
    (match.python_stack === undefined || match.python_stack === runsPython)
  )
}

function fitsSize(match: RefRuleMatch, requested: number, { sizes }: Known): boolean {
  return (
    (!match.size_of?.length || (sizes !== null && match.size_of.some((category) => sizes.get(category)?.has(requested)))) &&
    requested >= (match.min_bytes ?? 0) &&
    requested <= (match.max_bytes ?? Number.POSITIVE_INFINITY) &&
    (!match.bytes?.length || match.bytes.includes(requested))
  )
}

const isOneOf = (wanted: readonly string[] | undefined, value: string | undefined) =>
  !wanted?.length || (value !== undefined && wanted.includes(value))

function fitsLife(match: RefRuleMatch, made: number | null, freed: number | null, eventCount: number, known: Known): boolean {
  const { phases, ends, steps } = known
  const until = freed ?? eventCount
  const age = until - (made ?? -1)
  const begun = steps.filter((step) => step > (made ?? -1) && step <= until).length
  return (
    isOneOf(match.made_in, made === null ? undefined : phases[made]) &&
    isOneOf(match.freed_in, freed === null ? undefined : phases[freed]) &&
    isOneOf(match.life, made === null ? undefined : lifeOf(Number(ends[made]), freed)) &&
    (match.made_before ?? made === null) === (made === null) &&
    (match.never_freed ?? freed === null) === (freed === null) &&
    (match.most_events === undefined || (made !== null && freed !== null && age <= match.most_events)) &&
    age >= (match.least_events ?? 0) &&
    begun >= (match.least_steps ?? 0) &&
    (match.most_steps === undefined || (steps.length > 0 && begun <= match.most_steps))
  )
}

function lifeOf(end: number, freed: number | null): string {
  if (freed !== null && freed < end) return 'within_phase'
  return end === Number.POSITIVE_INFINITY ? 'open' : 'beyond_phase'
}
