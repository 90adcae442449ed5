// `tidemark index`: builds the index of a capture and says where it is.
import { stat } from 'node:fs/promises'
import { join, parse, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Failure, ok, type Result } from '../../preload/contract/errors.ts'
import type { BuildOptions } from '../engine/index-builder.ts'
import { isDatabase } from '../engine/index-check.ts'
import { reportFailure } from './failure.ts'
import { type Session, startSession, withProgress } from './session.ts'
import { UsageError } from './usage.ts'

/** Builds an index (in the cache, or where -o says) and prints its path. Answers the exit status. */
export async function index(words: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      output: { type: 'string', short: 'o' },
      json: { type: 'boolean', default: false },
      'copy-args': { type: 'boolean', default: false },
    },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('index wants one FILE')
  const copyArgs = values['copy-args']
  if (copyArgs && values.output === undefined) throw new UsageError('--copy-args wants -o OUT: an index in the cache has its trace at hand')
  if (values.output !== undefined) await refuseLoss(values.output, file)
  const session = startSession()
  if (!session.ok) return reportFailure(session.error, file)
  const startedAt = performance.now()
  const built = await withProgress((options) => build(session.value, file, values.output, { ...options, copyArgs }))
  if (!built.ok) return reportBuild(built.error, file, values.output)
  const { size } = await stat(built.value.path)
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(3))
  const answer = { index: built.value.path, indexBytes: size, fromCache: built.value.fromCache, seconds }
  process.stdout.write(values.json ? `${JSON.stringify(answer)}\n` : `${built.value.path}\n`)
  return 0
}

/** OUT is written anew: it may be absent or an index, and nothing that someone could miss. */
async function refuseLoss(output: string, file: string): Promise<void> {
  const [target, source] = await Promise.all([output, file].map((path) => stat(path).catch(() => undefined)))
  if (target === undefined) return
  if (target.isDirectory())
    throw new UsageError(`OUT is a folder: name a file in it, such as ${join(output, `${parse(file).name}.tidemark`)}`)
  if (target.dev === source?.dev && target.ino === source.ino) throw new UsageError('OUT must not be FILE itself')
  const isIndex = output.endsWith('.tidemark') && (await isDatabase(output))
  if (!target.isFile() || (target.size > 0 && !isIndex)) throw new UsageError('OUT is there already and is not an index')
}

/** The cache folder plays no part in writing OUT, so advice about it would mislead. */
function reportBuild(failure: Failure, file: string, output: string | undefined): number {
  const isOfOutput = output !== undefined && ['index/disk_full', 'index/write_failed', 'index/cache_unusable'].includes(failure.code)
  return isOfOutput ? reportFailure(failure, output, 'check the folder of OUT and the space on its disk') : reportFailure(failure, file)
}

interface BuiltIndex {
  readonly path: string
  readonly fromCache: boolean
}

async function build({ captures }: Session, file: string, output: string | undefined, options: BuildOptions): Promise<Result<BuiltIndex>> {
  if (output === undefined) {
    const found = await captures.indexes.find(file, options)
    if (!found.ok) return found
    const { path, fromCache, store } = found.value
    await store.close()
    return ok({ path, fromCache })
  }
  const built = await captures.indexes.buildAt(file, output, options)
  return built.ok ? ok({ path: resolve(output), fromCache: false }) : built
}
