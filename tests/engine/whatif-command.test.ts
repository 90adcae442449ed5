// `tidemark whatif`: its numbers, its table, and what it refuses.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SimulatedAllocator } from '../fixtures/allocator.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { snapshotOf } from '../fixtures/programs.ts'
import { baseAddress, block, segment, snapshot } from '../fixtures/snapshots.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { runCli } from './cli.ts'
import { capturesIn, codeOf, EngineClient, expectValue } from './engine-client.ts'

const MiB = 1 << 20
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
    expect(answer).toMatchObject({ device: 0, fails: true, is_certain: true, depends_on: [], same_layout: true, first_difference: null })
    expect(answer.failed_request).toBeNull()
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

  test('a capacity may have a unit, as all amounts that are printed', async () => {
    const capacityOf = async (text: string) => JSON.parse((await run(oom, '--capacity', text, '--json')).out).capacity.bytes
    expect(await capacityOf('1.5GiB')).toBe(1.5 * 2 ** 30)
    expect(await capacityOf('80GB')).toBe(80e9)
    const wrong = await run(oom, '--capacity', '4 parsecs')
    expect([wrong.status, wrong.err]).toEqual([1, expect.stringContaining('such as 4GiB')])
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
    [[oom, '--capacity', '2 miles'], /--capacity wants bytes/],
    [[oom, '--set', 'max_splitsize_mb:64'], /The allocator has no setting 'max_splitsize_mb'/],
    [[oom, '--set', 'expandable_segments'], /A setting is written name:value/],
    [[oom, '--device', '7'], /There is no device 7 in this capture \(devices: 0\)/],
  ])('%j is refused with one line: status 1', async (words, message) => {
    const { status, out, err } = await run(...words)
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(message)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })

  test('without history there is nothing to run again: status 2, as for every file that cannot serve', async () => {
    const path = join(scratch.path, 'silent.pickle')
    writeFileSync(path, writePickle(snapshot([segment(baseAddress, [block(baseAddress, 2 << 20)])], [[]]), { protocol: 4 }))
    const { status, out, err } = await run(path)
    expect([status, out]).toEqual([2, ''])
    expect(err).toMatch(/^error: snapshot\/no_history: Device 0 has no history.+_record_memory_history/)
  })

  test('a trace has no requests to run again: status 2', async () => {
    const path = join(scratch.path, 'trace.json')
    writeFileSync(path, JSON.stringify({ traceEvents: [{ ph: 'X', name: 'step', pid: 1, tid: 1, ts: 1, dur: 2 }] }))
    const { status, out, err } = await run(path)
    expect([status, out]).toEqual([2, ''])
    expect(err).toMatch(/^error: snapshot\/not_a_snapshot: /)
  })

  test('of several devices the answer names the one with the most events, or the one asked for', async () => {
    const path = join(scratch.path, 'two.pickle')
    const [one, two] = [new SimulatedAllocator({ device: 0 }), new SimulatedAllocator({ device: 1 })]
    one.alloc(1000, 0, null)
    for (const bytes of [1 << 20, 3 << 20]) two.alloc(bytes, 0, null)
    writeFileSync(path, writePickle(snapshot([...one.segments(), ...two.segments()], [one.events, two.events]), { protocol: 4 }))
    expect(JSON.parse((await run(path, '--json')).out).device).toBe(1)
    expect(JSON.parse((await run(path, '--json', '--device', '0')).out).device).toBe(0)
    expect((await run(path)).out.split('\n')[0]).toBe('two.pickle, device 1')
  })

  test('a failure whose bytes are rounded says so, and what that leaves open', async () => {
    const path = join(scratch.path, 'rounded.pickle')
    const options = { divisions: 4 }
    const allocator = new SimulatedAllocator(options)
    const asked = 776 * MiB
    allocator.alloc(700 * MiB, 0, null)
    allocator.free(allocator.alloc(asked, 0, null), false, null)
    allocator.outOfMemory(asked, 0)
    writeFileSync(path, writePickle(snapshotOf(allocator, options), { protocol: 4 }))
    const words = [path, '--capacity', String(1536 * MiB), '--set', 'default']
    const answer = JSON.parse((await run(...words, '--json')).out)
    expect(answer).toMatchObject({ fails: false, is_certain: false, depends_on: ['request'], reserved_peak_bytes: 1476 * MiB })
    expect(answer.failed_request).toMatchObject({ bytes: asked, most_bytes: 896 * MiB })
    expect(answer.failed_request.least_bytes).toBeGreaterThan(768 * MiB)
    expect([answer.least_reserved_peak_bytes, answer.most_reserved_peak_bytes]).toEqual([1476 * MiB, 1476 * MiB])
    const { out } = await run(...words)
    expect(out).toContain('not certain: it depends on what the failed request asked for')
    expect(out).toContain('anything from 768 MiB to 896 MiB; 776 MiB is taken')
  })
})
