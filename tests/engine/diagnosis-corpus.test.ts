// Verdicts over the labelled failures and the healthy runs of the corpus; prints the confusion tables. Skipped where the corpus is not here.
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type LabelledRun, labelledRuns } from '../support/corpus.ts'
import { scratchFolder } from '../support/paths.ts'
import { confusionTable, type Judged, judge, type View } from './confusion.ts'
import { capturesIn } from './engine-client.ts'

const scratch = scratchFolder('diagnosis-corpus')
const captures = capturesIn(join(scratch.path, 'cache'))
afterAll(async () => {
  await captures.closeAll()
  scratch.remove()
})

const failed = labelledRuns('oom').filter(({ accepts }) => accepts.length > 0)
const healthy = labelledRuns('healthy')

async function judgeAll(runs: readonly LabelledRun[], view: View): Promise<Judged[]> {
  const all: Judged[] = []
  for (const run of runs) all.push(...(await judge(captures, run, view)))
  return all
}

const share = (judged: readonly Judged[], holds: (one: Judged) => boolean): number => judged.filter(holds).length / judged.length
const isAccepted = ({ accepts, found }: Judged): boolean => accepts.includes(found.diagnosis.verdict.label)
const print = (title: string, judged: readonly Judged[]): void => console.log(`\n${title}\n${confusionTable(judged)}\n`)

describe.skipIf(failed.length === 0)('the corpus of labelled runs', () => {
  test.each([
    ['snapshot, error text and metrics', 'all' as const],
    ['the snapshot alone', 'snapshot' as const],
  ])('from %s: the first verdict is accepted, mostly the label, and the label is among the candidates', async (title, view) => {
    const judged = await judgeAll(failed, view)
    print(title, judged)
    expect(judged).toHaveLength(failed.length)
    expect(share(judged, isAccepted)).toBeGreaterThanOrEqual(0.95)
    expect(share(judged, ({ label, found }) => found.diagnosis.verdict.label === label)).toBeGreaterThanOrEqual(0.8)
    expect(share(judged, ({ label, found }) => found.diagnosis.candidates.some((each) => each.label === label))).toBeGreaterThanOrEqual(
      0.98,
    )
    for (const { name, found } of judged)
      for (const { evidence } of found.diagnosis.candidates) expect(evidence.length, name).toBeGreaterThan(0)
  })

  test('from error text and metrics alone: the facts are all read, and a verdict is right or said to be uncertain', async () => {
    const judged = await judgeAll(failed, 'text')
    print('error text and metrics alone', judged)
    expect(judged).toHaveLength(failed.length)
    for (const { name, found } of judged) {
      const { log } = found
      for (const fact of ['requested', 'total', 'free', 'process', 'allocated', 'unallocated'] as const)
        expect(log?.[fact], `${name} ${fact}`).not.toBeNull()
      if (log?.text.includes(' allowed')) expect(log.allowed, name).not.toBeNull()
      expect(log?.others.length, name).toBe(log?.text.match(/Process \d+ has/g)?.length ?? 0)
    }
    const wrong = judged.filter((one) => !isAccepted(one) && !one.found.diagnosis.verdict.isUncertain)
    expect(wrong.map(({ name, found }) => [name, found.diagnosis.verdict.label])).toEqual([])
  })

  test('no healthy run is called a failure', async () => {
    const judged = await judgeAll(healthy, 'all')
    print('healthy runs', judged)
    expect(judged.length).toBeGreaterThan(0)
    expect(judged.filter(({ found }) => found.diagnosis.verdict.label !== 'healthy').map(({ name }) => name)).toEqual([])
  })
})
