// What the arguments of a slice say: the few that matter most come first in words of their own, a call stack as frames, the rest as it is.
// Values come from the file as text or JSON and may be anything.
import type { SliceDetails, StackFrame } from '../../../preload/contract/queries.ts'
import { formatBytes, formatCount, formatShare } from '../../i18n/format.ts'

export type Arg = NonNullable<SliceDetails['args']>[number]

/** Facts in the order of their weight: what a kernel ran with, what was copied, what a collective moved, what an op belongs to. */
const facts = [
  ['grid', 'grid'],
  ['block', 'block'],
  ['registers', 'registers per thread'],
  ['sharedMemory', 'shared memory'],
  ['occupancy', 'est. achieved occupancy %'],
  ['warps', 'warps per SM'],
  ['blocks', 'blocks per SM'],
  ['bytes', 'bytes'],
  ['bandwidth', 'memory bandwidth (GB/s)'],
  ['stream', 'stream'],
  ['collective', 'Collective name'],
  ['dtype', 'dtype'],
  ['elementsIn', 'In msg nelems'],
  ['elementsOut', 'Out msg nelems'],
  ['groupSize', 'Group size'],
  ['sequence', 'Sequence number'],
  ['forwardThread', 'Fwd thread id'],
  ['module', 'Module Hierarchy'],
] as const
export type FactName = (typeof facts)[number][0]

const stackKey = 'Call stack'
const mostFrames = 1000
const mostInputs = 1000
const mostParsed = 200_000 // characters
const mostDepth = 4 // of lists in a list of sizes

export interface ArgFact {
  readonly name: FactName
  readonly value: string
}

/** The JSON value of a text; undefined when it is none, or so long that nobody would read it. */
function parsed(text: string): unknown {
  if (text.length > mostParsed) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const textUnder = (args: readonly Arg[], key: string): string | undefined => args.find((arg) => arg.key === key)?.value

/** A number, also one in quotes; undefined for anything else. */
function numberIn(text: string): number | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : undefined
}

const isNumbers = (value: unknown): value is number[] => Array.isArray(value) && value.every((each) => typeof each === 'number')

/** 512 × 1 × 1; the text itself when it is no list of numbers. */
function sizesText(text: string): string {
  const sizes = parsed(text)
  return isNumbers(sizes) && sizes.length > 0 ? sizes.map(formatCount).join(' × ') : text
}

/** At most three digits behind the point. */
const shortNumber = (value: number): string => String(Math.round(value * 1000) / 1000)

const words: Partial<Record<FactName, (value: number) => string>> = {
  sharedMemory: formatBytes,
  bytes: formatBytes,
  occupancy: (value) => formatShare(value, 100),
  warps: shortNumber,
  blocks: shortNumber,
  bandwidth: (value) => `${shortNumber(value)} GB/s`,
  elementsIn: formatCount,
  elementsOut: formatCount,
}

function factText(name: FactName, text: string): string {
  if (name === 'grid' || name === 'block') return sizesText(text)
  const value = numberIn(text)
  return value === undefined ? text : (words[name]?.(value) ?? text)
}

/** The facts that the arguments hold, the most important first. */
export function factsOf(args: readonly Arg[]): ArgFact[] {
  return facts.flatMap(([name, key]) => {
    const text = textUnder(args, key)
    return text === undefined || text === '' ? [] : [{ name, value: factText(name, text) }]
  })
}

/** An input of an op: the type as PyTorch writes it, and its sizes; '' = no tensor. */
export interface OpInput {
  readonly type: string
  readonly dims: string
}

function dimsText(dims: unknown, depth = 0): string {
  if (isNumbers(dims)) return dims.map(formatCount).join(' × ')
  if (!Array.isArray(dims) || depth >= mostDepth) return ''
  return dims.map((each) => `(${dimsText(each, depth + 1)})`).join(', ')
}

/** Inputs of an op, in its order; empty when shapes were not recorded. */
export function inputsOf(args: readonly Arg[]): OpInput[] {
  const dims = parsed(textUnder(args, 'Input Dims') ?? textUnder(args, 'Input dims') ?? '')
  const types = parsed(textUnder(args, 'Input type') ?? '')
  const [allDims, allTypes] = [Array.isArray(dims) ? dims : [], Array.isArray(types) ? types : []]
  const count = Math.min(mostInputs, Math.max(allDims.length, allTypes.length))
  return Array.from({ length: count }, (_, index) => {
    const type: unknown = allTypes[index]
    return { type: typeof type === 'string' ? type : '', dims: dimsText(allDims[index]) }
  })
}

const isAbsolute = (filename: string): boolean => /^(?:[\\/~]|\.{1,2}[\\/]|[A-Za-z]:)/.test(filename)

/** PyTorch cuts the folder of installed packages off their paths: a folder at the start of a path that is not absolute is a package. */
const isLibrary = (filename: string): boolean =>
  /(?:site|dist)-packages|[\\/]lib[\\/]python|^</.test(filename) || (!isAbsolute(filename) && /[\\/]/.test(filename))

/** A frame as PyTorch writes it: file(line): function. What has another form is all name. */
function frameOf(text: string): StackFrame {
  const [, filename, line, name] = /^(.*)\((\d+)\): (.+)$/.exec(text) ?? []
  if (filename === undefined || name === undefined) return { name: text, filename: '', line: 0, kind: 'library' }
  return { name, filename, line: Number(line), kind: isLibrary(filename) ? 'library' : 'own' }
}

/** The recorded call stack, innermost first; empty without one. */
export function callStackOf(args: readonly Arg[]): StackFrame[] {
  const text = textUnder(args, stackKey) ?? ''
  const frames = text.split(';').map((frame) => frame.trim())
  return frames
    .filter((frame) => frame !== '')
    .slice(0, mostFrames)
    .map(frameOf)
}

/** Arguments that are not shown as frames, those that facts were made of included: nothing of the file is hidden. */
export const otherArgs = (args: readonly Arg[]): Arg[] => args.filter(({ key }) => key !== stackKey)

/** Arguments as lines "key: value" for the clipboard. */
export const argsText = (args: readonly Arg[]): string => args.map(({ key, value }) => `${key}: ${value}\n`).join('')
