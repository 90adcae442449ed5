// What may help, by verdict and by the settings that the capture shows, with the bytes that it would free where they can be computed.
import { keptStacks, sumGrown } from './classes/kept.ts'
import { bytesWord, named } from './score.ts'
import type { Advice, Cause, Label, Subject } from './types.ts'
import { type SentenceId, say } from './words.ts'

type AdviceMaker = (subject: Subject) => Advice[]

const make = (id: SentenceId, gainBytes: number | null, words: Record<string, string> = {}): Advice => ({
  id,
  text: say(id, words),
  gainBytes: gainBytes !== null && gainBytes > 0 ? Math.round(gainBytes) : null,
})

const isExpandable = ({ capture }: Subject): boolean => /"expandable_segments"\s*:\s*true/.test(capture?.settings ?? '')
const hasSplitLimit = ({ capture }: Subject): boolean => /"max_split_size"\s*:\s*[1-9]/.test(capture?.settings ?? '')

const keptBytes = (subject: Subject): number => sumGrown(keptStacks(subject))

const byCause: Readonly<Record<Cause, AdviceMaker>> = {
  fragmentation: (subject) => [
    ...(isExpandable(subject) ? [] : [make('expandable_segments', subject.situation.freeBytes)]),
    ...(isExpandable(subject) || hasSplitLimit(subject) ? [] : [make('max_split_size', null)]),
  ],
  activation_residency: (subject) => {
    const forward = subject.capture?.roleBytes.forward ?? null
    const kept = keptBytes(subject)
    if (kept > (forward ?? 0) / 2 && kept > 0) return [make('detach_kept', kept)]
    return [make('checkpointing', forward), make('smaller_batch', forward === null ? null : forward / 2)]
  },
  gradient_blowup: (subject) =>
    subject.capture?.hasPerSampleGradients
      ? [make('micro_batches', subject.capture.roleBytes.backward / 2)]
      : [make('drop_gradients', keptBytes(subject) || (subject.capture?.roleBytes.backward ?? null))],
  metadata_bloat: () => [make('fewer_tensors', null)],
  context_leak: ({ situation }) =>
    situation.reason === 'outside_pytorch'
      ? [make('free_device', situation.outsideBytes)]
      : [make(situation.privateBytes ? 'share_graph_pool' : 'free_device', situation.privateBytes)],
  optimizer_state: ({ capture }) => [make('smaller_state', capture ? capture.roleBytes.optimizer_state * 0.75 : null)],
  kv_cache_growth: ({ capture }) => [make('bounded_cache', capture ? capture.roleBytes.cache / 2 : null)],
  weights_duplicated: ({ capture }) => [make('one_model', capture?.roleBytes.weights ?? null)],
  single_huge_allocation: ({ situation }) => [
    make('split_request', situation.requestedBytes === null ? null : situation.requestedBytes / 2),
  ],
  steady_leak: (subject) => {
    const [largest] = keptStacks(subject)
    return largest ? [make('free_named', keptBytes(subject), { stack: named(largest.title) })] : [make('detach_kept', null)]
  },
}

/** Advice for a verdict; without one, none. */
export function adviceFor(label: Label, subject: Subject): Advice[] {
  if (label === 'healthy' || label === 'not_enough_evidence') return []
  const { facts, deviceFreeBytes } = subject.situation
  const raise = facts.includes('cap_below_device') && deviceFreeBytes !== null && deviceFreeBytes > 0
  return [...byCause[label](subject), ...(raise ? [make('raise_cap', null, { free: bytesWord(deviceFreeBytes) })] : [])]
}
