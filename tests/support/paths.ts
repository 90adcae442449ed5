// Folders that tests use.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Generated files go here; ignored by git. */
export const outFolder = join(root, 'tests', '.out')

export const sampleNames = ['ft_lora', 'oom', 'two_devices', 'trace_lora'] as const

/** A shipped real capture. */
export const samplePath = (name: (typeof sampleNames)[number]): string => join(root, 'resources', 'samples', `${name}.pickle`)

/** A shipped real Chrome trace; `trace_lora.pickle` beside it is the snapshot of the same run. */
export const traceSamplePath: string = join(root, 'resources', 'samples', 'trace_lora.json.gz')

/** A fresh folder under tests/.out and the function that removes it. */
export function scratchFolder(prefix: string): { readonly path: string; remove(): void } {
  mkdirSync(outFolder, { recursive: true })
  const path = mkdtempSync(join(outFolder, `${prefix}-`))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
