// Every plain fact with its state: it holds, it does not, or the sources cannot tell.
import { formatCount } from '../../../preload/contract/format.ts'
import { type DiagnosisSituation, type FactCode, factCodes } from '../../../preload/contract/queries.ts'
import { limitWord, limitWords, neededWords } from './limit-words.ts'
import { isSegmentRefused, isShort, takenOf, usableOf } from './reason.ts'
import { bytesWord } from './score.ts'
import { hadRoom, type Situation } from './situation.ts'
import type { Subject, Texts } from './types.ts'
import { type SentenceId, say, sayWith } from './words.ts'

type FactState = DiagnosisSituation['facts'][number]
type Holds = FactState['holds']

function words(situation: Situation) {
  const { reservedBytes, reach, outsideBytes, ownOutsideBytes } = situation
  const room = reach && reservedBytes !== null ? Math.max(0, reach.atLeast - reservedBytes) : null
  return {
    request: bytesWord(situation.requestedBytes),
    segment: bytesWord(situation.segmentBytes),
    limit: limitWord(situation),
    ...limitWords(situation),
    reserved: bytesWord(reservedBytes),
    free: bytesWord(situation.freeBytes),
    room: bytesWord(room),
    largest: bytesWord(situation.largestFreeBytes),
    outside: bytesWord(outsideBytes),
    own: bytesWord(ownOutsideBytes),
    others: bytesWord(outsideBytes === null ? null : outsideBytes - (ownOutsideBytes ?? 0)),
    deviceFree: bytesWord(situation.deviceFreeBytes),
    count: formatCount(situation.retryCount ?? 0),
    noted: formatCount(situation.notedRetryCount ?? 0),
    event: formatCount(situation.firstRetryEvent ?? 0),
    step: formatCount(situation.firstRetryStep ?? 0),
  }
}

/** A request that fails had been tried again too, and the allocator counts that. Metrics end before it, and a short history begins after others. */
function retriesInAll({ isFailure, allRetryCount, firstRetryEvent, facts }: Situation): Texts {
  const isWhole = firstRetryEvent !== null && !facts.includes('history_too_short')
  const id = !isFailure ? 'retries_as_counted' : isWhole ? 'retries_in_all' : 'retries_at_least'
  return say(id, { count: formatCount(allRetryCount ?? 0) })
}

function told(id: SentenceId, situation: Situation): Texts {
  const needed = neededWords(situation)
  return sayWith(id, { ...needed.texts, inAll: retriesInAll(situation) }, { ...words(situation), ...needed.words })
}

/** The sentence of a fact that holds, by what is known of the numbers in it. */
function sentenceOf(code: FactCode, situation: Situation): SentenceId {
  const { allowedBytes, largestFreeBytes } = situation
  if (code === 'exhausted') return neededWords(situation).exhausted
  if (code === 'outside_pytorch') return outsideSentence(situation)
  if (code === 'no_contiguous_block' && largestFreeBytes === null) return 'no_contiguous_told'
  if (code === 'segment_refused' && allowedBytes === null && !isDeviceFull(situation)) return 'segment_refused_range'
  if (code === 'cap_below_device' && hadRoom(situation)) return allowedBytes === null ? 'cap_refused' : 'cap_named'
  return code === 'retried' ? retriedSentence(situation) : code
}

const isDeviceFull = ({ deviceFreeBytes, segmentBytes }: Situation): boolean => isShort(deviceFreeBytes, segmentBytes)

/** Of what is held outside, a tenth that others or this process hold is worth a word. */
const leastPart = 0.1

function outsideSentence({ outsideBytes, ownOutsideBytes }: Situation): SentenceId {
  if (ownOutsideBytes === null || outsideBytes === null) return 'outside_pytorch'
  if (ownOutsideBytes < leastPart * outsideBytes) return 'outside_others'
  return ownOutsideBytes > (1 - leastPart) * outsideBytes ? 'outside_own' : 'outside_both'
}

/** Metrics end with the last whole step, the history with the failure: where they count differently, both are told. */
function retriedSentence({ firstRetryEvent, firstRetryStep, retryCount, notedRetryCount }: Situation): SentenceId {
  if (firstRetryEvent === null) return firstRetryStep === null ? 'retried' : 'retried_step'
  return notedRetryCount !== null && notedRetryCount < (retryCount ?? 0) ? 'retried_since' : 'retried_event'
}

/** The sentence of a fact that holds, its numbers filled in. */
export const factText = (code: FactCode, situation: Situation): Texts => told(sentenceOf(code, situation), situation)

/** All facts, in the order in which they are told. */
export const factStates = (subject: Subject): FactState[] => factCodes.map((code) => stateOf(code, subject))

function stateOf(code: FactCode, subject: Subject): FactState {
  const { situation } = subject
  if (situation.facts.includes(code)) return { code, holds: true, text: factText(code, situation) }
  if (!isRefuted[code](subject)) return { code, holds: null, text: told(unknownSentence(code, situation), situation) }
  // What a request met is no question where none failed; how far the history reaches is one all the same.
  const isIdle = !situation.isFailure && code !== 'history_too_short' && code !== 'retried'
  return { code, holds: false, text: isIdle ? say('not_failed') : told(notSentence(code, situation), situation) }
}

function notSentence(code: FactCode, situation: Situation): SentenceId {
  const { largestFreeBytes, requestedBytes } = situation
  if (code === 'exhausted' && situation.provedReason === 'outside_pytorch') return 'not_exhausted_outside'
  // A device that still had room was not taken by others; else what they held is little.
  if (code === 'outside_pytorch' && hadRoom(situation)) return 'not_outside_had_room'
  if (code === 'no_contiguous_block' && (largestFreeBytes ?? 0) >= (requestedBytes ?? 0)) return 'not_no_contiguous_kept'
  if (code === 'segment_refused' && isEnoughFree(situation)) return 'not_segment_needed'
  return `not_${code}`
}

function unknownSentence(code: FactCode, situation: Situation): SentenceId {
  const { reach, requestedBytes, allocatedBytes } = situation
  if (code !== 'exhausted' || !reach || requestedBytes === null || allocatedBytes === null) return `unknown_${code}`
  if (isDeviceFull(situation) && situation.deviceTotalBytes === null) return 'unknown_exhausted_device'
  return situation.isLimitKnown ? 'unknown_exhausted_rounded' : 'unknown_exhausted_range'
}

/** Held and asked for against what could be reserved: true = beyond, false = below, null = not known. */
function isBeyond({ situation }: Subject): Holds {
  const { requestedBytes, reach } = situation
  const taken = takenOf(situation)
  if (taken === null || requestedBytes === null || !reach) return null
  const needed = taken + requestedBytes
  return needed >= reach.below ? true : isSegmentRefused(situation) ? false : null
}

const isEnoughFree = (situation: Situation): boolean =>
  situation.requestedBytes !== null && (usableOf(situation) ?? -1) >= situation.requestedBytes

const knowsRequest = ({ situation, capture }: Subject): boolean => !situation.isFailure || (capture?.request ?? null) !== null

/** Whether the sources decide that a fact does not hold, where it is not known to. */
const isRefuted: Readonly<Record<FactCode, (subject: Subject) => boolean>> = {
  exhausted: (subject) =>
    !subject.situation.isFailure ||
    subject.situation.provedReason === 'outside_pytorch' ||
    isEnoughFree(subject.situation) ||
    isBeyond(subject) === false,
  no_contiguous_block: ({ situation }) => !situation.isFailure || (usableOf(situation) !== null && situation.requestedBytes !== null),
  segment_refused: (subject) => !subject.situation.isFailure || isEnoughFree(subject.situation) || isBeyond(subject) === true,
  outside_pytorch: ({ situation }) => !situation.isFailure || situation.outsideBytes !== null || hadRoom(situation),
  pending_frees: knowsRequest,
  other_stream: knowsRequest,
  other_pool: knowsRequest,
  cap_below_device: ({ situation: { isFailure, allowedBytes, deviceTotalBytes, deviceFreeBytes } }) =>
    !isFailure || (allowedBytes !== null && deviceTotalBytes !== null) || deviceFreeBytes !== null,
  retried: ({ situation }) => situation.retryCount !== null,
  history_too_short: ({ capture }) => capture !== null,
}
