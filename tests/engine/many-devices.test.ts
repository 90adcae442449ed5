// A small file may claim thousands of devices: what each takes must stay within what an allocator has of addresses.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { scratchFolder } from '../support/paths.ts'
import { capturesIn, quietly } from './engine-client.ts'

const scratch = scratchFolder('many-devices')
const captures = capturesIn(join(scratch.path, 'cache'))
afterAll(() => scratch.remove())

const status = '/proc/self/status'
const peakGiB = (): number => Number(/VmPeak:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]) / 2 ** 20

test.skipIf(!existsSync(status))('traces of more devices than are shown take no address space', async () => {
  const entry = () => ({ action: 'alloc', addr: 4096, size: 512, stream: 0, time_us: 1, frames: [] })
  const path = join(scratch.path, 'many.pickle')
  const traces = Array.from({ length: 20_000 }, () => [entry()])
  writeFileSync(path, writePickle({ segments: [], device_traces: traces, allocator_settings: {} }, { protocol: 4 }))
  const before = peakGiB()
  const opened = await captures.open(path, quietly)
  expect(opened.ok && opened.value.findings.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('more than 1,024 devices'),
  )
  expect(peakGiB() - before).toBeLessThan(16)
})
