// The speed of the design as ratios measured in one run (absolute times of a shared machine say little), best of three.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { canFakeDisplay, withVirtualDisplay } from '../../scripts/lib/display.mjs'
import { run as runProgram } from '../../scripts/lib/process.mjs'
import { bestInTurns, indexTo } from './child-run.mjs'
import { measureExports } from './exports.mjs'
import { capture, outFolder } from './places.mjs'
import { pythonLoad } from './python-load.mjs'
import { measureSpace } from './space.mjs'
import { note, print } from './table.mjs'
import { benchTraces } from './traces.mjs'
import { measureCancel, measureViewports } from './viewports.mjs'

async function benchBig() {
  const file = capture('large/big_snapshot')
  if (file === null) return
  const out = join(outFolder, 'big_snapshot.tidemark')
  // In turns: what else the machine does then slows all three alike.
  const [run, collected, uncollected] = await bestInTurns(3, [
    () => indexTo(out, file),
    () => pythonLoad(file, true),
    () => pythonLoad(file, false),
  ])
  note('big_snapshot: index, whole command, against pickle.load', collected.ms / run.ms, '×', 'more', 4.5, 8)
  note('the same, with Python’s garbage collector off', uncollected.ms / run.ms, '×', 'more', 1.4, 2.5)
  note('peak memory against Python’s', run.peakKib / uncollected.peakKib, '×', 'less', 0.4, 0.2)
  note('index size against the file', statSync(out).size / statSync(file).size, '×', 'less', 0.7, 0.4)
  await benchViewports(out, 'big_snapshot')
  note('cancel of a running load', await measureCancel(file), 'ms', 'less', 200, 50)
  process.stderr.write(
    `big_snapshot: index ${run.ms.toFixed(0)} ms, ${(run.peakKib / 1024).toFixed(0)} MiB; pickle.load ${collected.ms.toFixed(0)} ms, ` +
      `collector off ${uncollected.ms.toFixed(0)} ms, ${(uncollected.peakKib / 1024).toFixed(0)} MiB\n`,
  )
}

async function benchViewports(index, name) {
  const { firstMs, p50, p95 } = await measureViewports(index)
  note(`${name}: re-open to first picture, engine`, firstMs, 'ms', 'less', 500, 200)
  note(`${name}: any viewport (curves + raster), p95`, p95, 'ms', 'less', 16, 8)
  process.stderr.write(`${name}: viewport p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms\n`)
  await benchSpace(index, name)
}

async function benchSpace(index, name) {
  for (const question of await measureSpace(index)) {
    const { limits, firstMs, p50, p95 } = question
    note(`${name}: ${question.name}, p95`, p95, 'ms', 'less', limits.atLeast, limits.aim)
    process.stderr.write(`${name}: ${question.name}: first ${firstMs.toFixed(1)} ms, p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms\n`)
  }
}

async function benchManyBlocks() {
  const file = capture('oom/oom_meta_optimizer_0')
  if (file === null) return
  const out = join(outFolder, 'oom_meta_optimizer_0.tidemark')
  await indexTo(out, file)
  await benchViewports(out, 'oom_meta_optimizer_0')
}

/** Best of three in the real window: milliseconds from drop to picture, re-opened, and a frame of the views while they are panned and zoomed. */
async function benchWindow(name, file, { dropMs, views = [] }) {
  if (file === null || !canFakeDisplay()) return
  const script = join(import.meta.dirname, 'window.mjs')
  const runs = []
  for (let i = 0; i < 3; i++) {
    const { output } = await runProgram(...withVirtualDisplay(process.execPath, [script, file, views.join(',')]), {
      capture: true,
      quiet: true,
    })
    runs.push(JSON.parse(output.trim().split('\n').at(-1)))
  }
  const best = (key) => Math.min(...runs.map((each) => each[key]))
  if (dropMs) {
    note(`${name}: drop to picture in the window`, best('openMs'), 'ms', 'less', dropMs.atLeast, dropMs.aim)
    note(`${name}: re-open to picture in the window`, best('reopenMs'), 'ms', 'less', 500, 200)
  }
  for (const view of views) {
    const frameMs = (which) => Math.min(...runs.map((each) => each.frameMs[view][which]))
    note(`${name}: a frame while panning and zooming ${view}, 1280×800, software GL, median`, frameMs('median'), 'ms', 'less', 40, 16.7)
    process.stderr.write(`${name}: ${view}: frame median ${frameMs('median').toFixed(1)} ms, p95 ${frameMs('p95').toFixed(1)} ms\n`)
  }
}

/** From the start of the command line to the written file: it starts the whole app. */
async function benchExports(name, file) {
  if (file === null || !canFakeDisplay()) return
  for (const { what, ms } of await measureExports(file)) note(`${name}: ${what}, cold start, warm index`, ms, 'ms', 'less', 8000, 3000)
}

async function benchSnapshots() {
  await benchBig()
  await benchManyBlocks()
  await benchWindow('big_snapshot', capture('large/big_snapshot'), {
    dropMs: { atLeast: 3000, aim: 2000 },
    views: ['timeline', 'lifetimes', 'blocks'],
  })
  await benchWindow('oom_meta_optimizer_0', capture('oom/oom_meta_optimizer_0'), { views: ['blocks'] })
  await benchWindow('ft_lora', capture('healthy/ft_lora'), { dropMs: { atLeast: 500, aim: 300 } })
}

const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length)
const isWanted = (part) => only === undefined || only === part

if (isWanted('snapshots')) await benchSnapshots()
if (isWanted('exports')) await benchExports('ft_lora', capture('healthy/ft_lora'))
if (isWanted('traces')) await benchTraces({ huge: process.argv.includes('--huge') })
process.exitCode = print() ? 1 : 0
