// Holds the flame graphs of an index against the slow reference: every node's sums, at moments and in ranges.
import { expect } from 'vitest'
import { categoryNames } from '../../preload/contract/categories.ts'
import { bareKey, childKey, type FlameAsk, type FlameSum, type Framed, flame, framed, frameKey } from '../reference/flame.ts'
import type { RefReplay } from '../reference/replay.ts'
import type { RefFrame, RefSnapshot } from '../reference/snapshot.ts'
import { f64, readBatch } from '../support/batch.ts'
import type { IndexFile } from '../support/index-file.ts'
import { randomIntegers, someEvents } from '../support/random.ts'

export interface FlameSubject {
  readonly index: IndexFile
  readonly device: number
  readonly eventCount: number
  readonly run: readonly Framed[]
  readonly positions: readonly number[]
  /** By frame_id. */
  readonly frames: ReadonlyMap<number, RefFrame>
}

/** One a device with events, of the reference's replays of `file`; categories are those of the index's rules. */
export async function flameSubjects(index: IndexFile, file: RefSnapshot, replays: readonly RefReplay[]): Promise<FlameSubject[]> {
  const frames = new Map<number, RefFrame>()
  for (const row of await index.all('SELECT frame_id, name, filename, line FROM frame')) {
    frames.set(Number(row.frame_id), { name: String(row.name), filename: String(row.filename), line: Number(row.line) })
  }
  const subjects: FlameSubject[] = []
  for (const row of await index.all('SELECT device, event_count, first_allocation_id FROM device WHERE event_count > 0')) {
    const device = Number(row.device)
    const early = await earlyFrames(index, device, Number(row.first_allocation_id), frames)
    const categories = (
      await index.column('SELECT category FROM allocation_category WHERE device = ? ORDER BY allocation_id', [device])
    ).map(String)
    const run = framed(
      replays.find((run) => run.device === device) as RefReplay,
      (event) => file.traces[device]?.[event]?.frames ?? [],
      early,
      categories,
    )
    const positions = (await index.column('SELECT coalesce(time_ns, event) FROM event WHERE device = ? ORDER BY event', [device])).map(
      Number,
    )
    subjects.push({ index, device, eventCount: Number(row.event_count), run, positions, frames })
  }
  return subjects
}

/** Stacks of what no event made are a finding of the native replay (of its free, of its block): its own tests look at them. */
async function earlyFrames(index: IndexFile, device: number, first: number, frames: ReadonlyMap<number, RefFrame>) {
  const rows = await index.all(
    `SELECT a.allocation_id - ? AS place, s.frame_id FROM allocation a JOIN stack_frame s USING (stack_id)
     WHERE a.device = ? AND a.alloc_event IS NULL ORDER BY a.allocation_id, s.position`,
    [first, device],
  )
  const found = new Map<number, RefFrame[]>()
  for (const row of rows) {
    const stack = found.get(Number(row.place)) ?? []
    stack.push(frames.get(Number(row.frame_id)) as RefFrame)
    found.set(Number(row.place), stack)
  }
  return (place: number) => found.get(place) ?? []
}

export const plain: FlameAsk = {
  measure: 'alive',
  unit: 'bytes',
  from: 0,
  to: 0,
  direction: 'callees',
  merge: 'line',
  foldRecursion: false,
  hide: [],
  pivot: null,
  with: [],
  without: [],
}

function idOf(subject: FlameSubject, key: string, merge: FlameAsk['merge']): number {
  for (const [id, frame] of subject.frames) if (frameKey(frame, merge) === key) return id
  throw new Error(`no frame ${key}`)
}

export const optionsOf = (subject: FlameSubject, ask: FlameAsk) =>
  JSON.stringify({
    direction: ask.direction,
    merge: ask.merge,
    fold_recursion: ask.foldRecursion,
    hide: ask.hide,
    ...(ask.pivot === null ? {} : { pivot: idOf(subject, ask.pivot, ask.merge) }),
    with: ask.with.map((key) => idOf(subject, key, ask.merge)),
    without: ask.without.map((key) => idOf(subject, key, ask.merge)),
  })

export async function answerOf(subject: FlameSubject, ask: FlameAsk, limit = 100_000) {
  const [blob] = await subject.index.column("SELECT flame_tree(?, ?, ?, ?, ?, ?, '', 'size', 0, ?)", [
    subject.device,
    ask.measure,
    ask.unit,
    ask.from,
    ask.to,
    optionsOf(subject, ask),
    limit,
  ])
  return readBatch(blob)
}

export async function foundSums(subject: FlameSubject, ask: FlameAsk): Promise<ReadonlyMap<string, FlameSum>> {
  const batch = await answerOf(subject, ask)
  const [parent, frame, bare] = [f64(batch, 'parent'), f64(batch, 'frame'), f64(batch, 'bare')]
  const [total, self, baseTotal, baseSelf] = ['total', 'self', 'base_total', 'base_self'].map((name) => f64(batch, name)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const paths: string[] = []
  const sums = new Map<string, FlameSum>()
  parent.forEach((of, row) => {
    const known = subject.frames.get(frame[row] ?? -1)
    const key = known === undefined ? bareKey(categoryNames[(bare[row] ?? 0) - 1] ?? '') : frameKey(known, ask.merge)
    const path = of < 0 ? '' : childKey(paths[of] as string, key)
    paths.push(path)
    sums.set(path, { total: total[row] ?? 0, self: self[row] ?? 0, baseTotal: baseTotal[row] ?? 0, baseSelf: baseSelf[row] ?? 0 })
  })
  return sums
}

/** Sums of times in another order differ in their last digits. */
const isNear = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))

async function expectFlame(subject: FlameSubject, ask: FlameAsk): Promise<void> {
  const wanted = new Map(
    [...flame(subject.run, ask, subject.positions)].filter(([path, sum]) => path === '' || sum.total > 0 || sum.baseTotal > 0),
  )
  const answer = await foundSums(subject, ask)
  expect([...answer.keys()].sort(), JSON.stringify(ask)).toEqual([...(wanted.size > 0 ? wanted.keys() : [''])].sort())
  for (const [path, sum] of wanted) {
    const other = answer.get(path) as FlameSum
    const fits = (['total', 'self', 'baseTotal', 'baseSelf'] as const).every((name) => isNear(sum[name], other[name]))
    expect(fits, `${JSON.stringify(ask)} ${path}: ${JSON.stringify(other)} ≠ ${JSON.stringify(sum)}`).toBe(true)
  }
}

function randomAsk(subject: FlameSubject, random: (below: number) => number): FlameAsk {
  const measure = (['alive', 'allocated', 'growth', 'diff', 'area'] as const)[random(5)] ?? 'alive'
  const isRange = measure === 'allocated' || measure === 'area'
  const ends = [random(subject.eventCount), random(subject.eventCount)].sort((a, b) => a - b) as [number, number]
  const merge = random(2) === 0 ? 'function' : 'line'
  const keys = [...subject.frames.values()].map((frame) => frameKey(frame, merge))
  const pick = (chance: number) => (keys.length > 0 && random(chance) === 0 ? [keys[random(keys.length)] as string] : [])
  return {
    measure,
    unit: random(3) === 0 ? 'count' : 'bytes',
    from: isRange ? ends[0] : (ends[random(2)] as number),
    to: isRange ? ends[1] + 1 : (ends[random(2)] as number),
    direction: random(2) === 0 ? 'callees' : 'callers',
    merge,
    foldRecursion: random(2) === 0,
    hide: random(2) === 0 ? ['site-packages/torch/', 'wrapper'] : [],
    pivot: pick(3)[0] ?? null,
    with: pick(3),
    without: pick(3),
  }
}

async function expectRelation(subject: FlameSubject, event: number): Promise<void> {
  const { index, device } = subject
  const rows = await index.all('SELECT * FROM flame(?, ?)', [device, event])
  const wanted = flame(subject.run, { ...plain, from: event }, subject.positions)
  const counts = flame(subject.run, { ...plain, from: event, unit: 'count' }, subject.positions)
  const paths = new Map<number, string>()
  for (const row of rows) {
    const frame =
      row.frame_id === null ? bareKey(String(row.category)) : frameKey(subject.frames.get(Number(row.frame_id)) as RefFrame, 'line')
    const path = row.parent_id === null ? '' : childKey(paths.get(Number(row.parent_id)) as string, frame)
    paths.set(Number(row.node_id), path)
    const text = `device ${device} event ${event} ${path}`
    expect([Number(row.self_bytes), Number(row.total_bytes)], text).toEqual([wanted.get(path)?.self ?? 0, wanted.get(path)?.total ?? 0])
    expect([Number(row.self_count), Number(row.total_count)], text).toEqual([counts.get(path)?.self ?? 0, counts.get(path)?.total ?? 0])
  }
  expect(rows.length).toBe(Math.max(1, [...counts].filter(([, sum]) => sum.total > 0).length))
  const [allocated] = await index.column(
    event < 0
      ? 'SELECT start_allocated_bytes FROM device WHERE device = ? AND ? < 0'
      : 'SELECT allocated_bytes FROM memory_curve WHERE device = ? AND event = ?',
    [device, event],
  )
  expect(Number(rows[0]?.total_bytes), `the root after event ${event}`).toBe(Number(allocated))
  expect(
    rows.reduce((sum, row) => sum + Number(row.self_bytes), 0),
    `the leaves after event ${event}`,
  ).toBe(Number(allocated))
}

/** A few moments as relation, and a few random questions. */
export async function expectFlames(subject: FlameSubject, counts: { readonly moments: number; readonly questions: number }): Promise<void> {
  for (const event of someEvents(5, subject.eventCount, counts.moments)) await expectRelation(subject, event)
  const random = randomIntegers(17 + subject.device)
  for (let i = 0; i < counts.questions; i++) await expectFlame(subject, randomAsk(subject, random))
}
