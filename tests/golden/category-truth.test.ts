// Category sums of runs whose model is known, within 2 % of what its shape says. The table is written to tables/category-truth.txt.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { totalsAt } from '../native/categories-agree.ts'
import { rulesText } from '../support/category-rules.ts'
import { corpusFile, corpusFolder } from '../support/corpus.ts'
import { IndexFile } from '../support/index-file.ts'
import { samplePath } from '../support/paths.ts'
import { adamStates, llamaParameters, loraParameters, optStateLlamas, smallLlama, sumOf } from './model-sizes.ts'

/** peak; end: after the last event; step: before the optimizer's second step begins, when every gradient is whole. */
type Moment = 'peak' | 'end' | 'step'

interface Expected {
  readonly moment: Moment
  readonly category: string
  readonly bytes: number
}

interface Run {
  readonly name: string
  readonly path: string | null
  readonly expected: (truth: Truth) => readonly Expected[]
}

interface Truth {
  readonly module_bytes?: Readonly<Record<string, number>>
  readonly device_map?: Readonly<Record<string, number | string>>
  readonly oom_observer?: { readonly alloc: number }
  readonly stats_at_dump?: Readonly<Record<string, Readonly<Record<string, number>>>>
}

const small = llamaParameters(smallLlama)
const lora = loraParameters(smallLlama, 8)

/** Full fine-tuning of the small model: all of it has gradients and two states. */
const fullyTrained = (): Expected[] => [
  { moment: 'peak', category: 'parameter', bytes: sumOf(small) },
  { moment: 'peak', category: 'optimizer_state', bytes: 2 * sumOf(small) },
  { moment: 'step', category: 'gradient', bytes: sumOf(small) },
]

const loraTrained = (): Expected[] => [
  { moment: 'peak', category: 'parameter', bytes: sumOf(small) + sumOf(lora) },
  { moment: 'peak', category: 'optimizer_state', bytes: 2 * sumOf(lora) },
  { moment: 'step', category: 'gradient', bytes: sumOf(lora) },
]

/** What the device map leaves on the GPU; at the peak the head, which lives on the CPU, is there for its call. */
function offloaded({ module_bytes = {}, device_map = {} }: Truth): Expected[] {
  const resident = sumOf(Object.keys(device_map).map((module) => (device_map[module] === 0 ? (module_bytes[module] ?? 0) : 0)))
  return [
    { moment: 'end', category: 'parameter', bytes: resident },
    { moment: 'peak', category: 'parameter', bytes: resident + (module_bytes.lm_head ?? 0) },
  ]
}

const granularityBytes = 2 * 1024 ** 2
const workspaceBytes = 2 * 32 * 1024 ** 2 // cuBLAS has one for the program's thread and one for that of the backward pass

/** The failure came while AdamW made its states: as many as fit into what PyTorch counted, and the next is the one that failed. */
function whileStatesAreMade(parameters: readonly number[], { stats_at_dump = {}, oom_observer }: Truth): Expected[] {
  const counted = Object.values(stats_at_dump)[0]?.['requested_bytes.all.current'] ?? 0
  const room = counted - 2 * sumOf(parameters) - workspaceBytes
  const states = adamStates(parameters)
  const made = states.filter((_, place) => sumOf(states.slice(0, place + 1)) <= room)
  const failed = states[made.length] ?? 0
  expect(Math.ceil(failed / granularityBytes) * granularityBytes).toBe(oom_observer?.alloc)
  return [
    { moment: 'end', category: 'parameter', bytes: sumOf(parameters) },
    { moment: 'end', category: 'gradient', bytes: sumOf(parameters) },
    { moment: 'end', category: 'optimizer_state', bytes: sumOf(made) },
  ]
}

const runs: readonly Run[] = [
  { name: 'sample ft_lora', path: samplePath('ft_lora'), expected: loraTrained },
  { name: 'ft_lora', path: corpusFile('healthy/ft_lora/snapshot.pickle'), expected: loraTrained },
  { name: 'ft_full_adamw', path: corpusFile('healthy/ft_full_adamw/snapshot.pickle'), expected: fullyTrained },
  { name: 'ft_full_checkpointed', path: corpusFile('healthy/ft_full_checkpointed/snapshot.pickle'), expected: fullyTrained },
  { name: 'annotated', path: corpusFile('healthy/annotated/snapshot.pickle'), expected: fullyTrained },
  { name: 'offload_device_map', path: corpusFile('healthy/offload_device_map/snapshot.pickle'), expected: offloaded },
  ...optStateLlamas.map((shape, place) => ({
    name: `oom_opt_state_${place}`,
    path: corpusFile(`oom/oom_opt_state_${place}/snapshot.pickle`),
    expected: (truth: Truth) => whileStatesAreMade(llamaParameters(shape), truth),
  })),
]

async function eventOf(index: IndexFile, moment: Moment): Promise<number> {
  const [event] = await index.column(
    {
      peak: 'SELECT peak_event FROM device WHERE device = 0',
      end: 'SELECT event_count - 1 FROM device WHERE device = 0',
      step: "SELECT event_at_time(0, start_ns) FROM annotation WHERE name LIKE 'Optimizer.step%' ORDER BY start_ns LIMIT 1 OFFSET 1",
    }[moment],
  )
  return Number(event)
}

interface Compared extends Expected {
  readonly run: string
  readonly event: number
  readonly found: number // bytes asked for, as the model counts
  readonly rounded: number // as the allocator counts
}

async function compare({ name, path, expected }: Run): Promise<Compared[]> {
  if (path === null) return []
  const truthPath = join(dirname(path), 'truth.json')
  const truth = (name.startsWith('sample') ? {} : JSON.parse(readFileSync(truthPath, 'utf8'))) as Truth
  const index = await IndexFile.of(path)
  await index.all('SELECT category_rules(?)', [rulesText])
  const compared: Compared[] = []
  for (const each of expected(truth)) {
    const event = await eventOf(index, each.moment)
    const total = (await totalsAt(index, 0, event)).find(({ category }) => category === each.category)
    compared.push({ ...each, run: name, event, found: total?.requested_bytes ?? 0, rounded: total?.bytes ?? 0 })
  }
  await index.close()
  return compared
}

const tolerance = 0.02

describe('category sums are those of the model', () => {
  for (const run of runs) {
    test.skipIf(run.path === null)(run.name, async () => {
      const compared = await compare(run)
      expect(compared.length).toBeGreaterThan(0)
      for (const { category, moment, bytes, found } of compared) {
        expect(Math.abs(found - bytes) / bytes, `${category} at ${moment}: ${found} of ${bytes}`).toBeLessThanOrEqual(tolerance)
      }
    })
  }
})

test.skipIf(runs.some(({ path }) => path === null))(`the table of all runs in ${corpusFolder}`, async () => {
  const rows: Compared[] = []
  for (const run of runs) rows.push(...(await compare(run)))
  const head = ['run', 'moment', 'event', 'category', 'expected', 'found', 'differs', 'rounded']
  const lines = rows.map(({ run, moment, event, category, bytes, found, rounded }) => {
    const differs = `${((100 * (found - bytes)) / bytes).toFixed(3)} %`
    return [run, moment, event, category, bytes, found, differs, rounded].map(String)
  })
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)))
  const text = [head, ...lines]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
  await expect(`${text}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'tables', 'category-truth.txt'))
})
