// `tidemark whatif`: its numbers, its table, and what it refuses.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { baseAddress, block, segment, snapshot } from '../fixtures/snapshots.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { runCli } from './cli.ts'
import { capturesIn, codeOf, EngineClient, expectValue } from './engine-client.ts'

const scratch = scratchFolder('whatif')
const oom = samplePath('oom')
const run = (...words: string[]) => runCli(['whatif', ...words], { cache: join(scratch.path, 'cache') })

afterAll(() => scratch.remove())

test('the engine answers the same through its port, and refuses what the allocator does not know', async () => {
  const engine = new EngineClient(capturesIn(join(scratch.path, 'engine')), { oom })
  const { captureId } = await engine.open('oom')
  const ask = (settings: string, capacityBytes: number | null) =>
    engine.ask('whatif.run', { captureId, device: 0, settings, capacityBytes }).answer
  const own = expectValue(await ask('', null))
  expect(own).toMatchObject({ fails: true, sameLayout: true, firstDifference: null })
  expect(own.failingEvent).toBe(own.lastEvent)
  const roomy = expectValue(await ask('default,expandable_segments:True', 2 ** 40))
  expect(roomy).toMatchObject({ fails: false, settings: { expandableSegments: true }, capacity: { source: 'given', bytes: 2 ** 40 } })
  expect(codeOf(await ask('expandable:True', null))).toBe('query/bad_argument')
  await engine.close()
})

describe('tidemark whatif', () => {
  test('says in JSON what the settings of the recording lead to: the recorded failure', async () => {
    const { status, out, err } = await run(oom, '--json')
    expect([status, err]).toEqual([0, ''])
    const answer = JSON.parse(out)
    expect(answer).toMatchObject({ fails: true, is_certain: true, same_layout: true, first_difference: null })
    expect(answer.settings).toMatchObject({ expandable_segments: false, max_split_size_bytes: null })
    expect(answer.failing_event).toBe(answer.last_event)
    for (const key of ['reserved_peak_bytes', 'allocated_peak_bytes', 'largest_free_bytes', 'retries'])
      expect(answer[key]).toBeTypeOf('number')
  })

  test('one set answers with one object, several with the recording first', async () => {
    const one = JSON.parse((await run(oom, '--set', 'expandable_segments:True', '--json')).out)
    expect(one.settings.expandable_segments).toBe(true)
    const several = JSON.parse((await run(oom, '--set', 'expandable_segments:True', '--set', 'max_split_size_mb:64', '--json')).out)
    const { fails, settings } = JSON.parse((await run(oom, '--json')).out)
    expect(several).toHaveLength(3)
    expect(several[0]).toMatchObject({ fails, settings })
    expect(several[1]).toEqual(one)
    expect(several[2].settings.max_split_size_bytes).toBe(64 << 20)
  })

  test('a larger capacity avoids the failure', async () => {
    const answer = JSON.parse((await run(oom, '--capacity', String(2 ** 40), '--json')).out)
    expect(answer).toMatchObject({ fails: false, failing_event: null, retries: 0, capacity: { source: 'given', bytes: 2 ** 40 } })
  })

  test('the table has one line a set, and says where the capacity comes from', async () => {
    const { status, out } = await run(oom, '--set', 'roundup_power2_divisions:[256:1,512:2,>:4]')
    expect(status).toBe(0)
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toBe('oom.pickle')
    expect(lines[1]).toMatch(/^settings +reserved peak +allocated peak/)
    expect(lines[2]).toMatch(/^as recorded .+ yes, at event /)
    expect(lines[3]).toMatch(/^roundup_power2_divisions:\[256:1,512:2,>:4\] /)
    expect(out).toContain('capacity: ')
    expect(out).toContain('the simulator reproduces the recording exactly')
  })

  test('garbage collection without a cap is said to do nothing', async () => {
    const { out } = await run(samplePath('ft_lora'), '--set', 'garbage_collection_threshold:0.5')
    expect(out).toContain('give --capacity')
    expect(out).toContain('capacity: no limit is known')
  })

  test.each([
    [[], /whatif wants one FILE/],
    [[oom, '--capacity', '2GiB'], /--capacity wants a whole number/],
    [[oom, '--set', 'max_splitsize_mb:64'], /The allocator has no setting 'max_splitsize_mb'/],
    [[oom, '--set', 'expandable_segments'], /A setting is written name:value/],
    [[oom, '--device', '7'], /There is no device 7 in this capture \(devices: 0\)/],
  ])('%j is refused with one line: status 1', async (words, message) => {
    const { status, out, err } = await run(...words)
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(message)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })

  test('without history there is nothing to run again', async () => {
    const path = join(scratch.path, 'silent.pickle')
    writeFileSync(path, writePickle(snapshot([segment(baseAddress, [block(baseAddress, 2 << 20)])], [[]]), { protocol: 4 }))
    const { status, err } = await run(path)
    expect(status).toBe(1)
    expect(err).toContain('no history')
  })
})
