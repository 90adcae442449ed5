// The example statements of the SQL console on the samples that ship.
import { afterAll, describe, expect, test } from 'vitest'
import { type ExampleId, examples, examplesOf } from '../../renderer/views/sql/examples.ts'
import { sampleNames, samplePath, scratchFolder, traceSamplePath } from '../support/paths.ts'
import { capturesIn, EngineClient } from './engine-client.ts'

const scratch = scratchFolder('sql-examples')
const files = { ...Object.fromEntries(sampleNames.map((name) => [name, samplePath(name)])), trace: traceSamplePath }
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
