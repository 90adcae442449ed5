// Whether an output is older than what it is made from.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Time of the newest file at or under `path` in milliseconds; 0 when there is none. */
export function newestUnder(path, accept = () => true) {
  let info
  try {
    info = statSync(path)
  } catch {
    return 0
  }
  if (!info.isDirectory()) return accept(path) ? info.mtimeMs : 0
  let newest = 0
  for (const name of readdirSync(path)) newest = Math.max(newest, newestUnder(join(path, name), accept))
  return newest
}

/** True when `output` does not exist or some input is newer. */
export function isStale(output, inputs, accept) {
  const made = newestUnder(output)
  return made === 0 || inputs.some((input) => newestUnder(input, accept) > made)
}
