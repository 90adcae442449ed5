// What a script waits for: a picture of each view and a report, from a cold start of the app, with the index in its cache.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureRun } from './child-run.mjs'
import { commandLine } from './places.mjs'

const views = ['timeline', 'lifetimes', 'blocks', 'fragmentation', 'flame']
const formats = ['png', 'svg', 'pdf']

/** For each view `{what, ms}` of its slowest format at 1600 × 900, then of a report of all; each the best of two. */
export async function measureExports(file) {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-exports-'))
  const env = { ...process.env, TIDEMARK_CACHE: join(folder, 'cache') }
  const best = async (words) => {
    const runs = [
      await measureRun(process.execPath, [commandLine, ...words], env),
      await measureRun(process.execPath, [commandLine, ...words], env),
    ]
    return Math.min(...runs.map(({ ms }) => ms))
  }
  await measureRun(process.execPath, [commandLine, 'info', file], env) // the index
  const measured = []
  for (const view of views) {
    const times = []
    for (const format of formats) {
      times.push(await best(['export', file, '--view', view, '-o', join(folder, `${view}.${format}`), '--size', '1600x900']))
    }
    measured.push({ what: `export of ${view}, the slowest of PNG, SVG and PDF`, ms: Math.max(...times) })
  }
  measured.push({ what: 'report of all views', ms: await best(['report', file, '-o', join(folder, 'report.html')]) })
  rmSync(folder, { recursive: true, force: true })
  return measured
}
