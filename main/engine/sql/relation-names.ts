// The relations of the index contract by name: in which captures they have rows, and their arguments. Pure.
import type { CaptureKind } from '../../../preload/contract/capture.ts'

export interface NamedRelation {
  readonly name: string
  readonly of: readonly CaptureKind[]
  /** Of a table-valued one; all of them must be given. */
  readonly arguments: readonly string[]
}

/** What makes an example of arguments. */
const exampleOf: Readonly<Record<string, string>> = { device: '0', event: '100' }

const all: readonly CaptureKind[] = ['torch_snapshot', 'chrome_trace', 'stack_profile']
const withMemory: readonly CaptureKind[] = ['torch_snapshot', 'chrome_trace']
const ofSnapshots: readonly CaptureKind[] = ['torch_snapshot']
const ofTraces: readonly CaptureKind[] = ['chrome_trace']
const ofProfiles: readonly CaptureKind[] = ['stack_profile']

const named = (of: readonly CaptureKind[], texts: readonly string[]): NamedRelation[] =>
  texts.map((text) => {
    const [name = '', ...needs] = text.split(/\W+/).filter((word) => word !== '')
    return { name, of, arguments: needs }
  })

/** Those that most questions begin with first. */
export const namedRelations: readonly NamedRelation[] = [
  ...named(ofProfiles, ['profile_value', 'profile_value_type']),
  ...named(all, ['capture', 'finding']),
  ...named(withMemory, ['device', 'event', 'allocation', 'live_allocation(device, event)', 'allocation_category(device)']),
  ...named(withMemory, ['memory_curve', 'flame(device, event)']),
  ...named(all, ['stack', 'frame', 'stack_frame']),
  ...named(withMemory, ['stream', 'pool']),
  ...named(all, ['metadata']),
  ...named(ofSnapshots, ['segment', 'block', 'block_map(device, event)', 'segment_map(device, event)', 'reservation', 'oom']),
  ...named(withMemory, ['annotation']),
  ...named(ofTraces, ['process', 'track', 'lane', 'slice', 'instant', 'counter', 'flow', 'memory_event', 'trace_allocation']),
]

/** As it is written with its arguments. */
export const callOf = ({ name, arguments: needs }: NamedRelation): string => (needs.length === 0 ? name : `${name}(${needs.join(', ')})`)

/** A call that would be sound. */
export const exampleCallOf = ({ name, arguments: needs }: NamedRelation): string =>
  `${name}(${needs.map((need) => exampleOf[need]).join(', ')})`
