// What the colours mean: modules by what their functions hold themselves. Pure; side bar and pictures read it.
import { categoryNames } from '../../../preload/contract/queries.ts'
import { slotOfCategory } from '../../categories/words.ts'
import { categorySwatch, type Legend, type Swatch } from '../../plot/legend.ts'
import type { Tokens } from '../../theme/tokens.ts'
import type { Answer } from './flame-data.ts'
import { type FlameColor, isSigned } from './flame-state.ts'
import { frameColor, growthColor, moduleOf, noStackStrength, plainColor, smallStrength } from './modules.ts'
import { type FlameNodes, frameAt, hasNoStack, placesBelow } from './nodes.ts'
import type { Translate } from './texts.ts'

const mostModules = 12
const leastOther = 1e-9 // of all: less is what rounding leaves

export interface ModuleWeight {
  readonly module: string
  readonly isOwn: boolean
  readonly place: number // of one of its nodes
  readonly width: number // its own, without what it calls
}

/** What a legend is of: an answer, and the place of the node that is as wide as the canvas. */
export interface Shown extends Pick<Answer, 'nodes' | 'weighed' | 'direction'> {
  readonly root: number
}

/**
 * Modules in sight, the one that holds most first. From the outermost frames on a node's own share is its frame's; from the innermost on all
 * that a node below the root weighs is, whoever called it.
 */
export function moduleWeights({ nodes, root, direction }: Omit<Shown, 'weighed'>): ModuleWeight[] {
  const found = new Map<string, ModuleWeight>()
  const innermost = (place: number) => (nodes.tree.depth[place] === 1 ? (nodes.width[place] ?? 0) : 0)
  for (const place of placesBelow(nodes, root)) {
    const frame = frameAt(nodes, place)
    if (!frame) continue
    const [module, isOwn] = [moduleOf(frame), frame.kind === 'own']
    const key = `${isOwn} ${module}`
    const own = direction === 'callees' ? (nodes.selfWidth[place] ?? 0) : innermost(place)
    found.set(key, { place, ...found.get(key), module, isOwn, width: (found.get(key)?.width ?? 0) + own })
  }
  return [...found.values()].sort((a, b) => b.width - a.width || a.module.localeCompare(b.module, 'en'))
}

/** True while modules can be told by what they hold themselves: a part of a tree that begins with the innermost frames lacks it. */
export const hasModuleWeights = ({ nodes, root, direction }: Omit<Shown, 'weighed'>): boolean =>
  direction === 'callees' || nodes.tree.depth[root] === 0

/** The legend of a picture: modules or categories, or from gone to new where two moments are compared. */
export function flameLegend(shown: Shown & { readonly colorBy: FlameColor }, tokens: Tokens, t: Translate): Legend {
  const { nodes, weighed } = shown
  if (isSigned(weighed.weight)) {
    const steps = Array.from({ length: 21 }, (_, index) => growthColor((index - 10) / 10))
    const labels = [
      { share: 0, text: t('legend.gone') },
      { share: 0.43, text: t('legend.same') },
      { share: 0.82, text: t('legend.new') },
    ]
    return { kind: 'scale', steps, labels }
  }
  if (shown.colorBy === 'category') return categoryLegend(nodes, tokens)
  const all = moduleWeights(shown)
  const others = hasModuleWeights(shown) ? otherSwatches(shown, all, tokens, t) : []
  const modules = all.slice(0, mostModules).flatMap(({ module, isOwn, place, width }): Swatch[] => {
    const frame = frameAt(nodes, place)
    if (!frame) return []
    const title = module === '' ? t('legend.noFile') : module
    const bytes = hasModuleWeights(shown) ? width : undefined
    const how = { slots: [], color: frameColor(tokens, frame), count: undefined, bytes }
    return [{ key: `${isOwn} ${module}`, title, place: isOwn ? t('legend.own') : '', ...how }]
  })
  const swatches = [...modules, ...others].sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0))
  return { kind: 'swatches', swatches, more: Math.max(0, all.length - mostModules) }
}

/** What no module's functions hold: what has no stack, and what the answer leaves out; with them the shares add up to all. */
function otherSwatches({ nodes, root }: Shown, modules: readonly ModuleWeight[], tokens: Tokens, t: Translate): Swatch[] {
  const whole = nodes.width[root] ?? 0
  const noStack = placesBelow(nodes, root).reduce((sum, place) => sum + (hasNoStack(nodes, place) ? (nodes.width[place] ?? 0) : 0), 0)
  const rest = modules.reduce((left, { width }) => left - width, whole - noStack)
  const swatch = (key: 'noStack' | 'rest', bytes: number, strength: number): Swatch[] =>
    bytes > whole * leastOther
      ? [{ key, slots: [], color: plainColor(tokens, strength), title: t(`legend.${key}`), place: '', count: undefined, bytes }]
      : []
  return [...swatch('noStack', noStack, noStackStrength), ...swatch('rest', rest, smallStrength)]
}

/** The categories that hold any of the bytes behind the answer, each with its own. */
function categoryLegend({ tree }: Pick<FlameNodes, 'tree'>, tokens: Tokens): Legend {
  const swatches = categoryNames.flatMap((category) => {
    const bytes = tree.categories[slotOfCategory(category) - 1] ?? 0
    return bytes > 0 ? [categorySwatch(category, tokens, { count: undefined, bytes })] : []
  })
  return { kind: 'swatches', swatches, more: 0 }
}
