// Every plain fact with its state: it holds, it does not, or the sources cannot tell.
import { type DiagnosisSituation, type FactCode, factCodes } from '../../../preload/contract/queries.ts'
import { bytesWord } from './score.ts'
import type { Situation } from './situation.ts'
import type { Subject, Texts } from './types.ts'
import { say } from './words.ts'

type FactState = DiagnosisSituation['facts'][number]

const words = (situation: Situation) => ({
  allocated: bytesWord(situation.allocatedBytes),
  request: bytesWord(situation.requestedBytes),
  limit: bytesWord(situation.limitBytes),
  free: bytesWord(situation.freeBytes),
  largest: bytesWord(situation.largestFreeBytes),
  outside: bytesWord(situation.outsideBytes),
})

/** The sentence of a fact that holds, its numbers filled in. */
export const factText = (code: FactCode, situation: Situation): Texts =>
  say(code === 'exhausted' && !situation.isLimitKnown ? 'exhausted_reserved' : code, words(situation))

/** All facts, in the order in which they are told. */
export const factStates = (subject: Subject): FactState[] => factCodes.map((code) => stateOf(code, subject))

function stateOf(code: FactCode, subject: Subject): FactState {
  const { situation } = subject
  if (situation.facts.includes(code)) return { code, holds: true, text: factText(code, situation) }
  if (!canTell[code](subject)) return { code, holds: null, text: say(`unknown_${code}`) }
  // What a request met is no question where none failed; how far the history reaches is one all the same.
  const isIdle = !situation.isFailure && code !== 'history_too_short'
  return { code, holds: false, text: isIdle ? say('not_failed') : say(`not_${code}`, words(situation)) }
}

const knowsReason = ({ situation }: Subject): boolean => !situation.isFailure || situation.reason !== 'unknown'
const knowsRequest = ({ situation, capture }: Subject): boolean => !situation.isFailure || (capture?.request ?? null) !== null

/** Whether the sources decide that a fact does not hold. */
const canTell: Readonly<Record<FactCode, (subject: Subject) => boolean>> = {
  exhausted: knowsReason,
  no_contiguous_block: knowsReason,
  outside_pytorch: ({ situation }) => !situation.isFailure || situation.outsideBytes !== null,
  pending_frees: knowsRequest,
  other_stream: knowsRequest,
  other_pool: knowsRequest,
  cap_below_device: ({ situation: { isFailure, allowedBytes, deviceTotalBytes, deviceFreeBytes } }) =>
    !isFailure || (allowedBytes !== null && deviceTotalBytes !== null) || deviceFreeBytes !== null,
  history_too_short: ({ capture }) => capture !== null,
}
