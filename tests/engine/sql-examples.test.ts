// The example statements of the SQL console on the samples that ship, and on profiles of other tools.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type ExampleId, examples, examplesOf } from '../../renderer/views/sql/examples.ts'
import { foldedText, pprof, speedscope } from '../fixtures/profiles.ts'
import { sampleNames, samplePath, scratchFolder, traceSamplePath } from '../support/paths.ts'
import { capturesIn, EngineClient } from './engine-client.ts'

const scratch = scratchFolder('sql-examples')
const profiles = { pprof: pprof(), folded: foldedText, speedscope: JSON.stringify(speedscope) }
for (const [name, bytes] of Object.entries(profiles)) writeFileSync(join(scratch.path, name), bytes)
const files = {
  ...Object.fromEntries(sampleNames.map((name) => [name, samplePath(name)])),
  trace: traceSamplePath,
  ...Object.fromEntries(Object.keys(profiles).map((name) => [name, join(scratch.path, name)])),
}
const engine = new EngineClient(capturesIn(scratch.path), files)
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

/** What a sample does not hold: the statement runs, and has no rows. */
const emptyIn: Readonly<Record<string, readonly ExampleId[]>> = { oom: ['annotations'], two_devices: ['annotations'], trace: ['counters'] }

describe.each(Object.keys(files))('on %s', (name) => {
  test('every example offered runs and has rows, and there are ten at least', async () => {
    const { captureId, kind } = await engine.open(name)
    const offered = examplesOf(kind)
    expect(offered.length).toBeGreaterThanOrEqual(10)
    const empty: ExampleId[] = []
    for (const id of offered) {
      const { rowCount, columns } = await engine.value('sql.run', { captureId, sql: examples[id].sql })
      expect(columns.length).toBeGreaterThan(1)
      if (rowCount === 0) empty.push(id)
    }
    expect(empty).toEqual(emptyIn[name] ?? [])
  })
})

test('the stacks of the peak add up to what the device tells of it', async () => {
  const { captureId } = await engine.open('ft_lora')
  const { rows, columns } = await engine.value('sql.run', { captureId, sql: examples.peakStacks.sql.replace('LIMIT 50', '') })
  const at = columns.indexOf('alive_bytes')
  expect(rows.reduce((sum, row) => sum + Number(row[at]), 0)).toBe(1234779648)
})

test('the values of a profile’s stacks add up to what is told of the type that is shown first', async () => {
  const { captureId } = await engine.open('pprof')
  const types = await engine.value('sql.run', { captureId, sql: examples.valueTypes.sql })
  const shown = types.rows.find((row) => row[types.columns.indexOf('is_default')] === 1)
  const stacks = await engine.value('sql.run', { captureId, sql: examples.valueStacks.sql })
  expect(stacks.rows.reduce((sum, [value]) => sum + Number(value), 0)).toBe(shown?.[types.columns.indexOf('total')])
  const shares = await engine.value('sql.run', { captureId, sql: examples.sharesOfAll.sql })
  expect(shares.rows.at(-1)?.[shares.columns.indexOf('percent_so_far')]).toBe(100)
})
