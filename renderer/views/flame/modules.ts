// Which module a frame belongs to, and its colour: the same one in every capture.
import { mix, parseHex, type Rgb, slotColor } from '../../theme/palette.ts'
import type { Tokens } from '../../theme/tokens.ts'
import type { FlameFrame } from './flame-state.ts'

const hueCount = 12
/** The packages that meet most often never share a colour. */
const knownSlots: Readonly<Record<string, number>> = {
  torch: 1,
  aten: 2,
  transformers: 3,
  peft: 4,
  accelerate: 5,
  'nn.Module': 6,
  python: 7,
  autograd: 9,
}
const freeSlots = Array.from({ length: hueCount }, (_, index) => index + 1).filter((slot) => !Object.values(knownSlots).includes(slot))
const noFileStrength = 0.55
const leastStrength = 0.15
const less = '#2166AC'
const more = '#B35806'
const same = '#B9BDC4'

/** The top-level package of a frame's file: that of site-packages, `python` for its own library, else the folder. */
export function moduleOf({ filename, name }: Pick<FlameFrame, 'filename' | 'name'>): string {
  const path = filename.replaceAll('\\', '/')
  const installed = /\/(?:site|dist)-packages\/([^/]+)/.exec(path)?.[1]
  if (installed !== undefined) return installed.replace(/\.py$/, '')
  if (/^<frozen |\/lib(?:64)?\/python\d/i.test(path)) return 'python'
  if (name.startsWith('nn.Module: ')) return 'nn.Module'
  const namespace = /^([a-z]\w*)::/i.exec(name)?.[1]
  if (namespace !== undefined && !path.endsWith('.py')) return ['c10', 'at', 'caffe2'].includes(namespace) ? 'torch' : namespace
  if (filename === 'python_function') return 'python'
  if (path === '??' || path === 'none') return ''
  const parts = path.split('/').filter(Boolean)
  // A relative path begins with the package; an absolute one ends with the folder of the file.
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return parts.at(-2) ?? parts[0] ?? ''
  return parts[0] ?? ''
}

/** Palette slot of a module. */
export function slotOfModule(module: string): number {
  const known = knownSlots[module]
  if (known !== undefined) return known
  let hash = 2166136261
  for (const character of module) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619)
  return freeSlots[(hash >>> 0) % freeSlots.length] ?? 1
}

/** Own code at full strength, all other a step back. */
export function frameColor(tokens: Tokens, frame: Pick<FlameFrame, 'filename' | 'name' | 'kind'>): Rgb {
  const module = moduleOf(frame)
  if (module === '') return plainColor(tokens, noFileStrength)
  const slot = slotOfModule(module) + (frame.kind === 'own' ? 0 : hueCount)
  return slotColor(tokens, 'stack', slot) ?? parseHex(tokens.mark)
}

/** How far the grey of what has no stack, and of what is merged, is from the canvas. */
export const noStackStrength = 0.42
export const smallStrength = 0.24

/** Of what has no stack, and of what is merged. */
export const plainColor = (tokens: Tokens, strength: number): Rgb => mix(parseHex(tokens.canvas), parseHex(tokens.mark), strength)

/** −1 (all of it has gone) to 1 (all of it is new): blue over grey to orange. */
export function growthColor(share: number): Rgb {
  if (share === 0) return parseHex(same)
  return mix(parseHex(same), parseHex(share < 0 ? less : more), leastStrength + (1 - leastStrength) * Math.min(1, Math.abs(share)))
}
