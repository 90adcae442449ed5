// Who keeps poorly used segments: their active blocks by stack, and a sentence about all of them. Pure.
import type { SpaceReport } from '../../preload/contract/queries.ts'
import { formatBytes, formatCount } from '../i18n/format.ts'
import type { Translate } from '../i18n/part-texts.ts'
import { stackTitle } from '../plot/legend.ts'

export type Pin = SpaceReport['pins'][number]

/** Active blocks of one stack in a segment. */
export interface PinningStack {
  readonly key: string
  readonly title: string
  readonly place: string
  readonly count: number
  readonly bytes: number
  readonly allocationId: number // the largest of them
}

/** The stacks that keep a segment, most bytes first. */
export function stacksOf({ stacks, holders }: Pin): PinningStack[] {
  if (stacks) return stacks.map(({ stackId, ...stack }) => ({ ...stack, key: String(stackId) }))
  const known = new Map<number, PinningStack>()
  for (const { stackId, title, place, sizeBytes, allocationId } of holders) {
    const { count = 0, bytes = 0, ...first } = known.get(stackId) ?? { allocationId }
    known.set(stackId, { key: String(stackId), title, place, ...first, count: count + 1, bytes: bytes + sizeBytes })
  }
  return [...known.values()].sort((a, b) => b.bytes - a.bytes)
}

/** A stack by its place, else by its name. */
export const stackName = ({ title, place }: Pick<PinningStack, 'title' | 'place'>): string => place || stackTitle(title)

/** A stack in one piece: "cases.py:461 × 21, 31.5 MiB". */
export const stackWords = (stack: PinningStack, t: Translate<'fragmentation'>): string =>
  t('pins.stack', { name: stackName(stack), blocks: formatCount(stack.count), bytes: formatBytes(stack.bytes) })

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** All segments in one sentence, with the stack that holds most; undefined where no segment is kept. */
export function pinsSentence(pins: readonly Pin[], t: Translate<'fragmentation'>): string | undefined {
  if (pins.length === 0) return undefined
  const byStack = new Map<string, PinningStack>()
  for (const stack of pins.flatMap(stacksOf)) {
    const before = byStack.get(stack.key)
    byStack.set(stack.key, before ? { ...before, count: before.count + stack.count, bytes: before.bytes + stack.bytes } : stack)
  }
  const [first, ...others] = [...byStack.values()].sort((a, b) => b.bytes - a.bytes)
  const active = sumOf(pins.map(({ activeBytes }) => activeBytes))
  const kept = t('pins.summary', {
    count: pins.length,
    segments: formatCount(pins.length),
    free: formatBytes(sumOf(pins.map(({ freeBytes }) => freeBytes))),
    active: formatBytes(active),
  })
  if (!first) return t('pins.sentence', { kept })
  const name = stackName(first)
  if (others.length === 0) return t('pins.sentenceAll', { kept, name })
  return t('pins.sentenceMost', { kept, name, bytes: formatBytes(first.bytes) })
}
