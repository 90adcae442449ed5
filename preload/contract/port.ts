// The envelope on the MessagePort between window (or main) and engine. Structured clone, no transfer lists (Electron's ports lose
// such messages). Answers stay below 1 MB where the question allows it. Views ask latest-wins: they cancel the older id.
import { z } from 'zod'
import { progressSchema } from './capture.ts'
import { failureSchema } from './errors.ts'

export const toEngineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('call'), id: z.number(), method: z.string(), input: z.unknown() }),
  z.object({ type: z.literal('cancel'), id: z.number() }),
])
export type ToEngine = z.infer<typeof toEngineSchema>

export const fromEngineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('answer'), id: z.number(), ok: z.literal(true), value: z.unknown() }),
  z.object({ type: z.literal('failure'), id: z.number(), ok: z.literal(false), error: failureSchema }),
  z.object({ type: z.literal('progress'), progress: progressSchema }),
])
export type FromEngine = z.infer<typeof fromEngineSchema>
