// Answers about a moment, next to a picture that may be of another one.
import { type BlocksData, type Moment, sameMoment, useBlocksData } from './blocks-data.ts'

/** An answer and whether it belongs to the picture. */
export interface OfMoment<T> {
  readonly value: T | undefined
  readonly isPending: boolean // of another moment than the picture's
}

/** What an answer is to a picture: that of another device is left out, that of another event waits for the right one. */
export function ofMoment<T extends Moment>(answer: T | undefined, picture: Moment | undefined): OfMoment<T> {
  return { value: answer?.device === picture?.device ? answer : undefined, isPending: answer !== undefined && !sameMoment(answer, picture) }
}

/** `ofMoment` of one of the engine's answers, in React. */
export function useOfMoment<T extends Moment>(captureId: string, pick: (data: BlocksData) => T | undefined): OfMoment<T> {
  const picture = useBlocksData(captureId, (data) => data.picture)
  return ofMoment(useBlocksData(captureId, pick), picture)
}
