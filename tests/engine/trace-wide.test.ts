// A trace of far more processes than a window can list.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scratchFolder } from '../support/paths.ts'
import { capturesIn, EngineClient } from './engine-client.ts'

const processCount = 100_000
const shownCount = 20_000
const scratch = scratchFolder('trace-wide')
let engine: EngineClient

beforeAll(() => {
  const path = join(scratch.path, 'wide.json')
  const event = (pid: number) => ({ ph: 'X', name: 'a', ts: pid, dur: 1, pid, tid: 1 })
  writeFileSync(path, JSON.stringify({ traceEvents: Array.from({ length: processCount }, (_, pid) => event(pid)) }))
  engine = new EngineClient(capturesIn(join(scratch.path, 'cache')), { wide: path })
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

test('its first tracks and their processes are answered in the order of the screen, in time that follows their number', async () => {
  const { captureId } = await engine.open('wide')
  const startedAt = performance.now()
  const { tracks, trackCount, processes } = await engine.value('trace.tracks', { captureId })
  // With a look through all tracks for each process this takes a quarter of a minute.
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  expect([tracks.length, trackCount, processes.length]).toEqual([shownCount, processCount, shownCount])
  expect(processes.map(({ processId }) => processId)).toEqual(tracks.map(({ processId }) => processId))
})
