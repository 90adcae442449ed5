// The wordings of memory failures, from the first PyTorch 1.x to today, and the facts that each gives.
import { type Amount, amountOf, amountPattern } from './amount.ts'

/**
 * allocator: PyTorch's caching allocator. async: cudaMallocAsync under PyTorch. runtime: the driver's own error, outside the allocator. cpu: host
 * memory. The others: the library whose own allocation failed.
 */
export type FailureKind = 'allocator' | 'async' | 'runtime' | 'cpu' | 'nccl' | 'cublas' | 'cudnn'

export interface MessageFacts {
  readonly kind: FailureKind
  /** CUDA, HIP, XPU, CPU … as the text says. */
  readonly backend: string
  /** The class of the exception, null where the text does not start with one. */
  readonly exception: string | null
  readonly gpu: number | null
  readonly requested: Amount | null
  readonly total: Amount | null
  readonly free: Amount | null
  /** In use by this process, memory outside PyTorch included. */
  readonly process: Amount | null
  readonly others: readonly { readonly pid: string; readonly inUse: Amount }[]
  /** The cap that set_per_process_memory_fraction set. */
  readonly allowed: Amount | null
  readonly allocated: Amount | null
  /** Reserved by PyTorch but unallocated; of old wordings the difference. */
  readonly unallocated: Amount | null
  readonly reserved: Amount | null
  readonly privatePools: Amount | null
  /** What stands where an amount should, and is none: below nothing, above all memory, of no known unit. */
  readonly unreadAmounts: readonly string[]
  /** Settings that the text advises, as written there. */
  readonly advice: readonly string[]
}

export const triggers =
  /\b(CUDA|HIP|XPU|NPU|MUSA|MLU|MPS|MTIA) (?:backend )?(?:out of memory|(?:driver )?error: out of memory)|cuda runtime error \(2\) ?: out of memory|Allocation on device\s{1,4}\d{0,4}\s?would exceed allowed memory|(?:DefaultCPUAllocator|\$ Torch): [^:\n]{1,60}: you tried to allocate|CUBLAS_STATUS_ALLOC_FAILED|CUDNN_STATUS_(?:ALLOC|INTERNAL_ERROR_(?:DEVICE|HOST)_ALLOCATION)_FAILED|Cuda failure (?:\d{1,4} )?'out of memory'|Failed to CUDA (?:host )?[mc]alloc|(?:UR_RESULT|ZE_RESULT)_ERROR_OUT_OF_(?:DEVICE|HOST)_MEMORY|hipErrorOutOfMemory|cudaErrorMemoryAllocation|Current platform can NOT allocate memory block/g

/** Texts that end a message of the caching allocator. */
export const messageEnd =
  /(?:alloc-conf\)|environment-variables\)|release all unoccupied cached memory|management\/?\)|CUDA_ALLOC_CONF\s*$)/

/** A wording of an amount: a word that must be there, which is quick to look for, and the whole pattern. */
interface Wording {
  readonly word: string
  readonly pattern: RegExp
}

const amountAfter = (word: string, before = word): Wording => ({ word, pattern: new RegExp(`${before}\\s{0,4}${amountPattern}`, 'i') })
const amountBefore = (word: string, after = word): Wording => ({ word, pattern: new RegExp(`${amountPattern}\\s{0,4}${after}`, 'i') })

const patterns = {
  requested: [
    amountAfter('ried to allocate', 'tried to allocate(?: more than)?'),
    amountAfter('Requested', 'Requested\\s{0,30}:'),
    amountAfter('Failed to CUDA', 'Failed to CUDA (?:host )?[mc]alloc(?: async)?'),
  ],
  total: [
    amountAfter('total capac', 'total capaci?ty of'),
    amountBefore('total capac', 'total capaci?ty'),
    amountAfter('Device limit', 'Device limit\\s{0,30}:'),
  ],
  free: [amountAfter('of which'), amountAfter('Free (acc', 'Free \\(according to CUDA\\)\\s{0,8}:'), amountBefore('free', 'free\\b')],
  process: [amountAfter('this process has')],
  allowed: [
    amountBefore('allowed'),
    amountAfter('max allowed', 'max allowed:?'),
    amountAfter('memory fraction', 'memory fraction\\)\\s{0,40}:'),
  ],
  allocated: [
    amountBefore('is allocated by PyTorch'),
    amountBefore('already allocated'),
    amountAfter('Currently allocated', 'Currently allocated\\s{0,30}:'),
    amountAfter('MPS allocated', 'MPS allocated\\s?:'),
  ],
  unallocated: [amountBefore('is reserved by PyTorch but unallocated')],
  reserved: [amountBefore('reserved in total'), amountBefore('cached', 'cached\\b')],
  privatePools: [amountBefore('allocated in private pools')],
} as const

type Field = keyof typeof patterns

const whole = new RegExp(`^${amountPattern}$`, 'i')
const otherProcess = new RegExp(`Process (\\d{1,12}) has ${amountPattern}`, 'g')
const adviceNames = ['expandable_segments', 'max_split_size_mb', 'empty_cache', 'garbage_collection_threshold']

/** The amount that a field's first matching wording gives. */
function amountIn(text: string, field: Field): Amount | null {
  for (const { word, pattern } of patterns[field]) {
    const found = text.includes(word) ? pattern.exec(text) : null
    // A wrong shape asks for more than any machine has.
    const largest = field === 'requested' ? Number.MAX_SAFE_INTEGER : undefined
    if (found?.[1] !== undefined && found[2] !== undefined) return amountOf(found[1], found[2], largest)
  }
  return null
}

/** The exception that stands before a message, directly or with a short remark between. */
function exceptionIn(before: string): string | null {
  const at = Math.max(before.lastIndexOf('Error'), before.lastIndexOf('Exception'))
  if (at < 0) return null
  const end = /^(Error|Exception)(?::|\('?)\s?(?:[^:]{0,60}:\s)?$/.exec(before.slice(at))?.[1]
  return end === undefined ? null : `${/[\w.]*$/.exec(before.slice(0, at))?.[0] ?? ''}${end}`
}

function kindOf(trigger: string): FailureKind {
  if (/^(?:DefaultCPU|\$ Torch)/.test(trigger)) return 'cpu'
  if (trigger.startsWith('CUBLAS')) return 'cublas'
  if (trigger.startsWith('CUDNN')) return 'cudnn'
  if (/^(?:Cuda failure|Failed to CUDA)/.test(trigger)) return 'nccl'
  if (trigger.startsWith('Allocation on device')) return 'async'
  return /out of memory$/.test(trigger) && !trigger.includes('error') ? 'allocator' : 'runtime'
}

function backendOf(trigger: string, kind: FailureKind): string {
  const named = /^(CUDA|HIP|XPU|NPU|MUSA|MLU|MPS|MTIA) /.exec(trigger)?.[1]
  if (named !== undefined) return named
  if (kind === 'cpu') return 'CPU'
  if (/^(?:UR_|ZE_|Current platform)/.test(trigger)) return 'XPU'
  return trigger.startsWith('hip') ? 'HIP' : 'CUDA'
}

/** These writers count in steps of 1024 and call them KB, MB and GB. */
const inBinary = (text: string): string => text.replace(/(\d\s?[KMGT])B\b/g, '$1iB')

/**
 * The facts of a message. said: from the trigger on, lines joined with blanks; saidTight: joined without, for words that were broken; before: what
 * stands before the trigger on its line.
 */
export function readMessage(trigger: string, said: string, saidTight: string, before: string): MessageFacts | null {
  const kind = kindOf(trigger)
  const [text, tight] = /^(?:MPS|\$ Torch)/.test(trigger) ? [inBinary(said), inBinary(saidTight)] : [said, saidTight]
  const amount = (field: Field): Amount | null => amountIn(text, field) ?? (tight === text ? null : amountIn(tight, field))
  const exception = exceptionIn(before.slice(-120))
  const requested = amount('requested')
  const isSaid = requested !== null || exception !== null || kind !== 'allocator' || /tried to allocate/i.test(text)
  if (!isSaid) return null
  const allocated = amount('allocated')
  // "Reserved in total" holds what is allocated; "cached" of 1.0 to 1.3 did not.
  const stated = amount('reserved')
  const isExtra = stated !== null && /\bcached\)/.test(text)
  const unallocated = amount('unallocated') ?? difference(stated, allocated, isExtra)
  const gpu = /\b(?:GPU|NPU|device)\s{1,3}(\d{1,4})\b/i.exec(text)?.[1]
  return {
    kind,
    backend: backendOf(trigger, kind),
    exception,
    gpu: gpu === undefined ? null : Number(gpu),
    requested,
    total: amount('total'),
    free: amount('free'),
    process: amount('process'),
    others: processesIn(text, tight),
    allowed: amount('allowed'),
    allocated,
    unallocated,
    reserved: isExtra || stated === null ? sum(allocated, unallocated) : stated,
    privatePools: amount('privatePools'),
    unreadAmounts: unreadIn(text),
    advice: adviceNames.filter((name) => text.includes(name)),
  }
}

const someAmount = /(?:to allocate|capaci?ty of|of which|;|PyTorch, and|memory,)\s{1,2}([-\d][-+\d.,e]{0,40}\s?(?!GPU\b)[A-Za-z]{1,5})\b/g
const maxUnread = 8

/** The driver's overflow (2^64 − 1 bytes) where it does not know, and PyTorch's own word for what is beyond all measure, are no news. */
const isOverflow = (amount: string): boolean => /^(?:17179869184(?:\.\d+)?\s?GiB|1EB)$/.test(amount)

function unreadIn(text: string): string[] {
  const found = [...text.matchAll(someAmount)].map(([, amount = '']) => amount)
  return found
    .filter((amount) => {
      const [, number = '', unit = ''] = whole.exec(amount) ?? []
      return amountOf(number, unit, Number.MAX_SAFE_INTEGER) === null && !isOverflow(amount)
    })
    .slice(0, maxUnread)
}

/** By process, in order; what only the tight text holds had a broken line inside. */
function processesIn(text: string, tight: string): { pid: string; inUse: Amount }[] {
  const found = new Map<string, Amount>()
  for (const [, pid = '', number = '', unit = ''] of [...tight.matchAll(otherProcess), ...text.matchAll(otherProcess)]) {
    const inUse = amountOf(number, unit)
    if (inUse) found.set(pid, inUse)
  }
  return [...found].map(([pid, inUse]) => ({ pid, inUse }))
}

function sum(a: Amount | null, b: Amount | null): Amount | null {
  return a && b ? { bytes: a.bytes + b.bytes, precision: a.precision + b.precision } : null
}

function difference(stated: Amount | null, allocated: Amount | null, isExtra: boolean): Amount | null {
  if (isExtra || !stated || !allocated) return stated && isExtra ? stated : null
  return { bytes: Math.max(0, stated.bytes - allocated.bytes), precision: stated.precision + allocated.precision }
}
