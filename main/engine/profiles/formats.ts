// Every format in which a flame graph can be written.
import type { ProfileFormat } from '../../../preload/contract/queries.ts'
import { d3FlameText } from './d3-flame.ts'
import { foldedText } from './folded.ts'
import { pprofBytes } from './pprof.ts'
import { speedscopeText } from './speedscope.ts'
import type { StackProfile } from './stack-profile.ts'

const encoded = (write: (profile: StackProfile) => string) => (profile: StackProfile) => new TextEncoder().encode(write(profile))

/** To add a format, add it here, in `profileFormatSchema` and in `profileExtensions`. */
export const profileWriters: Readonly<Record<ProfileFormat, (profile: StackProfile) => Uint8Array<ArrayBuffer>>> = {
  folded: encoded(foldedText),
  d3: encoded(d3FlameText),
  speedscope: encoded(speedscopeText),
  pprof: pprofBytes,
}
