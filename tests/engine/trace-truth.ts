// What the shipped trace holds, read by JSON.parse: a slow reference for the engine's answers.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { traceSamplePath } from '../support/paths.ts'

const eventSchema = z.object({
  ph: z.string(),
  name: z.string(),
  cat: z.string().optional(),
  pid: z.union([z.number(), z.string()]).optional(),
  tid: z.union([z.number(), z.string()]).optional(),
  ts: z.number().optional(),
  dur: z.number().optional(),
  args: z.record(z.string(), z.unknown()).optional(),
})
export type TraceEvent = z.infer<typeof eventSchema>

export const traceEvents: readonly TraceEvent[] = z
  .object({ traceEvents: z.array(eventSchema) })
  .parse(JSON.parse(gunzipSync(readFileSync(traceSamplePath)).toString())).traceEvents

export const sliceEvents = traceEvents.filter(({ ph }) => ph === 'X')

const memorySchema = z.object({
  Bytes: z.number(),
  Addr: z.number(),
  'Device Type': z.number(),
  'Device Id': z.number(),
  'Total Allocated': z.number(),
  'Total Reserved': z.number(),
})

/** The memory events of the GPU (device type 1) or of the CPU (0), in order of time. */
export const memoryEvents = (deviceType: 0 | 1) =>
  traceEvents
    .filter(({ name }) => name === '[memory]')
    .sort((a, b) => (a.ts ?? 0) - (b.ts ?? 0))
    .map(({ args }) => memorySchema.parse(args))
    .filter((memory) => memory['Device Type'] === deviceType)

/** Items by a key, how many of each. */
export function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}
