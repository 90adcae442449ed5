// What `tidemark export --view flame` writes without a window: the weights that were chosen, as the file of another tool or as a table.
import { type CaptureSummary, type DeviceSummary, defaultValueType } from '../../preload/contract/capture.ts'
import { categoryNames } from '../../preload/contract/categories.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { wholeEvents } from '../../preload/contract/event-range.ts'
import { type FlameMeasure, type FlameOptions, type FlameTree, measuredEvents, type ProfileFormat } from '../../preload/contract/queries.ts'
import { writeWhole } from '../atomic-write.ts'
import { type CsvRecord, writeRecords } from '../engine/csv-file.ts'
import type { OpenCapture } from '../engine/open-capture.ts'
import { unitOf } from '../engine/profiles/stack-profile.ts'
import { queryHandlers } from '../engine/queries/index.ts'
import type { PlainOptions } from './export.ts'
import type { Weight } from './flame-choice.ts'

/** What is weighed, and by which events: as the window asks for it. */
export interface Weighed {
  readonly device: number
  readonly measure: FlameMeasure
  readonly unit: PlainOptions['flame']['unit']
  readonly fromEvent: number
  readonly toEvent: number
  readonly filter: string // as the engine reads it
  readonly words: string // for the name of a profile
}

const titles: Readonly<Record<Weight, string>> = {
  alive: 'alive',
  allocated: 'allocated',
  growth: 'net growth',
  diff: 'before and after',
  area: '× time',
}

async function eventsOf(
  open: OpenCapture,
  device: DeviceSummary,
  { range, axis }: PlainOptions,
): Promise<Result<readonly [number, number]>> {
  const { eventCount } = device
  if (range === null) return ok([0, eventCount])
  const [a, b] = range
  if (axis !== 'time') {
    const { x0, x1 } = wholeEvents(eventCount, { x0: a, x1: b })
    return ok([x0, x1])
  }
  // As on screen: the first event at or after a time is the one after the last before it.
  const lastBefore = (timeNs: number) =>
    queryHandlers['timeline.eventAt'](open, { captureId: open.summary.captureId, device: device.device, timeNs: Math.ceil(timeNs) - 1 })
  const [before, last] = await Promise.all([lastBefore(a), lastBefore(b)])
  if (!before.ok) return before
  if (!last.ok) return last
  const { x0, x1 } = wholeEvents(eventCount, { x0: before.value.event + 1, x1: last.value.event + 1 })
  return ok([x0, x1])
}

/** What the options weigh; `event`: the moment of what is alive. Errors: `query/bad_argument` for a range without events. */
export async function weighedOf(
  open: OpenCapture,
  device: DeviceSummary,
  options: PlainOptions,
  event: number,
  filter: string,
): Promise<Result<Weighed>> {
  const { weight: measure, unit } = options.flame
  const base = { device: device.device, measure, unit, filter }
  const title = `${unit === 'bytes' ? 'bytes' : 'allocations'} ${titles[measure]}`
  if (measure === 'alive')
    return ok({ ...base, fromEvent: event, toEvent: event, words: `${title} after event ${event} of device ${device.device}` })
  const events = await eventsOf(open, device, options)
  if (!events.ok) return events
  const [from, end] = events.value
  if (from >= end) return fail('query/bad_argument', `There is no event of device ${device.device} in the range`)
  return ok({ ...base, ...measuredEvents(measure, from, end), words: `${title}, events ${from} to ${end - 1} of device ${device.device}` })
}

/** A profile of another tool, by the value that it is shown by at first. */
export function weighedByValue(capture: CaptureSummary): Weighed {
  const { valueType, name } = defaultValueType(capture)
  return { device: 0, measure: 'profile', unit: 'bytes', fromEvent: valueType, toEvent: valueType, filter: '', words: name || 'values' }
}

const questionOf = (
  { captureId }: CaptureSummary,
  { words: _, ...weighed }: Weighed,
  { order, root }: PlainOptions['flame'],
  merge: FlameOptions['merge'],
) => ({
  captureId,
  ...weighed,
  options: { direction: root, merge, foldRecursion: false, hide: [], pivot: null, with: [], without: [] },
  order,
  root: 0,
})

function sayLeftOut(leftOut: number): void {
  if (leftOut > 0) process.stderr.write(`${leftOut} small functions are counted with their callers\n`)
}

/** Writes weights by function, whole stacks. Errors: `export/write_failed`, those of the question. */
export async function writeProfile(
  open: OpenCapture,
  format: ProfileFormat,
  weighed: Weighed,
  { flame, out }: PlainOptions,
): Promise<Result<void>> {
  const { summary } = open
  const name = `${summary.sourceName}: ${weighed.words}`
  const profile = await queryHandlers['flame.profile'](open, { ...questionOf(summary, weighed, flame, 'function'), format, name })
  if (!profile.ok) return profile
  sayLeftOut(profile.value.leftOut)
  return writeWhole(out, profile.value.bytes)
}

/** As many nodes as the engine answers. */
const mostNodes = 100_000

/** What the pairs of columns are called that compare two moments: the one after, the one before. */
const sides: Partial<Readonly<Record<FlameMeasure, readonly [string, string]>>> = { growth: ['grown', 'shrunk'], diff: ['after', 'before'] }

const frameColumns = ['node_id', 'parent_id', 'function', 'file', 'line']

/** The row of a place of the tree, without its weights. */
function frameCells(tree: FlameTree, place: number): CsvRecord {
  const frame = tree.frames[tree.frame[place] ?? -1]
  const parent = tree.parent[place] ?? -1
  const bare = categoryNames[(tree.bare[place] ?? 0) - 1]
  const name = frame?.name ?? (bare === undefined ? '' : `(no stack) ${bare}`)
  return [tree.node[place] ?? 0, parent < 0 ? '' : (tree.node[parent] ?? 0), name, frame?.filename ?? '', frame?.line ?? '']
}

/** Writes one row a node, a frame being of one line of the source. Errors: `export/write_failed`, those of the question. */
export async function writeNodes(
  open: OpenCapture,
  device: DeviceSummary,
  weighed: Weighed,
  { flame, out }: PlainOptions,
): Promise<Result<void>> {
  const answer = await queryHandlers['flame.tree'](open, { ...questionOf(open.summary, weighed, flame, 'line'), limit: mostNodes })
  if (!answer.ok) return answer
  const tree = answer.value
  const { unit, size } = unitOf(weighed.measure, weighed.unit, device.firstTimeNs !== null)
  const word = unit.replaceAll('-', '_')
  const [after, before] = sides[weighed.measure] ?? []
  const pair = (side: string | undefined) => (side === undefined ? [] : [`self_${side}_${word}`, `total_${side}_${word}`])
  const whole = (column: Float64Array, place: number) => Math.round((column[place] ?? 0) / size)
  async function* records(): AsyncGenerator<CsvRecord> {
    for (const place of tree.node.keys()) {
      const weights = [whole(tree.self, place), whole(tree.total, place)]
      const base = before === undefined ? [] : [whole(tree.baseSelf, place), whole(tree.baseTotal, place)]
      yield [...frameCells(tree, place), ...weights, ...base, tree.count[place] ?? 0, tree.bytes[place] ?? 0]
    }
  }
  const weights = after === undefined ? [`self_${word}`, `total_${word}`] : [...pair(after), ...pair(before)]
  sayLeftOut(tree.leftOut)
  return writeRecords({ path: out, columns: [...frameColumns, ...weights, 'allocations', 'allocation_bytes'], records: records() })
}
