// Every plain fact with its state: it holds, it does not, or the sources cannot tell.
import { formatBytesRange, formatCount } from '../../../preload/contract/format.ts'
import { type DiagnosisSituation, type FactCode, factCodes } from '../../../preload/contract/queries.ts'
import { bytesWord } from './score.ts'
import { hadRoom, type Situation } from './situation.ts'
import type { Subject, Texts } from './types.ts'
import { type SentenceId, say } from './words.ts'

type FactState = DiagnosisSituation['facts'][number]

const amountOf = (...parts: readonly (number | null)[]): number => parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)

const mib = 1024 ** 2
const inMib = (bytes: number): string => `${formatCount(Math.floor(bytes / mib))}.${Math.floor(((bytes % mib) * 10) / mib)}\u00a0MiB`
const exact = (bytes: number): string => `${formatCount(bytes)} B`

/** Two amounts that differ and read the same are told more finely: in tenths of a MiB, else to the byte. */
function apart(a: number, b: number | null): readonly [string, string] {
  if (b === null || a === b || bytesWord(a) !== bytesWord(b)) return [bytesWord(a), bytesWord(b)]
  const [one, other] = [inMib(a), inMib(b)]
  return one === other ? [exact(a), exact(b)] : [one, other]
}

function words(situation: Situation) {
  const held = amountOf(situation.allocatedBytes, situation.requestedBytes)
  const [sum, most] = apart(held, situation.limitAtLeastBytes ?? situation.limitBytes)
  return {
    allocated: bytesWord(situation.allocatedBytes),
    request: bytesWord(situation.requestedBytes),
    sum,
    segment: bytesWord(situation.segmentBytes),
    limit: limitWord(situation),
    most,
    ...limitsOf(situation),
    reserved: bytesWord(situation.reservedBytes),
    free: bytesWord(situation.freeBytes),
    largest: bytesWord(situation.largestFreeBytes),
    outside: bytesWord(situation.outsideBytes),
    deviceFree: bytesWord(situation.deviceFreeBytes),
    count: formatCount(situation.retryCount ?? 0),
    noted: formatCount(situation.notedRetryCount ?? 0),
    event: formatCount(situation.firstRetryEvent ?? 0),
    step: formatCount(situation.firstRetryStep ?? 0),
  }
}

function limitsOf({ limitAtLeastBytes, limitBelowBytes }: Situation) {
  const unitOf = (text: string): string | undefined => text.split('\u00a0').at(-1)
  const usual = apart(limitAtLeastBytes ?? 0, limitBelowBytes)
  const isOneUnit = limitBelowBytes === null || unitOf(usual[0]) === unitOf(usual[1])
  const [atLeast, below] = isOneUnit ? usual : [inMib(limitAtLeastBytes ?? 0), inMib(limitBelowBytes)]
  return { atLeast, below }
}

/** The limit as it is known: an amount, or a range. */
export function limitWord({ limitBytes, limitAtLeastBytes, limitBelowBytes }: Situation): string {
  if (limitAtLeastBytes === null || limitBelowBytes === null) return bytesWord(limitBytes)
  return formatBytesRange(limitAtLeastBytes, limitBelowBytes)
}

/** What was held and asked for is more than the program surely could reserve: otherwise it was refused for another reason. */
const isBeyond = (situation: Situation): boolean => {
  const most = situation.isLimitKnown ? situation.limitBytes : situation.limitAtLeastBytes
  return most !== null && amountOf(situation.allocatedBytes, situation.segmentBytes ?? situation.requestedBytes) > most
}

/** The sentence of a fact, by what is known of the numbers in it. */
const sentenceOf = (code: FactCode, situation: Situation): SentenceId => {
  const { isLimitKnown, allowedBytes } = situation
  if (code === 'exhausted') return isLimitKnown ? 'exhausted' : isBeyond(situation) ? 'exhausted_reserved' : 'exhausted_elsewhere'
  if (code === 'cap_below_device' && hadRoom(situation)) return allowedBytes === null ? 'cap_refused' : 'cap_named'
  return code === 'retried' ? retriedSentence(situation) : code
}

/** Metrics end with the last whole step, the history with the failure: where they count differently, both are told. */
function retriedSentence({ firstRetryEvent, firstRetryStep, retryCount, notedRetryCount }: Situation): SentenceId {
  if (firstRetryEvent === null) return firstRetryStep === null ? 'retried' : 'retried_step'
  return notedRetryCount !== null && notedRetryCount < (retryCount ?? 0) ? 'retried_since' : 'retried_event'
}

/** The sentence of a fact that holds, its numbers filled in. */
export const factText = (code: FactCode, situation: Situation): Texts => say(sentenceOf(code, situation), words(situation))

/** All facts, in the order in which they are told. */
export const factStates = (subject: Subject): FactState[] => factCodes.map((code) => stateOf(code, subject))

function stateOf(code: FactCode, subject: Subject): FactState {
  const { situation } = subject
  // What was reserved once would have held it all: that memory was used up is then not proved.
  const isUnproved = code === 'exhausted' && !situation.isLimitKnown && !isBeyond(situation)
  if (situation.facts.includes(code)) return { code, holds: isUnproved ? null : true, text: factText(code, situation) }
  if (!canTell[code](subject)) return { code, holds: null, text: say(`unknown_${code}`) }
  // What a request met is no question where none failed; how far the history reaches is one all the same.
  const isIdle = !situation.isFailure && code !== 'history_too_short' && code !== 'retried'
  return { code, holds: false, text: isIdle ? say('not_failed') : say(notSentence(code, situation), words(situation)) }
}

/** A device that still had room was not taken by others; else what they held is little. */
const notSentence = (code: FactCode, situation: Situation): SentenceId =>
  code === 'outside_pytorch' && hadRoom(situation) ? 'not_outside_had_room' : `not_${code}`

const knowsReason = ({ situation }: Subject): boolean => !situation.isFailure || situation.reason !== 'unknown'
const knowsRequest = ({ situation, capture }: Subject): boolean => !situation.isFailure || (capture?.request ?? null) !== null

/** Whether the sources decide that a fact does not hold. */
const canTell: Readonly<Record<FactCode, (subject: Subject) => boolean>> = {
  exhausted: knowsReason,
  no_contiguous_block: knowsReason,
  outside_pytorch: ({ situation }) => !situation.isFailure || situation.outsideBytes !== null || hadRoom(situation),
  pending_frees: knowsRequest,
  other_stream: knowsRequest,
  other_pool: knowsRequest,
  cap_below_device: ({ situation: { isFailure, allowedBytes, deviceTotalBytes, deviceFreeBytes } }) =>
    !isFailure || (allowedBytes !== null && deviceTotalBytes !== null) || deviceFreeBytes !== null,
  retried: ({ situation }) => situation.retryCount !== null,
  history_too_short: ({ capture }) => capture !== null,
}
