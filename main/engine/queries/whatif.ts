// The allocator's answer to the recorded requests under other settings.
import { ok } from '../../../preload/contract/errors.ts'
import { whatIfSchema } from '../../../preload/contract/queries.ts'
import { jsonOf } from './native-answers.ts'
import type { QueryHandler } from './query.ts'

export const whatIfRun: QueryHandler<'whatif.run'> = async (capture, { device, settings, capacityBytes }) => {
  const answer = await jsonOf(capture, 'SELECT what_if(?, ?, ?) AS answer', [device, settings, capacityBytes])
  return answer.ok ? ok(whatIfSchema.parse(answer.value)) : answer
}
