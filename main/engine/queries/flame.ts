// Questions of the flame graph.
import { z } from 'zod'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import { engineMethods, type FlameOptions, type FlameTree } from '../../../preload/contract/queries.ts'
import type { SqlParameter } from '../index-store.ts'
import type { OpenCapture } from '../open-capture.ts'
import { profileWriters } from '../profiles/formats.ts'
import { samplesOf, unitOf, unitOfValueType, type WeighedIn } from '../profiles/stack-profile.ts'
import { classifyFrame, shortName } from './frames.ts'
import { batchOf, jsonOf } from './native-answers.ts'
import type { CheckedInput, QueryHandler } from './query.ts'

/** As native/README.md, Flame graphs, has them. */
const optionsText = ({ direction, merge, foldRecursion, hide, pivot, with: wanted, without }: FlameOptions): string =>
  JSON.stringify({ direction, merge, fold_recursion: foldRecursion, hide, with: wanted, without, ...(pivot === null ? {} : { pivot }) })

/** What the functions that weigh the tree are given first. */
export const weighedOf = (input: CheckedInput<'flame.tree' | 'flame.profile' | 'flame.match' | 'flame.spots'>): SqlParameter[] => [
  input.device,
  input.measure,
  input.unit,
  input.fromEvent,
  input.toEvent,
  optionsText(input.options),
  input.filter,
]

const metaSchema = z.object({ left_out: z.number(), hidden_frames: z.number(), categories: z.array(z.number()) })

export const flameTree: QueryHandler<'flame.tree'> = (capture, input) => readTree(capture, input, input.limit)

async function readTree(
  capture: OpenCapture,
  input: CheckedInput<'flame.tree'> | CheckedInput<'flame.profile'>,
  limit: number,
): Promise<Result<FlameTree>> {
  const parameters = [...weighedOf(input), input.order, input.root, limit]
  const found = await batchOf(capture, 'SELECT flame_tree(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', parameters)
  if (!found.ok) return found
  const batch = found.value
  const lineFrames = batch.f64('line_frame')
  const ids = [...new Set([...batch.f64('frame'), ...lineFrames])].filter((id) => id >= 0)
  const rows = await capture.store.all(
    'SELECT frame_id, name, filename, line FROM frame WHERE frame_id IN (SELECT value FROM json_each(?))',
    [JSON.stringify(ids)],
  )
  if (!rows.ok) return rows
  const frames: FlameTree['frames'] = rows.value.map((row) => {
    const frame = { name: String(row.name), filename: String(row.filename), line: Number(row.line) }
    return { ...frame, frameId: Number(row.frame_id), title: shortName(frame.name), kind: classifyFrame(frame, capture.summary.kind) }
  })
  const placeOf = new Map(frames.map(({ frameId }, place) => [frameId, place]))
  const meta = metaSchema.parse(batch.json('meta'))
  return ok({
    parent: batch.f64('parent'),
    node: batch.f64('node'),
    frame: batch.f64('frame').map((id) => placeOf.get(id) ?? -1),
    line: lineFrames.map((id) => Math.max(0, frames[placeOf.get(id) ?? -1]?.line ?? 0)),
    bare: batch.f64('bare'),
    depth: batch.f64('depth'),
    total: batch.f64('total'),
    self: batch.f64('self'),
    baseTotal: batch.f64('base_total'),
    baseSelf: batch.f64('base_self'),
    count: batch.f64('count'),
    bytes: batch.f64('bytes'),
    category: batch.f64('category'),
    categoryBytes: batch.f64('category_bytes'),
    categories: meta.categories,
    frames,
    leftOut: meta.left_out,
    hiddenFrames: meta.hidden_frames,
  })
}

/** As many nodes as the native library answers. */
const allNodes = 100_000

function weighedInOf({ summary }: OpenCapture, { measure, unit, device, fromEvent }: CheckedInput<'flame.profile'>): WeighedIn {
  const valueType = measure === 'profile' ? summary.profile?.valueTypes.find((each) => each.valueType === fromEvent) : undefined
  if (valueType) return unitOfValueType(valueType)
  return unitOf(
    measure,
    unit,
    summary.devices.some((each) => each.device === device && each.firstTimeNs !== null),
  )
}

export const flameProfile: QueryHandler<'flame.profile'> = async (capture, input) => {
  const { measure, options, format, name } = input
  const tree = await readTree(capture, input, allNodes)
  if (!tree.ok) return tree
  const { unit, type, size } = weighedInOf(capture, input)
  const isProfile = measure === 'profile'
  const profile = {
    name,
    unit,
    type,
    isDifference: measure === 'growth' || measure === 'diff' || (isProfile && tree.value.baseTotal.some((weight) => weight > 0)),
    isInverted: options.direction === 'callers',
    samples: samplesOf(tree.value, size, isProfile && size === 1 && tree.value.total.some((weight) => !Number.isInteger(weight))),
  }
  return ok({ bytes: profileWriters[format](profile), leftOut: tree.value.leftOut })
}

export const flameMatch: QueryHandler<'flame.match'> = async (capture, input) => {
  const found = await jsonOf(capture, 'SELECT flame_match(?, ?, ?, ?, ?, ?, ?, ?, ?) AS answer', [
    ...weighedOf(input),
    input.root,
    input.text,
  ])
  return found.ok ? ok(engineMethods['flame.match'].output.parse(found.value)) : found
}

export const flameStacks: QueryHandler<'flame.stacks'> = async (capture, { device, options, node }) => {
  const found = await jsonOf(capture, 'SELECT flame_stacks(?, ?, ?) AS answer', [device, optionsText(options), node])
  return found.ok ? ok(engineMethods['flame.stacks'].output.parse(found.value)) : found
}
