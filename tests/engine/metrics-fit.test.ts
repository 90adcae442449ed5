// Whether metrics are of the run of a snapshot: each run's own are, and those of most others are not.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readLogText } from '../../main/engine/diagnosis/log-text.ts'
import { growthOf, type MetricsGrowth, readMetricsFile, readMetricsText } from '../../main/engine/diagnosis/metrics.ts'
import { type MeasuredCapture, measureWith, misfitOf } from '../../main/engine/diagnosis/metrics-fit.ts'
import { corpusFolder, labelledRuns } from '../support/corpus.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { capturesIn, expectValue, quietly } from './engine-client.ts'

const scratch = scratchFolder('metrics-fit')
const captures = capturesIn(join(scratch.path, 'cache'))
afterAll(async () => {
  await captures.closeAll()
  scratch.remove()
})

async function measured(path: string, noted: readonly MetricsGrowth[]): Promise<MeasuredCapture> {
  const { captureId } = expectValue(await captures.open(path, quietly))
  const answer = expectValue(await measureWith(expectValue(captures.get(captureId)), noted))
  await captures.close(captureId)
  return answer
}

const mib = 2 ** 20
const notedOf = (levels: readonly number[], fields: object = {}): MetricsGrowth =>
  growthOf(readMetricsText(levels.map((reserved, step) => JSON.stringify({ step, reserved: reserved * mib, ...fields })).join('\n')))
const logOf = (text: string) =>
  readLogText(`torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 400.00 MiB. ${text}`).failures[0] ?? null

describe('metrics', () => {
  const whyNot = async (growth: MetricsGrowth, log: ReturnType<typeof logOf> = null) =>
    misfitOf('m.jsonl', growth, log, await measured(samplePath('oom'), [growth]))?.en

  test('that note more than was ever reserved before the failure are of another run', async () => {
    const { measures } = await measured(samplePath('oom'), [])
    const most = (measures?.limits.mostReserved ?? 0) / mib
    expect(await whyNot(notedOf([most]))).toBeUndefined()
    expect(await whyNot(notedOf([most + 200]))).toMatch(/notes .* at a step, and this program never had more than/)
  })

  test('that note levels which the history never had are of another run', async () => {
    const { measures } = await measured(samplePath('oom'), [])
    const most = (measures?.limits.mostReserved ?? 0) / mib
    expect(await whyNot(notedOf([most - 2, most - 4, most - 6, most - 14]))).toContain('hardly any')
    // What is noted in rounded units proves nothing.
    expect(await whyNot(notedOf([most - 2.3, most - 4.1, most - 6.2, most - 14.7]))).toBeUndefined()
  })

  test('that note more than the cap of the text, or another device, are of another run', async () => {
    const text =
      'GPU 0 has a total capacity of 80.00 GiB of which 40.00 GiB is free. 1.00 GiB allowed; Of the allocated memory 0.50 GiB is allocated by PyTorch.'
    expect(await whyNot(notedOf([1100]), logOf(text))).toContain('was allowed 1.00')
    expect(await whyNot(notedOf([2], { device_total: 24 * 2 ** 30 }), logOf(text))).toContain('its device has 24.0')
    expect(await whyNot(notedOf([2], { device_total: 80 * 2 ** 30 }), logOf(text))).toBeUndefined()
  })
})

test.skipIf(!existsSync(join(corpusFolder, 'oom')))(
  'of the corpus every run’s own metrics fit, and those of most other runs do not',
  { timeout: 300_000 },
  async () => {
    const runs = labelledRuns('oom').filter(
      ({ folder }) => existsSync(join(folder, 'metrics.jsonl')) && existsSync(join(folder, 'snapshot.pickle')),
    )
    const noted = await Promise.all(runs.map(async ({ folder }) => growthOf(await readMetricsFile(join(folder, 'metrics.jsonl')))))
    let told = 0
    let pairs = 0
    for (const [at, { folder }] of runs.entries()) {
      const capture = await measured(join(folder, 'snapshot.pickle'), noted)
      for (const [other, growth] of noted.entries()) {
        const why = misfitOf('metrics.jsonl', growth, null, capture)
        if (other === at) expect(why, folder).toBeNull()
        else if (growth.steps > 0) {
          pairs += 1
          told += why ? 1 : 0
        }
      }
    }
    console.log(`${told} of ${pairs} pairs are told apart`)
    expect(told / pairs).toBeGreaterThan(0.8)
  },
)
