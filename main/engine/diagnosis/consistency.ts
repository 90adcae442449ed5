// Numbers that cannot be true together, or at all: texts are typed, cut and mixed up. What contradicts itself is dropped, and said.
import { formatBytes } from '../../../preload/contract/format.ts'
import type { Amount } from './log/amount.ts'
import type { LogFailure } from './log-text.ts'
import type { MetricsGrowth } from './metrics.ts'
import type { Texts } from './types.ts'
import { type SentenceId, say } from './words.ts'

/** The driver's numbers have no unit smaller than this, and move while they are asked for. */
const slackBytes = 64 * 1024 ** 2

const exceeds = (part: Amount | null, whole: Amount | null): boolean =>
  part !== null && whole !== null && part.bytes - part.precision > whole.bytes + whole.precision + slackBytes

type AmountName = 'requested' | 'total' | 'free' | 'allowed' | 'allocated' | 'unallocated' | 'reserved' | 'privatePools'

interface Check {
  readonly part: AmountName
  readonly whole: AmountName
  readonly sentence: SentenceId
  /** What is not to be trusted then. */
  readonly dropped: readonly AmountName[]
}

const held = ['allocated', 'unallocated', 'reserved'] as const

const checks: readonly Check[] = [
  { part: 'free', whole: 'total', sentence: 'doubt_free', dropped: ['free', 'total'] },
  { part: 'allocated', whole: 'reserved', sentence: 'doubt_allocated', dropped: held },
  { part: 'reserved', whole: 'total', sentence: 'doubt_reserved', dropped: [...held, 'total'] },
  { part: 'allocated', whole: 'total', sentence: 'doubt_reserved', dropped: [...held, 'total'] },
  { part: 'allowed', whole: 'total', sentence: 'doubt_allowed', dropped: ['allowed', 'total'] },
  { part: 'privatePools', whole: 'reserved', sentence: 'doubt_private', dropped: ['privatePools'] },
]

export interface Checked {
  readonly log: LogFailure | null
  readonly doubts: readonly Texts[]
}

const bytesOf = (amount: Amount | null): string => formatBytes(amount?.bytes ?? 0)

/** The failure without the numbers that contradict each other, and a sentence for each contradiction. */
export function checkedLog(log: LogFailure | null): Checked {
  if (!log) return { log, doubts: [] }
  const found = checks.filter(({ part, whole }) => exceeds(log[part], log[whole]))
  const dropped = Object.fromEntries(found.flatMap((check) => check.dropped.map((name) => [name, null])))
  const doubts = found.map(({ part, whole, sentence }) => say(sentence, { part: bytesOf(log[part]), whole: bytesOf(log[whole]) }))
  const unread = log.unreadAmounts.map((amount) => say('doubt_unread', { amount }))
  return { log: { ...log, ...dropped }, doubts: [...unread, ...doubts] }
}

/** What was not read of the metrics. */
export function gapsOf(metrics: MetricsGrowth | null): Texts[] {
  if (!metrics) return []
  const { leftOut, badLines, steps } = metrics
  return [
    ...(leftOut > 0 ? [say('metrics_left_out', { count: leftOut, all: steps })] : []),
    ...(badLines > 0 ? [say('metrics_bad_lines', { count: badLines })] : []),
  ]
}
