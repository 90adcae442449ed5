// Files for the window: shipped samples, copies under odd names, a capture that takes a while, and files that are no captures.
import { copyFileSync, existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { writeLongHistory } from '../engine/long-history.ts'
import { randomFrom } from '../fixtures/damage.ts'
import { hostiles } from '../fixtures/hostile.ts'
import { corpusFile } from '../support/corpus.ts'

/** The app's folder: Playwright runs there. Not from support/paths.ts, whose import.meta its loader does not take. */
export const root = process.cwd()
export const outFolder = join(root, 'tests', '.out')

/** A shipped real capture. */
export const samplePath = (name: 'ft_lora' | 'oom' | 'two_devices'): string => join(root, 'resources', 'samples', `${name}.pickle`)

/** ft_lora's numbers by torch.cuda.memory_stats(). */
export const ftLora = { peakBytes: 1_234_779_648, peakEvent: 2480, peakReservedBytes: 1_505_755_136 } as const

export interface Scratch {
  readonly path: string
  /** Writes a file and answers its path. */
  write(name: string, bytes: Uint8Array | string): string
  /** Copies a file under a new name, which may hold folders, and answers its path. */
  copy(from: string, name: string): string
  /** Gives a file a second name: the same file to the system. */
  link(from: string, name: string): string
  /** Text of a file of the folder; empty while it is not there. */
  read(name: string): string
  /** Deletes one file. */
  discard(path: string): void
  /** Deletes everything. */
  remove(): void
}

/** A fresh folder under tests/.out, made at its first use: Playwright also loads test files only to list them. */
export function scratchFolder(): Scratch {
  let made: string | undefined
  const folder = (): string => {
    mkdirSync(outFolder, { recursive: true })
    made ??= mkdtempSync(join(outFolder, 'files-'))
    return made
  }
  const place = (name: string): string => {
    const target = join(folder(), name)
    mkdirSync(join(target, '..'), { recursive: true })
    return target
  }
  return {
    get path() {
      return folder()
    },
    write: (name, bytes) => {
      const target = place(name)
      writeFileSync(target, bytes)
      return target
    },
    copy: (from, name) => {
      const target = place(name)
      copyFileSync(from, target)
      return target
    },
    link: (from, name) => {
      const target = place(name)
      linkSync(from, target)
      return target
    },
    read: (name) => (existsSync(join(folder(), name)) ? readFileSync(join(folder(), name), 'utf8') : ''),
    discard: (each) => rmSync(each),
    remove: () => {
      if (made !== undefined) rmSync(made, { recursive: true, force: true })
    },
  }
}

const generatedPairs = 600_000

export interface LargeCapture {
  readonly path: string
  readonly name: string
}

/** A capture whose load can be watched: the corpus' 345 MB one, else a generated one of about the same size, kept for the next run. */
export function largeCapture(): LargeCapture {
  const real = corpusFile('large/big_snapshot/snapshot.pickle')
  if (real !== null) return { path: real, name: basename(real) }
  const path = join(outFolder, 'captures', `long-history-${generatedPairs}.json`)
  if (!existsSync(path)) {
    mkdirSync(join(path, '..'), { recursive: true })
    writeLongHistory(path, generatedPairs)
  }
  return { path, name: basename(path) }
}

/** Bytes that begin like none of the formats. */
export function randomBytes(count: number): Buffer {
  const random = randomFrom(7)
  return Buffer.from(Array.from({ length: count }, (_, index) => (index === 0 ? 0xf1 : Math.floor(random() * 256))))
}

/** A pickle that imports a function and calls it. */
export function pickleWithReduce(): Buffer {
  const found = hostiles.find(({ name }) => name === 'global_and_reduce')
  if (!found) throw new Error('the fixture is gone')
  return found.bytes()
}

/** The first bytes of ft_lora: the pickle ends in the middle. */
export const truncatedPickle = (bytes: number): Buffer => readFileSync(samplePath('ft_lora')).subarray(0, bytes)
