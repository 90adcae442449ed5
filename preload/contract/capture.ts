// What the engine says about an opened capture. Bytes are bytes, times are nanoseconds since the capture's start, events are 0-based
// per device in file order; null = the file does not say.
import { z } from 'zod'

export const captureKindSchema = z.enum(['torch_snapshot', 'chrome_trace', 'stack_profile'])
export type CaptureKind = z.infer<typeof captureKindSchema>

/** Everything repaired, skipped, unknown or approximate. `code` is area/reason and has a text in every language. */
export const findingSchema = z.object({
  code: z.string(),
  severity: z.enum(['info', 'warning', 'error']),
  count: z.number(),
  firstAt: z.number().nullable(),
  message: z.string(),
})
export type Finding = z.infer<typeof findingSchema>

export const oomSchema = z.object({
  event: z.number(),
  timeNs: z.number().nullable(),
  sizeBytes: z.number(),
  deviceFreeBytes: z.number().nullable(),
})

export const deviceSummarySchema = z.object({
  device: z.number(), // −1 = the CPU, in traces
  deviceType: z.string(), // cuda, cpu, hip, …
  eventCount: z.number(),
  allocationCount: z.number(),
  neverFreedCount: z.number(),
  noStackCount: z.number(),
  firstTimeNs: z.number().nullable(),
  lastTimeNs: z.number().nullable(),
  reservedBytes: z.number(),
  allocatedBytes: z.number(),
  activeBytes: z.number(),
  requestedBytes: z.number(),
  inactiveSplitBytes: z.number(),
  largestFreeBytes: z.number(),
  peakAllocatedBytes: z.number(),
  peakEvent: z.number(), // −1 = before the first event
  peakTimeNs: z.number().nullable(),
  peakReservedBytes: z.number(),
  exact: z.boolean(),
  oomCount: z.number(),
  ooms: z.array(oomSchema), // the first 1,000 of the device
})
export type DeviceSummary = z.infer<typeof deviceSummarySchema>

/** What a Chrome trace holds besides memory. */
export const traceSummarySchema = z.object({
  processCount: z.number(),
  trackCount: z.number(),
  sliceCount: z.number(),
  instantCount: z.number(),
  seriesCount: z.number(), // of counters
})

/** One number that a profile gives for its stacks. */
export const profileValueTypeSchema = z.object({
  valueType: z.number(),
  name: z.string(), // '' where the format has no names
  unit: z.string(), // as the file has it: bytes, count, nanoseconds, …; '' = it does not say
  isDefault: z.boolean(),
  stackCount: z.number(), // with a value of it
  isSigned: z.boolean(), // some are negative: the profile compares two others
})
export type ProfileValueType = z.infer<typeof profileValueTypeSchema>

/** What a profile of another tool holds. */
export const profileSummarySchema = z.object({
  stackCount: z.number(),
  frameCount: z.number(),
  valueTypes: z.array(profileValueTypeSchema).min(1),
})

export const captureSummarySchema = z.object({
  captureId: z.string(),
  kind: captureKindSchema,
  sourceName: z.string(),
  sourceBytes: z.number(),
  formatDetail: z.string(),
  fingerprint: z.string(),
  fromCache: z.boolean(),
  indexBytes: z.number(),
  startUnixUs: z.number().nullable(),
  durationNs: z.number().nullable(),
  eventCount: z.number(),
  hasHistory: z.boolean(),
  hasBlocks: z.boolean(), // false: the file does not say where memory lies in segments (traces), so there is no layout and no fragmentation
  trace: traceSummarySchema.nullable(), // null = no trace
  profile: profileSummarySchema.nullable(), // null = no profile of another tool; a profile has no devices
  hasTimes: z.boolean(),
  devices: z.array(deviceSummarySchema),
  streams: z.array(z.string()), // raw handles as text, in order of first sight (the order of color slots)
  pools: z.array(z.string()), // "(0,0)" = default
  settings: z.record(z.string(), z.unknown()).nullable(), // allocator_settings
  findings: z.array(findingSchema),
})
export type CaptureSummary = z.infer<typeof captureSummarySchema>

/** The value type that a profile is shown by at first. Throws for a capture that is no profile. */
export function defaultValueType({ profile }: Pick<CaptureSummary, 'profile'>): ProfileValueType {
  const found = profile?.valueTypes.find(({ isDefault }) => isDefault) ?? profile?.valueTypes[0]
  if (!found) throw new Error('The capture is no profile.')
  return found
}

/** True for a snapshot and a trace, in either order: they may have recorded one run. */
export const areJoinable = (one: CaptureKind, other: CaptureKind): boolean =>
  one !== other && one !== 'stack_profile' && other !== 'stack_profile'

/** The device with the most events, the first of several, and the CPU only where nothing else has any: the one a user means when none is named. */
export function busiestDevice({ devices }: Pick<CaptureSummary, 'devices'>): DeviceSummary | undefined {
  const accelerators = devices.filter(({ device, eventCount }) => device >= 0 && eventCount > 0)
  const candidates = accelerators.length > 0 ? accelerators : devices
  return candidates.reduce<DeviceSummary | undefined>((best, each) => (best && best.eventCount >= each.eventCount ? best : each), undefined)
}

export const loadStages = ['recognise', 'read', 'replay', 'index', 'summarise'] as const
/** Progress of a running load. done/total in bytes of the file for `read`, else in the stage's own items; total 0 = not known. */
export const progressSchema = z.object({
  requestId: z.number(),
  stage: z.enum(loadStages),
  done: z.number(),
  total: z.number(),
  bytesPerSecond: z.number().nullable(),
})
export type LoadProgress = z.infer<typeof progressSchema>
