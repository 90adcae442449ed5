// Statistics of an area of a trace: tracks × a stretch of time.
import { ok } from '../../../preload/contract/errors.ts'
import { traceSelectionSchema } from '../../../preload/contract/queries.ts'
import { jsonOf } from './native-answers.ts'
import type { QueryHandler } from './query.ts'
import { memoryBetween } from './trace-memory.ts'

const nativeSelectionSchema = traceSelectionSchema.omit({ memory: true })

export const traceSelection: QueryHandler<'trace.selection'> = async (capture, { tracks, fromNs, toNs, by, limit }) => {
  const parameters = [JSON.stringify(tracks), fromNs, toNs, by, limit]
  const answer = await jsonOf(capture, 'SELECT trace_selection(?, ?, ?, ?, ?) AS answer', parameters)
  if (!answer.ok) return answer
  const memory = await memoryBetween(capture, fromNs, toNs)
  return memory.ok ? ok({ ...nativeSelectionSchema.parse(answer.value), memory: memory.value }) : memory
}
