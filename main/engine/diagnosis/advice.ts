// What may help, by verdict and by the settings that the capture shows, with the bytes that it would free where they can be computed.
import { formatPercent } from '../../../preload/contract/format.ts'
import type { Category, Cause, VerdictLabel } from '../../../preload/contract/queries.ts'
import { advice, type Parts } from './advice-maker.ts'
import { keptStacks, sumGrown } from './classes/kept.ts'
import { gradientPlace } from './gradient-place.ts'
import { limitWord } from './limit-words.ts'
import { categoryTerm, oneStackTerm, placeAt } from './places.ts'
import { bytesWord, named, shareOf } from './score.ts'
import { settingsAdvice } from './settings-advice.ts'
import { stepMemoryOf } from './step-memory.ts'
import { type Change, sufficiencyOf } from './sufficiency.ts'
import type { Advice, Subject } from './types.ts'
import type { SentenceId } from './words.ts'

type AdviceMaker = (subject: Subject) => Advice[]

const keptBytes = (subject: Subject): number => sumGrown(keptStacks(subject))

/** What a category holds; null without a capture. */
const heldIn = ({ capture }: Subject, category: Category): number | null =>
  capture && (capture.categories.find((each) => each.category === category)?.bytes ?? 0)

const flameOf = ({ capture }: Subject, category: Category): Advice['place'] => placeAt(capture, 'flame', categoryTerm(category))

const part = (bytes: number | null, share: number): number | null => bytes && bytes * share

/** Advice whose gain is a sum, with whether it alone would have done. */
const summed = ({ situation }: Subject, id: SentenceId, parts: Parts & Change): Advice =>
  advice(id, { ...parts, ...sufficiencyOf(situation, parts) })

const byCause: Readonly<Record<Cause, AdviceMaker>> = {
  fragmentation: settingsAdvice,
  activation_residency: (subject) => {
    const activations = heldIn(subject, 'activation') || (subject.capture?.roleBytes.forward ?? null)
    const kept = keptBytes(subject)
    if (kept > (activations ?? 0) / 2 && kept > 0) return [detachKept(subject, kept)]
    const place = flameOf(subject, 'activation')
    const step = stepMemoryOf(subject.capture)
    const { requestedBytes } = subject.situation
    const layers = step ? step.layerBytes : activations
    const scaling = part(step ? step.scalingBytes : activations, 0.5)
    return [
      ...(layers === 0
        ? []
        : [summed(subject, 'checkpointing', { gainBytes: layers, isMost: true, code: 'model.gradient_checkpointing_enable()', place })]),
      summed(subject, 'smaller_batch', { gainBytes: scaling, requestBytes: part(requestedBytes, 0.5), place }),
    ]
  },
  gradient_blowup: (subject) => {
    const backward = subject.capture?.roleBytes.backward ?? null
    const place = gradientPlace(subject)
    if (subject.capture?.hasPerSampleGradients)
      return [
        summed(subject, 'micro_batches', {
          gainBytes: part(backward, 0.5),
          code: 'torch.func.vmap(per_sample_gradients, chunk_size=8)',
          place,
        }),
      ]
    return [
      summed(subject, 'drop_gradients', {
        gainBytes: keptBytes(subject) || backward,
        code: 'optimizer.zero_grad(set_to_none=True)',
        place,
      }),
    ]
  },
  metadata_bloat: ({ capture }) => [advice('fewer_tensors', { place: placeAt(capture, 'fragmentation') })],
  context_leak: (subject) =>
    subject.situation.reason === 'outside_pytorch' || !subject.situation.privateBytes
      ? outsideAdvice(subject)
      : [
          advice('share_graph_pool', {
            gainBytes: subject.situation.privateBytes,
            code: 'pool = torch.cuda.graph_pool_handle()  # once; then for each graph: torch.cuda.graph(graph, pool=pool)',
            place: placeAt(subject.capture, 'fragmentation'),
          }),
        ],
  optimizer_state: (subject) => [
    summed(subject, 'smaller_state', {
      gainBytes: part(heldIn(subject, 'optimizer_state') || (subject.capture?.roleBytes.optimizer_state ?? null), 0.75),
      code: 'optimizer = bitsandbytes.optim.AdamW8bit(model.parameters())',
      place: flameOf(subject, 'optimizer_state'),
    }),
  ],
  kv_cache_growth: (subject) => [
    summed(subject, 'bounded_cache', {
      gainBytes: part(heldIn(subject, 'kv_cache') || (subject.capture?.roleBytes.cache ?? null), 0.5),
      code: "model.generation_config.cache_implementation = 'static'",
      place: flameOf(subject, 'kv_cache'),
    }),
  ],
  weights_duplicated: (subject) => [
    summed(subject, 'one_model', {
      gainBytes: subject.capture?.roleBytes.weights ?? null,
      code: "state = torch.load(path, map_location='cpu', mmap=True)",
      place: flameOf(subject, 'parameter'),
    }),
  ],
  single_huge_allocation: ({ situation, capture }) => {
    const half = part(situation.requestedBytes, 0.5)
    const after = sufficiencyOf(situation, { gainBytes: 0, requestBytes: half })
    return [advice('split_request', { gainBytes: half, ...after, place: placeAt(capture, 'timeline') })]
  },
  steady_leak: (subject) => {
    const [largest] = keptStacks(subject)
    if (!largest) return [detachKept(subject, null)]
    const place = placeAt(subject.capture, 'timeline', oneStackTerm(largest))
    return [summed(subject, 'free_named', { gainBytes: keptBytes(subject), words: { stack: named(largest.title) }, place })]
  },
}

/** Of what is held outside: less is not worth a word. */
const leastOutsidePart = 0.1

/** By who holds it, the larger part first. */
function outsideAdvice({ situation, metrics }: Subject): Advice[] {
  const { outsideBytes, ownOutsideBytes } = situation
  const own = ownOutsideBytes ?? 0
  const others = outsideBytes === null ? null : outsideBytes - own
  const words = { missing: bytesWord(missingOnDevice(situation)), own: bytesWord(own) }
  const isGrowing = (metrics?.outside?.order ?? 0) > 0.5 && (metrics?.outside?.slope ?? 0) > 0
  const ofOwn = advice(isGrowing ? 'free_own_growing' : 'free_own', {
    gainBytes: own,
    isMost: true,
    words,
    code: 'compute-sanitizer --tool memcheck --leak-check full python train.py',
  })
  const ofOthers = advice(missingOnDevice(situation) === null ? 'free_device' : 'free_device_missing', {
    gainBytes: others,
    isMost: true,
    words,
    code: 'nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv',
  })
  if (ownOutsideBytes === null || outsideBytes === null || others === null) return [ofOthers]
  const parts = [
    { bytes: own, of: ofOwn },
    { bytes: others, of: ofOthers },
  ]
  return parts
    .filter(({ bytes }) => bytes >= leastOutsidePart * outsideBytes)
    .sort((a, b) => b.bytes - a.bytes)
    .map(({ of }) => of)
}

function detachKept(subject: Subject, gainBytes: number | null): Advice {
  const [largest] = keptStacks(subject)
  const place = largest ? placeAt(subject.capture, 'timeline', oneStackTerm(largest)) : null
  return summed(subject, 'detach_kept', { gainBytes, code: 'total += loss.item()', place })
}

/** What the device would have had to have free beside what it had; null where that is not known, or it had enough. */
function missingOnDevice({ deviceFreeBytes, segmentBytes }: Subject['situation']): number | null {
  if (deviceFreeBytes === null || segmentBytes === null || deviceFreeBytes >= segmentBytes) return null
  return segmentBytes - deviceFreeBytes
}

/** Of what is held and asked for: less is not worth a change of the loss. */
const leastLossShare = 0.2

/** A step that is too large: the loss is the part of it that is changed most easily. */
const lossCauses: readonly VerdictLabel[] = ['activation_residency', 'single_huge_allocation']

/** Whatever the verdict: where logits and loss are much of the memory, they need not lie there whole. */
function lossAdvice(subject: Subject): Advice[] {
  const { situation, capture } = subject
  const { allocatedBytes, requestedBytes } = situation
  const loss = stepMemoryOf(capture)?.loss
  if (!loss || allocatedBytes === null) return []
  const asked = loss.hasRequest ? (requestedBytes ?? 0) : 0
  const share = shareOf(loss.bytes + asked, allocatedBytes + (requestedBytes ?? 0))
  if (loss.bytes === 0 || share < leastLossShare) return []
  return [
    summed(subject, 'chunked_loss', {
      gainBytes: loss.bytes,
      // In eight parts, say.
      requestBytes: loss.hasRequest ? part(requestedBytes, 0.125) : requestedBytes,
      isMost: true,
      code: 'loss = LigerFusedLinearCrossEntropyLoss()(model.lm_head.weight, hidden_states.flatten(0, 1), labels.flatten())  # liger_kernel.transformers',
      words: { bytes: bytesWord(loss.bytes), share: formatPercent(shareOf(loss.bytes, allocatedBytes)) },
      place: placeAt(capture, 'flame'),
    }),
  ]
}

/** Growth that would fill a higher cap too: of stacks, and of all that is held at the quiet moments. Where that stays level, what is kept replaces what goes. */
function growsLasting({ capture }: Subject, grownBytes: number): boolean {
  const least = 0.1 * (capture?.reserved ?? 0)
  const level = capture?.quietAllocated ?? null
  return grownBytes > least && (level === null || (level.order > 0.5 && level.last - level.first > least))
}

/** Where the device could have given the segment, a cap is the nearest thing to change. */
function capAdvice({ situation }: Subject, isGrowing: boolean): Advice[] {
  const { facts, deviceFreeBytes, segmentBytes } = situation
  const hadRoom = deviceFreeBytes !== null && deviceFreeBytes > 0 && deviceFreeBytes >= (segmentBytes ?? 0)
  if (!facts.includes('cap_below_device') || !hadRoom) return []
  const words = { free: bytesWord(deviceFreeBytes), limit: limitWord(situation), segment: bytesWord(segmentBytes) }
  const code = 'torch.cuda.set_per_process_memory_fraction(1.0)'
  return [advice(isGrowing ? 'raise_cap_growing' : 'raise_cap', { code, words, isEnough: segmentBytes === null ? null : true })]
}

/** Advice for a verdict, the nearest at hand first; of a run that did not fail, none. */
export function adviceFor(label: VerdictLabel, subject: Subject): Advice[] {
  const { isFailure, reason } = subject.situation
  if (label === 'healthy' || !isFailure) return []
  // Where there was memory enough, a setting that is proved to avoid the failure helps whatever the cause; only what grows would go on to the next one.
  const extended = sumGrown(subject.capture?.growth.filter(({ kind }) => kind === 'larger') ?? [])
  // Where pieces are the cause, what grows is not.
  const isGrowing = label !== 'fragmentation' && growsLasting(subject, keptBytes(subject) + extended)
  const cap = capAdvice(subject, isGrowing)
  if (label === 'not_enough_evidence') return cap
  const settings =
    label !== 'fragmentation' && reason === 'no_contiguous_block' && !isGrowing && subject.capture?.outcomes ? settingsAdvice(subject) : []
  const loss = lossAdvice(subject)
  // The same change in other words.
  const own = byCause[label](subject).filter(({ id }) => id !== 'split_request' || loss.length === 0)
  const ordered = lossCauses.includes(label) ? [...loss, ...own] : [...own, ...loss]
  const proved = settings.filter(({ avoidsFailure }) => avoidsFailure === true).slice(0, 1)
  // Where memory grows, a higher cap only gives time: what stops the growth comes first.
  return isGrowing ? [...ordered, ...proved, ...cap] : [...cap, ...ordered, ...proved]
}
