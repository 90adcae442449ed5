// The lines of the benchmark about Chrome traces.
import { spawnSync } from 'node:child_process'
import { openSync, rmSync, statSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { bestInTurns, indexTo, measureRun } from './child-run.mjs'
import { outFolder, trace } from './places.mjs'
import { pythonJsonLoad } from './python-load.mjs'
import { note } from './table.mjs'
import { writeLongTrace } from './trace-file.mjs'
import { measureItemsPerPixel, measureTraceViewports } from './trace-viewports.mjs'

const GB = 1e9
const MiB = 1 << 20
const say = (text) => process.stderr.write(`${text}\n`)

/** Lines that every trace has: memory of the load and size of the index. */
function noteSizes(name, run, file, out, events) {
  note(`${name}: peak memory beyond 150 MB, an event`, (run.peakKib * 1024 - 150e6) / events, 'B', 'less', 150, 100)
  note(`${name}: index size against the file`, statSync(out).size / statSync(file).size, '×', 'less', 0.2, 0.12)
}

async function noteViewports(name, out) {
  const { firstMs, slices, p50, p95 } = await measureTraceViewports(out)
  const size = `${(slices / 1e6).toFixed(1)} M slices`
  note(`${name}: re-open to first picture, engine`, firstMs, 'ms', 'less', 500, 200)
  note(`${name}: any viewport over ${size}, 50 lanes, p95`, p95, 'ms', 'less', 16, 8)
  note(`${name}: most items a pixel of a lane`, await measureItemsPerPixel(out), 'items', 'less', 2, 1)
  say(`${name}: viewport p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`)
}

async function benchBigTrace(file) {
  const out = join(outFolder, 'big_trace.tidemark')
  const [run, python] = await bestInTurns(3, [() => indexTo(out, file), () => pythonJsonLoad(file)])
  note('big_trace: index, whole command, against json.load', python.ms / run.ms, '×', 'more', 12, 20)
  noteSizes('big_trace', run, file, out, python.events)
  await noteViewports('big_trace', out)
  say(
    `big_trace: index ${run.ms.toFixed(0)} ms, ${(run.peakKib / 1024).toFixed(0)} MiB; json.load ${python.ms.toFixed(0)} ms, ` +
      `${(python.peakKib / 1024).toFixed(0)} MiB, ${python.events} events`,
  )
  rmSync(out, { force: true })
  return python
}

/** The same trace packed, against gzip alone. */
async function benchPacked(file) {
  const packed = join(outFolder, 'big_trace.json.gz')
  const out = join(outFolder, 'big_trace_gz.tidemark')
  spawnSync('gzip', ['-6', '-c', file], { stdio: ['ignore', openSync(packed, 'w'), 'inherit'] })
  const [run, gzip] = await bestInTurns(3, [
    () => indexTo(out, packed),
    () => measureRun('sh', ['-c', 'gzip -dc "$0" > /dev/null', packed]),
  ])
  note('big_trace.json.gz: index, whole command, against gzip -dc', gzip.ms / run.ms, '×', 'more', 1.1, 2)
  say(`big_trace.json.gz: index ${run.ms.toFixed(0)} ms; gzip -dc ${gzip.ms.toFixed(0)} ms`)
  for (const path of [packed, out]) rmSync(path, { force: true })
}

/** Writes a trace of at least so many bytes that repeats `file`, does the work with it, and deletes it and its index. */
async function withLongTrace({ file, python }, stem, leastBytes, work) {
  const long = join(outFolder, `${stem}.json`)
  const out = join(outFolder, `${stem}.tidemark`)
  try {
    const bytes = writeLongTrace(file, long, leastBytes)
    const events = Math.round((python.events * bytes) / statSync(file).size)
    const name = `trace of ${(bytes / GB).toFixed(1)} GB`
    const run = await work({ name, long, out, bytes })
    noteSizes(name, run, long, out, events)
    await noteViewports(name, out)
  } finally {
    for (const path of [long, out]) rmSync(path, { force: true })
  }
}

/** Against json.load where memory suffices for it: it takes about six times the file. */
async function benchGigabyte({ name, long, out, bytes }) {
  const [run] = await bestInTurns(2, [() => indexTo(out, long)])
  if (freemem() > 6 * bytes) {
    const loaded = await pythonJsonLoad(long)
    note(`${name}: index, whole command, against json.load`, loaded.ms / run.ms, '×', 'more', 20, 30)
    say(`${name}: index ${run.ms.toFixed(0)} ms; json.load ${loaded.ms.toFixed(0)} ms`)
  } else say(`${name}: too little memory for json.load (${(freemem() / GB).toFixed(0)} GB free); its line is left out`)
  return run
}

/** A trace of some 14 M events: memory keeps its ceiling. */
async function benchHuge({ name, long, out, bytes }) {
  const run = await indexTo(out, long)
  note(`${name}: peak memory`, run.peakKib / 1024, 'MiB', 'less', (3 * GB) / MiB, (1.5 * GB) / MiB)
  say(`${name}: index ${run.ms.toFixed(0)} ms, ${(bytes / 1e3 / run.ms).toFixed(0)} MB/s, ${(run.peakKib / 1024).toFixed(0)} MiB`)
  return run
}

/** All lines about traces; `huge` adds a trace of 4.5 GB, which takes its place on the disk and a minute or two. */
export async function benchTraces({ huge }) {
  const file = trace('large/big_trace')
  if (file === null) return
  const python = await benchBigTrace(file)
  await benchPacked(file)
  await withLongTrace({ file, python }, 'trace_1gb', 1.1 * GB, benchGigabyte)
  if (huge) await withLongTrace({ file, python }, 'trace_huge', 4.5 * GB, benchHuge)
}
