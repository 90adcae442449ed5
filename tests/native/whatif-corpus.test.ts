// The simulator against what really happened: the recordings under their own settings, and one program run under several.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { corpusFolder, corpusSnapshots } from '../support/corpus.ts'
import { root } from '../support/paths.ts'
import {
  type Cure,
  curedRuns,
  cures,
  cureTable,
  errorOf,
  hasPeak,
  isFailureRight,
  isPeakRight,
  isSameAsRecorded,
  ownRuns,
  ownTable,
  type Prediction,
  predict,
  predictionTable,
  type RealRun,
  realRuns,
} from './whatif-tables.ts'

const isHere = corpusSnapshots().length > 0

// Said in the report, not passed over in silence.
if (!isHere) test.skip(`no corpus at ${corpusFolder}: the simulator is not compared with real runs`, () => undefined)

/** `npm run whatif-tables` shows it; the page of the simulator has it. */
function show(title: string, table: string): void {
  process.stdout.write(`\n${title}\n\n${table}\n`)
  expect(readFileSync(join(root, 'native', 'WHATIF.md'), 'utf8')).toContain(table)
}

describe.skipIf(!isHere)('under its own settings', { timeout: 600_000 }, () => {
  test('every recording is reproduced, and the reserved peak is that of the allocator', async () => {
    const runs = await ownRuns()
    expect(runs.filter((run) => !isSameAsRecorded(run)).map(({ name }) => name)).toEqual([])
    expect(runs.filter((run) => hasPeak(run) && !isPeakRight(run)).map(({ name }) => name)).toEqual([])
    expect(runs.filter((run) => 'num_ooms' in run.stats && !isFailureRight(run)).map(({ name }) => name)).toEqual([])
    show('Under its own settings', ownTable(runs))
  })
})

describe.skipIf(!isHere)('across settings', { timeout: 600_000 }, () => {
  let runs: RealRun[] = []
  beforeAll(async () => {
    runs = await realRuns()
  })
  afterAll(() => Promise.all(runs.map(({ index }) => index.close())))

  const pairs = (from: (run: RealRun) => boolean): Promise<Prediction[]> =>
    Promise.all(
      runs
        .filter(from)
        .flatMap((run) => runs.filter((other) => other !== run && other.program === run.program).map((other) => predict(run, other))),
    )

  test('the default run tells peak, retries and failure of the others', async () => {
    const predictions = await pairs(({ setting }) => setting === 'default')
    expect(predictions).toHaveLength(12)
    for (const prediction of predictions) {
      expect(Math.abs(errorOf(prediction)), `${prediction.program} ${prediction.to}`).toBeLessThan(0.02)
      expect(prediction.failure).toBe(prediction.realFailure)
      if (prediction.realRetries !== null) expect(prediction.answer.retries).toBe(prediction.realRetries)
    }
    show('From the default run', predictionTable(predictions))
  })

  test('every other run tells that of the others too', async () => {
    const predictions = await pairs(({ setting }) => setting !== 'default')
    expect(predictions).toHaveLength(48)
    const isWrong = (each: Prediction) => Math.abs(errorOf(each)) > 0.02 || each.failure !== each.realFailure
    expect(predictions.filter(isWrong).map(({ program, from, to }) => `${program} ${from} ${to}`)).toEqual([])
    for (const { realPeak, answer } of predictions.filter((each) => !each.answer.is_certain)) {
      expect(answer.least_reserved_peak_bytes).toBeLessThanOrEqual(realPeak)
      expect(answer.most_reserved_peak_bytes).toBeGreaterThanOrEqual(realPeak)
    }
    show('From the other runs', predictionTable(predictions))
  })
})

describe.skipIf(!isHere)('failures that fragmentation caused', { timeout: 600_000 }, () => {
  const cured = (runs: readonly Cure[], cure: string) => runs.filter(({ answers }) => answers[cures.indexOf(cure)]?.fails === false)

  test('fail as recorded, and expandable segments avoid those of mixed sizes', async () => {
    const runs = await curedRuns(true)
    expect(runs.every(({ own }) => own.fails)).toBe(true)
    const mixed = runs.filter(({ name }) => /multiscale|replay/.test(name))
    expect(mixed.length).toBeGreaterThan(5)
    expect(cured(mixed, 'expandable_segments:True')).toEqual(mixed)
    show('With the cap that was set', cureTable(runs))
  })

  test('fail by the same request with the capacity that the recording tells', async () => {
    const [told, given] = [await curedRuns(false), await curedRuns(true)]
    expect(told.map(({ own }) => own.failing_event)).toEqual(given.map(({ own }) => own.failing_event))
    show('With the capacity that the recording tells', cureTable(told))
  })
})
