// Where the real captures are, and what is known about each snapshot in them.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const corpusFolder = process.env.TIDEMARK_CORPUS ?? join(homedir(), '.cache', 'tidemark-corpus')

/** Numbers of torch.cuda.memory_stats() at the dump, by their PyTorch names. */
export type Stats = Readonly<Record<string, number>>

export interface CorpusSnapshot {
  /** group/case/file */
  readonly name: string
  readonly path: string
  readonly bytes: number
  /** By device; empty where the run noted none for this file. */
  readonly stats: ReadonlyMap<number, Stats>
}

/** Every snapshot of the corpus, in a fixed order; empty when the corpus is not here. */
export function corpusSnapshots(): CorpusSnapshot[] {
  if (!existsSync(corpusFolder)) return []
  const found: CorpusSnapshot[] = []
  for (const group of readdirSync(corpusFolder).sort()) {
    for (const name of readdirSync(join(corpusFolder, group)).sort()) {
      const folder = join(corpusFolder, group, name)
      if (statSync(folder).isDirectory()) found.push(...snapshotsIn(folder, `${group}/${name}`))
    }
  }
  return found
}

function snapshotsIn(folder: string, name: string): CorpusSnapshot[] {
  return readdirSync(folder)
    .filter((file) => /\.pickle$/.test(file) || file === 'segments_only.json')
    .sort()
    .map((file) => {
      const path = join(folder, file)
      return { name: `${name}/${file}`, path, bytes: statSync(path).size, stats: statsOf(folder, file) }
    })
}

function statsOf(folder: string, file: string): Map<number, Stats> {
  const rank = /^(rank\d+)\./.exec(file)?.[1]
  const truth = join(folder, rank === undefined ? 'truth.json' : `${rank}.truth.json`)
  if (!existsSync(truth)) return new Map()
  const { stats_at_dump: byFile = {}, stats: byDevice, end, rank: ofRank = 0 } = JSON.parse(readFileSync(truth, 'utf8')) as Truth
  if (byDevice !== undefined) return new Map(Object.entries(byDevice).map(([device, stats]) => [Number(device), stats]))
  if (end !== undefined) return new Map([[ofRank, end]])
  const stats = byFile[file]
  return stats === undefined ? new Map() : new Map([[0, stats]])
}

/** The three shapes that the runs left: by file (one device), by device (one file), of one rank (whose device has its number). */
interface Truth {
  readonly stats_at_dump?: Readonly<Record<string, Stats>>
  readonly stats?: Readonly<Record<string, Stats>>
  readonly end?: Stats
  readonly rank?: number
}

export interface LabelledRun {
  readonly name: string
  readonly label: string
  /** Every verdict that a careful reader could give first; empty where the run did not fail. */
  readonly accepts: readonly string[]
  readonly folder: string
}

/** The runs of a group of the corpus; none when it is not here. */
export function labelledRuns(group: 'oom' | 'healthy'): LabelledRun[] {
  const folder = join(corpusFolder, group)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'truth.json')))
    .sort()
    .map((name) => {
      const truth = JSON.parse(readFileSync(join(folder, name, 'truth.json'), 'utf8')) as { label?: string; accepts?: string[] }
      return { name, label: truth.label ?? group, accepts: truth.accepts ?? [], folder: join(folder, name) }
    })
}

/** The corpus file at group/case/file, or null when it is not here. */
export function corpusFile(name: string): string | null {
  const path = join(corpusFolder, name)
  return existsSync(path) ? path : null
}

/** Every Chrome trace of the corpus as [group/case/file, path], in a fixed order; empty when the corpus is not here. */
export function corpusTraces(): (readonly [string, string])[] {
  if (!existsSync(corpusFolder)) return []
  return readdirSync(corpusFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:^|[/\\.])trace\.json(?:\.gz)?$/.test(name))
    .sort()
    .map((name) => [name.replaceAll('\\', '/'), join(corpusFolder, name)] as const)
}
