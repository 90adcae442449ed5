// Which files of a folder are of one run, by their names: `a.pickle`, `a.error.txt` and `a.metrics.jsonl` are, and `metrics.jsonl` is of all.
import type { LogFailure } from './log-text.ts'

/** Words of a name that say what a file is, not of which run. */
const roleWords = new Set(
  (
    'snapshot snapshots memory mem oom dump pickle pkl pt gz json jsonl tidemark txt log logs out err md ' +
    'metrics error errors message stderr stdout console output truth result results history stats train training run job'
  ).split(' '),
)
const rankWord = /^rank\d*$/

/** The words of a file's name that name its run, in order; empty where none do. */
function runOf(file: string): string {
  const name = file.split(/[/\\]/).at(-1) ?? ''
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const at = words.findIndex((word) => rankWord.test(word))
  const isRankNumber = (word: string, place: number): boolean => place === at + 1 && words[at] === 'rank' && /^\d+$/.test(word)
  return words.filter((word, place) => word !== '' && !roleWords.has(word) && !rankWord.test(word) && !isRankNumber(word, place)).join(' ')
}

export interface Paired<T> {
  /** Of the file's run, by their names. */
  readonly own: readonly T[]
  /** The same, or where there are none, those that are of no other file's run. */
  readonly all: readonly T[]
}

/** Tells for a file which of `items` are of its run. files: those of the folder, whose runs keep what has their name. */
export function pairing<T extends { readonly file: string }>(items: readonly T[], files: readonly string[]): (file: string) => Paired<T> {
  const byRun = new Map<string, T[]>()
  for (const item of items) {
    const run = runOf(item.file)
    const known = byRun.get(run)
    if (known) known.push(item)
    else byRun.set(run, [item])
  }
  const named = new Set(files.map(runOf))
  const shared = items.filter(({ file }) => {
    const run = runOf(file)
    return run === '' || !named.has(run)
  })
  return (file) => {
    const run = runOf(file)
    const own = run === '' ? [] : (byRun.get(run) ?? [])
    return { own, all: own.length > 0 ? own : shared }
  }
}

interface Told {
  readonly file: string
  readonly failure: LogFailure
}

/** Of failures that several files of a run tell of, with the same amounts and of ranks that may be the same, the first. */
export function withoutRepeats<T extends Told>(told: readonly T[]): T[] {
  const seen = new Map<string, Map<number | null, string>>()
  return told.filter(({ file, failure }) => {
    const amounts = amountsOf(failure)
    if (amounts === null) return true
    const key = `${runOf(file)} ${amounts}`
    const fileByRank = seen.get(key) ?? new Map<number | null, string>()
    seen.set(key, fileByRank)
    const { rank } = failure
    const before = fileByRank.get(rank) ?? (rank === null ? fileByRank.values().next().value : fileByRank.get(null))
    if (before !== undefined && before !== file) return false
    fileByRank.set(rank, file)
    return true
  })
}

/** Null for a message without amounts, which is like any other. */
function amountsOf({ kind, gpu, requested, free, allocated, unallocated, process, others }: LogFailure): string | null {
  const amounts = [requested, free, allocated, unallocated, process]
  if (amounts.filter((amount) => amount !== null).length < 3) return null
  return JSON.stringify([kind, gpu, amounts.map((amount) => amount?.bytes), others.map(({ inUse }) => inUse.bytes)])
}
