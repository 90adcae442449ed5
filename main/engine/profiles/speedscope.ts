// speedscope: one sampled profile, stacks as places in a shared list of frames. It knows no negative weights: of two moments the second.
import type { ProfileFrame, StackProfile } from './stack-profile.ts'

const knownUnits = ['bytes', 'nanoseconds', 'microseconds', 'milliseconds', 'seconds']

/** Identifies the format; nothing is fetched from there. */
const schema = 'https://www.speedscope.app/file-format-schema.json'

export function speedscopeText({ name, unit, samples }: StackProfile): string {
  const frames: { name: string; file?: string; line?: number }[] = []
  const places = new Map<string, number>()
  const placeOf = (frame: ProfileFrame): number => {
    const key = JSON.stringify([frame.name, frame.filename, frame.line])
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, frames.length)
    const line = frame.line > 0 ? { line: frame.line } : {}
    return frames.push(frame.filename === '' ? { name: frame.name } : { name: frame.name, file: frame.filename, ...line }) - 1
  }
  const weighty = samples.filter(({ value }) => value > 0)
  const weights = weighty.map(({ value }) => value)
  const stacks = weighty.map((sample) => sample.frames.map(placeOf))
  const endValue = weights.reduce((sum, weight) => sum + weight, 0)
  const profile = {
    type: 'sampled',
    name,
    unit: knownUnits.includes(unit) ? unit : 'none',
    startValue: 0,
    endValue,
    samples: stacks,
    weights,
  }
  return JSON.stringify({ $schema: schema, shared: { frames }, profiles: [profile], name, activeProfileIndex: 0, exporter: 'tidemark' })
}
