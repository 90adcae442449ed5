// What may help, by verdict and by the settings that the capture shows, with the bytes that it would free where they can be computed.
import type { Category, Cause, VerdictLabel } from '../../../preload/contract/queries.ts'
import { advice } from './advice-maker.ts'
import { keptStacks, sumGrown } from './classes/kept.ts'
import { gradientPlace } from './gradient-place.ts'
import { categoryTerm, oneStackTerm, placeAt } from './places.ts'
import { bytesWord, named } from './score.ts'
import { settingsAdvice } from './settings-advice.ts'
import type { Advice, Subject } from './types.ts'

type AdviceMaker = (subject: Subject) => Advice[]

const keptBytes = (subject: Subject): number => sumGrown(keptStacks(subject))

/** What a category holds; null without a capture. */
const heldIn = ({ capture }: Subject, category: Category): number | null =>
  capture && (capture.categories.find((each) => each.category === category)?.bytes ?? 0)

const flameOf = ({ capture }: Subject, category: Category): Advice['place'] => placeAt(capture, 'flame', categoryTerm(category))

const part = (bytes: number | null, share: number): number | null => bytes && bytes * share

const byCause: Readonly<Record<Cause, AdviceMaker>> = {
  fragmentation: settingsAdvice,
  activation_residency: (subject) => {
    const activations = heldIn(subject, 'activation') || (subject.capture?.roleBytes.forward ?? null)
    const kept = keptBytes(subject)
    if (kept > (activations ?? 0) / 2 && kept > 0) return [detachKept(subject, kept)]
    const place = flameOf(subject, 'activation')
    return [
      advice('checkpointing', { gainBytes: activations, code: 'model.gradient_checkpointing_enable()', place }),
      advice('smaller_batch', { gainBytes: part(activations, 0.5), place }),
    ]
  },
  gradient_blowup: (subject) => {
    const backward = subject.capture?.roleBytes.backward ?? null
    const place = gradientPlace(subject)
    if (subject.capture?.hasPerSampleGradients)
      return [
        advice('micro_batches', { gainBytes: part(backward, 0.5), code: 'torch.func.vmap(per_sample_gradients, chunk_size=8)', place }),
      ]
    return [advice('drop_gradients', { gainBytes: keptBytes(subject) || backward, code: 'optimizer.zero_grad(set_to_none=True)', place })]
  },
  metadata_bloat: ({ capture }) => [advice('fewer_tensors', { place: placeAt(capture, 'fragmentation') })],
  context_leak: ({ situation, capture }) =>
    situation.reason === 'outside_pytorch' || !situation.privateBytes
      ? [
          advice('free_device', {
            gainBytes: situation.outsideBytes,
            code: 'nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv',
          }),
        ]
      : [
          advice('share_graph_pool', {
            gainBytes: situation.privateBytes,
            code: 'torch.cuda.graph(graph, pool=torch.cuda.graph_pool_handle())',
            place: placeAt(capture, 'fragmentation'),
          }),
        ],
  optimizer_state: (subject) => [
    advice('smaller_state', {
      gainBytes: part(heldIn(subject, 'optimizer_state') || (subject.capture?.roleBytes.optimizer_state ?? null), 0.75),
      code: 'bitsandbytes.optim.AdamW8bit(model.parameters())',
      place: flameOf(subject, 'optimizer_state'),
    }),
  ],
  kv_cache_growth: (subject) => [
    advice('bounded_cache', {
      gainBytes: part(heldIn(subject, 'kv_cache') || (subject.capture?.roleBytes.cache ?? null), 0.5),
      code: "model.generation_config.cache_implementation = 'static'",
      place: flameOf(subject, 'kv_cache'),
    }),
  ],
  weights_duplicated: (subject) => [
    advice('one_model', {
      gainBytes: subject.capture?.roleBytes.weights ?? null,
      code: "torch.load(path, map_location='cpu', mmap=True)",
      place: flameOf(subject, 'parameter'),
    }),
  ],
  single_huge_allocation: ({ situation, capture }) => [
    advice('split_request', { gainBytes: part(situation.requestedBytes, 0.5), place: placeAt(capture, 'timeline') }),
  ],
  steady_leak: (subject) => {
    const [largest] = keptStacks(subject)
    if (!largest) return [detachKept(subject, null)]
    const place = placeAt(subject.capture, 'timeline', oneStackTerm(largest))
    return [advice('free_named', { gainBytes: keptBytes(subject), words: { stack: named(largest.title) }, place })]
  },
}

function detachKept(subject: Subject, gainBytes: number | null): Advice {
  const [largest] = keptStacks(subject)
  const place = largest ? placeAt(subject.capture, 'timeline', oneStackTerm(largest)) : null
  return advice('detach_kept', { gainBytes, code: 'total += loss.item()', place })
}

/** Advice for a verdict; without one, none. */
export function adviceFor(label: VerdictLabel, subject: Subject): Advice[] {
  if (label === 'healthy' || label === 'not_enough_evidence') return []
  const { facts, deviceFreeBytes, reason } = subject.situation
  const raise = facts.includes('cap_below_device') && deviceFreeBytes !== null && deviceFreeBytes > 0
  // Where there was memory enough, a setting that is proved to avoid the failure helps whatever the cause; only what grows would go on to the next one.
  const extended = sumGrown(subject.capture?.growth.filter(({ kind }) => kind === 'larger') ?? [])
  const isGrowing = keptBytes(subject) + extended > 0.1 * (subject.capture?.reserved ?? 0)
  const settings =
    label !== 'fragmentation' && reason === 'no_contiguous_block' && !isGrowing && subject.capture?.outcomes ? settingsAdvice(subject) : []
  return [
    ...byCause[label](subject),
    ...settings.filter(({ avoidsFailure }) => avoidsFailure === true).slice(0, 1),
    ...(raise
      ? [
          advice('raise_cap', {
            code: 'torch.cuda.set_per_process_memory_fraction(1.0)',
            words: { free: bytesWord(deviceFreeBytes) },
          }),
        ]
      : []),
  ]
}
