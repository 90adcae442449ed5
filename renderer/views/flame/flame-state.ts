// How the flame graph of a capture is looked at: what only this view knows. Moment, range, selection and filter are shared
// (state/view-state.ts).
import { z } from 'zod'
import { useStore } from 'zustand'
import type { CaptureKind } from '../../../preload/contract/capture.ts'
import {
  type FlameOptions,
  type FlameOrder,
  type FlameTree,
  type FlameUnit,
  flameOptionsSchema,
  flameOrderSchema,
  flameUnitSchema,
} from '../../../preload/contract/queries.ts'
import { captureStores } from '../../data/capture-stores.ts'
import type { KeptFields } from '../../state/own-look.ts'
import { autoTemplate } from './hot-spots.ts'
import type { TableOrder } from './table-rows.ts'

/** What a node is as wide as: bytes alive at the cursor or at the peak, or something of the range. */
export const weights = ['cursor', 'peak', 'allocated', 'growth', 'area', 'diff'] as const
/** Of a profile, which has no moments: the values of one type; `changes` where some are negative. */
export type Weight = (typeof weights)[number] | 'values' | 'changes'

/** What the colours of functions say. */
export const flameColors = ['module', 'category'] as const
export type FlameColor = (typeof flameColors)[number]

/** Which way the rows go from the root: down, or up. */
export const flameShapes = ['icicle', 'flame'] as const
export type FlameShape = (typeof flameShapes)[number]

export type FlameFrame = FlameTree['frames'][number]

/** A function that stacks must or must not have. */
export type FrameRef = Pick<FlameFrame, 'frameId' | 'title'>

/** A step of zooming in: the node, and the frames from the step before down to it; no frame is what has no stack. */
export interface Step {
  readonly node: number
  readonly path: readonly FlameFrame[]
}

export interface FlameState {
  readonly weight: Weight
  readonly unit: FlameUnit
  readonly valueType: number | undefined // of a profile; undefined = that which it is shown by at first
  readonly colorBy: FlameColor
  readonly direction: FlameOptions['direction']
  readonly order: FlameOrder
  readonly shape: FlameShape
  readonly merge: FlameOptions['merge']
  readonly foldRecursion: boolean
  readonly hidesLibrary: boolean
  readonly hideText: string | undefined // separated by commas; undefined = what suits the kind of capture
  readonly with: readonly FrameRef[]
  readonly without: readonly FrameRef[]
  readonly pivot: FrameRef | undefined // its callers stand above it, what it calls below
  readonly trail: readonly Step[] // the last is what is zoomed to
  readonly scrollPx: number | undefined // undefined until scrolled: the first row, or the pivot, is in sight
  readonly search: string
  readonly template: string // of hot spots: its id, or as hot-spots.ts has it
  readonly tableOrder: TableOrder
}

const initial: FlameState = {
  weight: 'cursor',
  unit: 'bytes',
  valueType: undefined,
  colorBy: 'module',
  direction: 'callees',
  order: 'size',
  shape: 'icicle',
  merge: 'function',
  foldRecursion: false,
  hidesLibrary: false,
  hideText: undefined,
  with: [],
  without: [],
  pivot: undefined,
  trail: [],
  scrollPx: undefined,
  search: '',
  template: autoTemplate,
  tableOrder: { column: 'total', descending: true },
}

/** The store of a capture. */
export const flameState = captureStores(initial)

const { direction, merge } = flameOptionsSchema.shape
const mostRefs = 100
const mostHideText = 10_000
const mostTemplateId = 200
const frameRef = z.object({ frameId: z.number().int().nonnegative(), title: z.string().max(1000) })

/** What of it is kept in a session: how stacks become a graph. Nodes, and so the zoom, count anew with each graph. */
export const keptLook: KeptFields<FlameState> = {
  weight: z.enum(weights),
  unit: flameUnitSchema,
  colorBy: z.enum(flameColors),
  direction,
  order: flameOrderSchema,
  shape: z.enum(flameShapes),
  merge,
  foldRecursion: z.boolean(),
  hidesLibrary: z.boolean(),
  hideText: z.string().max(mostHideText),
  with: z.array(frameRef).max(mostRefs),
  without: z.array(frameRef).max(mostRefs),
  pivot: frameRef,
  template: z.string().max(mostTemplateId),
}

/** Part of it in React. */
export const useFlameState = <T>(captureId: string, pick: (state: FlameState) => T): T => useStore(flameState(captureId), pick)

/** Changes part of it; other fields stay. */
export const patchFlame = (captureId: string, patch: Partial<FlameState>): void => flameState(captureId).setState(patch)

/** Texts of the frames that are hidden unless others are typed: those of PyTorch, of the import machinery, and of libraries without symbols. */
const suitedHideTexts: Readonly<Record<CaptureKind, string>> = {
  torch_snapshot: 'site-packages/torch/, dist-packages/torch/, importlib, <frozen, aten/src/, c10/, torch/csrc/, ??:',
  chrome_trace: 'torch/, nn.Module, importlib, <frozen',
  stack_profile: 'site-packages/, dist-packages/, importlib, <frozen, node:internal, node_modules/, /usr/lib/, /usr/local/go/src/',
}

export const hideTextOf = (state: Pick<FlameState, 'hideText'>, kind: CaptureKind): string => state.hideText ?? suitedHideTexts[kind]

const mostTexts = 1000

/** What the engine is asked to do with the stacks. Nodes have the same numbers in all answers with the same options. */
export const optionsOf = (state: FlameState, kind: CaptureKind): FlameOptions => ({
  direction: state.pivot ? 'callees' : state.direction,
  merge: state.merge,
  foldRecursion: state.foldRecursion,
  hide: state.hidesLibrary
    ? hideTextOf(state, kind)
        .split(',')
        .map((text) => text.trim())
        .filter(Boolean)
        .slice(0, mostTexts)
    : [],
  pivot: state.pivot?.frameId ?? null,
  with: state.with.map(({ frameId }) => frameId),
  without: state.without.map(({ frameId }) => frameId),
})

/** The same for a search: about a pivot it looks among its callers too. */
export function matchOptionsOf(state: FlameState, kind: CaptureKind): FlameOptions {
  const options = optionsOf(state, kind)
  return options.pivot === null ? options : { ...options, pivot: null, with: [...options.with, options.pivot] }
}

/** True where the tree begins with the innermost frames. */
export const isUpsideDown = ({ direction, pivot }: Pick<FlameState, 'direction' | 'pivot'>): boolean => direction === 'callers' && !pivot

/** True where rows go up from the root; about a pivot callers always stand above. */
export const isRising = ({ shape, pivot }: Pick<FlameState, 'shape' | 'pivot'>): boolean => shape === 'flame' && !pivot

/** True for the weights that compare two moments. */
export const isSigned = (weight: Weight): boolean => weight === 'growth' || weight === 'diff' || weight === 'changes'

/** True for the weights that are of a range; the others are of one moment, or of a profile. */
export const isOfRange = (weight: Weight): boolean =>
  weight === 'allocated' || weight === 'growth' || weight === 'area' || weight === 'diff'
