// Runs a program to its end: wall time and the high-water mark of its resident memory.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { commandLine } from './places.mjs'

const highWaterKib = (pid) => {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0 // it has just ended
  }
}

/** Answers `{ms, peakKib, output}`; throws when the program fails. The mark only rises, so a look every 20 ms misses little. */
export function measureRun(program, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let errors = ''
    let peakKib = 0
    child.stdout.on('data', (piece) => {
      output += piece
    })
    child.stderr.on('data', (piece) => {
      errors += piece
    })
    const timer = setInterval(() => {
      peakKib = Math.max(peakKib, highWaterKib(child.pid))
    }, 20)
    child.on('error', reject)
    child.on('close', (code) => {
      clearInterval(timer)
      const ms = performance.now() - startedAt
      if (code === 0) resolve({ ms, peakKib, output })
      else reject(new Error(`${program} ${args.join(' ')}: exit ${code}\n${errors}`))
    })
  })
}

/** Indexes a file with the command line, as `measureRun` answers; an index that was there is deleted before. */
export function indexTo(out, file) {
  rmSync(out, { force: true })
  return measureRun(process.execPath, [commandLine, 'index', file, '-o', out])
}

/** Takes `times` turns of all measures and answers the best of each: the least time and the least memory, and what else the last turn said. */
export async function bestInTurns(times, measures) {
  const best = measures.map(() => ({ ms: Number.POSITIVE_INFINITY, peakKib: Number.POSITIVE_INFINITY }))
  for (let turn = 0; turn < times; turn += 1) {
    for (const [index, measure] of measures.entries()) {
      const { ms, peakKib, ...further } = await measure()
      best[index] = { ...further, ms: Math.min(best[index].ms, ms), peakKib: Math.min(best[index].peakKib, peakKib) }
    }
  }
  return best
}
