// Hot spots of the flame graph: what each spot of the templates weighs, and which nodes it is at.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { HotSpot, HotSpotTemplate } from '../../../preload/contract/queries.ts'
import type { NativeBatch } from '../native-batch.ts'
import type { OpenCapture } from '../open-capture.ts'
import { inBoth, withinOf } from '../templates/spot-filter.ts'
import type { SpotMatch, Template } from '../templates/template-files.ts'
import { weighedOf } from './flame.ts'
import { batchOf } from './native-answers.ts'
import type { CheckedInput, QueryHandler } from './query.ts'

type Question = CheckedInput<'flame.spots'>

/** As many nodes as are looked at to find where a spot is. */
const mostNodes = 5000
/** A node is of a spot from this share on. */
const leastShare = 0.75
/** A child holds all of its parent's from this share on: what is less stems from rounding up to blocks and the like. */
const wholeShare = 0.95

export const flameSpots: QueryHandler<'flame.spots'> = async (capture, input) => {
  const [templates, whole] = [await capture.templates.read(), await treeOf(capture, input, input.filter)]
  if (!templates.ok) return templates
  if (!whole.ok) return whole
  const answers: HotSpotTemplate[] = []
  for (const template of templates.value) {
    const answer = await weighTemplate(capture, input, whole.value, template)
    if (!answer.ok) return answer
    answers.push(answer.value)
  }
  return ok({ templates: answers })
}

/** The weights of nodes: a parent before its children. */
interface Nodes {
  readonly total: Float64Array
  readonly base: Float64Array
  readonly count: Float64Array
  readonly parent: Float64Array
  readonly node: Float64Array
}

const nodesIn = (batch: NativeBatch): Nodes => ({
  total: batch.f64('total'),
  base: batch.f64('base_total'),
  count: batch.f64('count'),
  parent: batch.f64('parent'),
  node: batch.f64('node'),
})

async function treeOf(capture: OpenCapture, question: Question, filter: string, limit = mostNodes): Promise<Result<Nodes>> {
  const parameters = [...weighedOf({ ...question, filter }), 'size', 0, limit]
  const batch = await batchOf(capture, 'SELECT flame_tree(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', parameters)
  return batch.ok ? ok(nodesIn(batch.value)) : batch
}

async function weighTemplate(
  capture: OpenCapture,
  question: Question,
  whole: Nodes,
  { id, title, explanation, applies, spots }: Template,
): Promise<Result<HotSpotTemplate>> {
  const fits = await suits(capture, question, applies)
  if (!fits.ok) return fits
  const weighed: HotSpot[] = []
  for (const { match, ...words } of spots) {
    const within = await withinOf(capture, question.device, match)
    if (!within.ok) return within
    const both = within.value && inBoth(question.filter, within.value)
    const nodes = both === null ? ok(undefined) : await treeOf(capture, question, both)
    if (!nodes.ok) return nodes
    weighed.push({ ...words, ...weightOf(nodes.value, whole), within: within.value ?? { stacks: [] } })
  }
  return ok({ id, title, explanation, applies: fits.value, spots: weighed })
}

function weightOf(spot: Nodes | undefined, whole: Nodes): Pick<HotSpot, 'value' | 'base' | 'count' | 'share' | 'nodes'> {
  const [value, all] = [spot?.total[0] ?? 0, whole.total[0] ?? 0]
  const share = all > 0 ? value / all : 0
  return { value, base: spot?.base[0] ?? 0, count: spot?.count[0] ?? 0, share, nodes: spot ? nodesOfSpot(spot, whole) : [] }
}

/** See HotSpot.nodes. */
export function nodesOfSpot(spot: Nodes, whole: Nodes): number[] {
  const sizeAt = ({ total, base }: Nodes, place: number) => Math.max(total[place] ?? 0, base[place] ?? 0)
  const wholeAt = new Map(Array.from(whole.node, (node, place) => [node, sizeAt(whole, place)]))
  const isOfSpot = (place: number) => sizeAt(spot, place) >= leastShare * (wholeAt.get(spot.node[place] ?? -1) ?? Number.POSITIVE_INFINITY)
  // By place: the place of the node of the spot that it is within, itself at most.
  const within = new Map<number, number>()
  const children = new Map<number, number[]>()
  for (let place = 1; place < spot.node.length; place++) {
    const parent = spot.parent[place] ?? 0
    children.set(parent, [...(children.get(parent) ?? []), place])
    const top = within.get(parent)
    if (top !== undefined) within.set(place, top)
    else if (sizeAt(spot, place) > 0 && isOfSpot(place)) within.set(place, place)
  }
  const deepest = (place: number): number => {
    const child = children.get(place)?.find((each) => sizeAt(spot, each) >= wholeShare * sizeAt(spot, place))
    return child === undefined ? place : deepest(child)
  }
  return [...new Set(within.values())].map((place) => spot.node[deepest(place)] ?? 0)
}

const known = new WeakMap<OpenCapture, Map<string, boolean>>()

/** Whether something was ever held on the device that matches, whatever is looked at. */
async function suits(capture: OpenCapture, { device, options, captureId }: Question, match: SpotMatch): Promise<Result<boolean>> {
  const answers = known.get(capture) ?? new Map<string, boolean>()
  known.set(capture, answers)
  const key = JSON.stringify([device, match])
  const answer = answers.get(key)
  if (answer !== undefined) return ok(answer)
  const within = await withinOf(capture, device, match)
  if (!within.ok) return within
  const events = capture.summary.devices.find((each) => each.device === device)?.eventCount ?? 0
  const when =
    events > 0 ? { measure: 'area' as const, fromEvent: 0, toEvent: events } : { measure: 'alive' as const, fromEvent: -1, toEvent: -1 }
  const plain = { ...options, pivot: null, with: [], without: [] }
  const question = { captureId, device, unit: 'count' as const, options: plain, filter: '', ...when }
  const filter = within.value && inBoth('', within.value)
  const held = filter === null ? ok(undefined) : await treeOf(capture, question, filter, 1)
  if (!held.ok) return held
  const isThere = (held.value?.count[0] ?? 0) > 0
  answers.set(key, isThere)
  return ok(isThere)
}
