// Questions of the flame graph: stacks as one tree, weighed by what they hold. See native/README.md, Flame graphs.
import { z } from 'zod'
import { categorySchema } from './categories.ts'
import { captureId, device, event, f64, filter, u8 } from './parts.ts'

/**
 * alive: allocated after fromEvent · allocated: made by events [from, to) · growth: by how much each stack holds more after toEvent than after
 * fromEvent (base: by how much less) · diff: allocated after toEvent (base: after fromEvent) · area: × nanoseconds, or events in captures
 * without times, that they were allocated in [from, to) · profile: the values of value type fromEvent of a profile of another tool, which has no
 * device, moment and filter (base: those below zero).
 */
export const flameMeasureSchema = z.enum(['alive', 'allocated', 'growth', 'diff', 'area', 'profile'])
export type FlameMeasure = z.infer<typeof flameMeasureSchema>
/** The moments between which events [from, end) lie, as a measure of a range is asked. */
export const measuredEvents = (
  measure: FlameMeasure,
  from: number,
  end: number,
): { readonly fromEvent: number; readonly toEvent: number } =>
  measure === 'allocated' || measure === 'area' ? { fromEvent: from, toEvent: end } : { fromEvent: from - 1, toEvent: end - 1 }
export const flameUnitSchema = z.enum(['bytes', 'count'])
export type FlameUnit = z.infer<typeof flameUnitSchema>

/** Formats of other tools in which a graph can be written, and the end of a file's name for each. */
export const profileFormatSchema = z.enum(['folded', 'd3', 'speedscope', 'pprof'])
export type ProfileFormat = z.infer<typeof profileFormatSchema>
export const profileExtensions: Readonly<Record<ProfileFormat, string>> = {
  folded: 'folded',
  d3: 'd3.json',
  speedscope: 'speedscope.json',
  pprof: 'pb.gz',
}

/** Most nodes of an answer. */
export const maxFlameNodes = 5000

const frameId = z.number().int().nonnegative()
const mostItems = 1000

export const flameOptionsSchema = z.object({
  direction: z.enum(['callees', 'callers']), // the root's children: outermost frames, or innermost
  merge: z.enum(['function', 'line']), // which frames are one: those of a name and file, or of a line
  foldRecursion: z.boolean(), // a frame that calls itself counts once
  hide: z.array(z.string().min(1)).max(mostItems), // frames are left out whose "filename:name" holds one of these
  pivot: frameId.nullable(), // only stacks with that frame: what it calls, or with `callers` what calls it
  with: z.array(frameId).max(mostItems), // only stacks that have all of these
  without: z.array(frameId).max(mostItems), // only stacks that have none of these
})
export type FlameOptions = z.infer<typeof flameOptionsSchema>

/** Of siblings: largest first, or that of the earliest allocation first. Equal frames of a parent are one node either way. */
export const flameOrderSchema = z.enum(['size', 'time'])
export type FlameOrder = z.infer<typeof flameOrderSchema>
const order = flameOrderSchema

/** What is weighed, and by which nodes. */
export const flameQuestion = {
  captureId,
  device,
  measure: flameMeasureSchema,
  unit: flameUnitSchema,
  fromEvent: event,
  toEvent: event,
  options: flameOptionsSchema,
  filter,
}

const weighed = {
  ...flameQuestion,
  /** A `node` of an answer with the same options; 0 = all. */
  root: z.number().int().nonnegative(),
}

/** Struct of arrays, one item a node: the root first, each node before its children. Weights in bytes, allocations or bytes × ns. */
export const flameTreeSchema = z.object({
  parent: f64, // place in these arrays; −1 of the root
  node: f64,
  frame: f64, // place in `frames`; −1: the root, and what has no stack
  line: f64, // of the source, where all frames of the node in the stacks that weigh something are of one; 0 = none, or several
  bare: f64, // color slot of the category whose allocations without a stack the node holds; 0 = another node
  depth: f64, // 0 = the root of the whole tree
  total: f64,
  self: f64,
  baseTotal: f64,
  baseSelf: f64,
  count: f64, // allocations behind `total`
  bytes: f64, // their bytes
  category: f64, // color slot of the category that holds most of `bytes`; 0 = nothing
  categoryBytes: f64, // how many of them
  categories: z.array(z.number()), // of `bytes` of the first node those of each category, in the order of categoryNames
  frames: z.array(
    z.object({
      frameId: z.number(),
      name: z.string(), // as the file has it
      title: z.string(), // for a label: C++ parameters left out, cut at 120 characters
      filename: z.string(),
      line: z.number(), // of one of the frames, where `merge` is function
      kind: z.enum(['own', 'library', 'noise']),
    }),
  ),
  leftOut: z.number(), // nodes that weigh something and are not among these
  hiddenFrames: z.number(), // frames of the capture that `hide` leaves out
})
export type FlameTree = z.infer<typeof flameTreeSchema>

export const flameMethods = {
  'flame.tree': {
    input: z.object({
      ...weighed,
      order,
      limit: z.number().int().min(1).max(maxFlameNodes),
    }),
    output: flameTreeSchema,
  },
  /** What the frames weigh whose "filename:name" holds the text (Latin letters in any case): a stack with several of them counts once. */
  'flame.match': {
    input: z.object({ ...weighed, text: z.string().min(1).max(1000) }),
    output: z.object({
      total: z.number(),
      baseTotal: z.number(),
      count: z.number(),
      bytes: z.number(),
      nodes: z.number(),
      frameCount: z.number(),
      frames: z.array(z.number()), // frame_ids, at most 1,000
    }),
  },
  /** The graph as a file of another tool; `name` says there what it shows. */
  'flame.profile': {
    input: z.object({ ...weighed, order, format: profileFormatSchema, name: z.string().max(1000) }),
    output: z.object({ bytes: u8, leftOut: z.number() }), // leftOut: small nodes whose weight stays with their parents
  },
  /** Within which annotations of the program what has no stack and is of a category was made, by when it was: at most five, largest first. */
  'flame.within': {
    input: z.object({
      ...{ captureId, device, measure: flameMeasureSchema, fromEvent: event, toEvent: event, filter },
      category: categorySchema,
    }),
    output: z.object({
      bytes: z.number(), // of all that was asked about
      annotations: z.array(z.object({ name: z.string(), count: z.number(), bytes: z.number() })),
    }),
  },
  /** The stacks that end at or below a node, for `stacks` of a filter; −1 = no stack. Of a `bare` node only what is of these categories. */
  'flame.stacks': {
    input: z.object({ captureId, device, options: flameOptionsSchema, node: z.number().int().nonnegative() }),
    output: z.object({ stacks: z.array(z.number()), categories: z.array(categorySchema).optional() }),
  },
} as const
