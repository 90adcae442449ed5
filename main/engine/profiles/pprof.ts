// pprof: profile.proto, gzipped. Samples name their locations leaf first; of two moments the value is the difference, which may be negative.
import { gzipSync } from 'node:zlib'
import { Line, Location, Function as PprofFunction, Profile, Sample, StringTable, ValueType } from 'pprof-format'
import type { ProfileFrame, StackProfile } from './stack-profile.ts'

/** Functions and locations by what they say; their ids begin with 1. */
class PprofTables {
  readonly strings = new StringTable()
  readonly functions: PprofFunction[] = []
  readonly locations: Location[] = []
  readonly #functionIds = new Map<string, number>()
  readonly #locationIds = new Map<string, number>()

  locationOf(frame: ProfileFrame): number {
    const functionId = this.#functionOf(frame)
    const key = `${functionId}:${frame.line}`
    const known = this.#locationIds.get(key)
    if (known !== undefined) return known
    const id = this.locations.length + 1
    this.locations.push(new Location({ id, line: [new Line({ functionId, line: Math.max(0, frame.line) })] }))
    this.#locationIds.set(key, id)
    return id
  }

  #functionOf({ name, filename }: ProfileFrame): number {
    const key = JSON.stringify([name, filename])
    const known = this.#functionIds.get(key)
    if (known !== undefined) return known
    const id = this.functions.length + 1
    const text = this.strings.dedup(name)
    this.functions.push(new PprofFunction({ id, name: text, systemName: text, filename: this.strings.dedup(filename) }))
    this.#functionIds.set(key, id)
    return id
  }
}

export function pprofBytes({ name, unit, type, samples, isDifference, isInverted }: StackProfile): Uint8Array<ArrayBuffer> {
  const tables = new PprofTables()
  const { strings } = tables
  // Values of pprof are whole.
  const whole = samples.map(({ frames, value, base }) => ({ frames, value: Math.round(value), base: Math.round(base) }))
  const weighty = whole.filter(({ value, base }) => value !== (isDifference ? base : 0))
  const sample = weighty.map(({ frames, value, base }) => {
    const locations = frames.map((frame) => tables.locationOf(frame))
    return new Sample({
      locationId: isInverted ? locations : locations.reverse(),
      value: [value - (isDifference ? base : 0)],
    })
  })
  const profile = new Profile({
    stringTable: strings,
    sampleType: [new ValueType({ type: strings.dedup(type), unit: strings.dedup(unit) })],
    sample,
    location: tables.locations,
    function: tables.functions,
    comment: [strings.dedup(name)],
  })
  return new Uint8Array(gzipSync(profile.encode()))
}
