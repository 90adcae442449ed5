// Every question of the contract on real captures, through the port; the answers are held against each other and against plain SQL.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { type EngineInput, type EngineMethod, engineMethods } from '../../preload/contract/queries.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { event, snapshot } from '../fixtures/snapshots.ts'
import { IndexFile } from '../support/index-file.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { capturesIn, codeOf, EngineClient } from './engine-client.ts'

const scratch = scratchFolder('queries')
let engine: EngineClient
let capture: CaptureSummary
let sql: IndexFile

const asked = new Set<EngineMethod>(['capture.open'])
const ask = <M extends EngineMethod>(method: M, input: Omit<EngineInput<M>, 'captureId'>) => {
  asked.add(method)
  return engine.value(method, { captureId: capture.captureId, ...input } as EngineInput<M>)
}
const one = async (question: string, parameters: readonly (string | number)[] = []) => (await sql.column(question, parameters))[0]

beforeAll(async () => {
  engine = new EngineClient(capturesIn(scratch.path), {
    lora: samplePath('ft_lora'),
    oom: samplePath('oom'),
    two: samplePath('two_devices'),
    ooms: join(scratch.path, 'ooms.pickle'),
  })
  capture = await engine.open('lora')
  sql = await IndexFile.of(samplePath('ft_lora'))
})
afterAll(async () => {
  await engine.close()
  await sql.close()
  scratch.remove()
})

const whole = () => ({ device: 0, axis: 'event' as const, x0: 0, x1: capture.eventCount, columns: 200 })

describe('capture.open', () => {
  test('answers the numbers that torch.cuda.memory_stats() gave at the dump', () => {
    expect(capture).toMatchObject({
      kind: 'torch_snapshot',
      sourceName: 'ft_lora.pickle',
      hasHistory: true,
      hasTimes: true,
      eventCount: 6969,
    })
    expect(capture.devices).toHaveLength(1)
    expect(capture.devices[0]).toMatchObject({
      allocatedBytes: 156985344,
      reservedBytes: 1505755136,
      activeBytes: 156985344,
      requestedBytes: 155411712,
      inactiveSplitBytes: 233084928,
      peakAllocatedBytes: 1234779648,
      allocationCount: 2354,
      exact: true,
    })
  })

  test('tells devices apart and lists failures to allocate', async () => {
    const two = await engine.open('two')
    expect(two.devices.map(({ device, eventCount }) => [device, eventCount])).toEqual([
      [0, 125],
      [1, 259],
    ])
    const oom = await engine.open('oom')
    expect(oom.devices[0]?.ooms).toEqual([expect.objectContaining({ event: 664, sizeBytes: 419430400, deviceFreeBytes: 143531114496 })])
  })

  test('lists the first thousand failures of every device and counts them all', async () => {
    const failures = (count: number) => Array.from({ length: count }, (_, index) => event('oom', 0n, index + 1, { device_free: 7 }))
    writeFileSync(join(scratch.path, 'ooms.pickle'), writePickle(snapshot([], [failures(1002), failures(3)]), { protocol: 4 }))
    const { devices } = await engine.open('ooms')
    expect(devices.map(({ device, oomCount, ooms }) => [device, oomCount, ooms.length, ooms[0]?.event, ooms.at(-1)?.event])).toEqual([
      [0, 1002, 1000, 0, 999],
      [1, 3, 3, 0, 2],
    ])
    expect(capture.devices[0]).toMatchObject({ oomCount: 0, ooms: [] })
  })

  test('gives the allocator settings and the streams and pools in order of first sight', () => {
    expect(capture.settings).toMatchObject({ expandable_segments: false })
    expect(capture.streams).toEqual(['0'])
    expect(capture.pools).toEqual(['(0,0)'])
  })
})

describe('timeline', () => {
  test('curves contain the peak, and its event is the representative of its column', async () => {
    const curves = await ask('timeline.curves', whole())
    expect(Math.max(...curves.allocated.max)).toBe(1234779648)
    expect([...curves.repEvent]).toContain(capture.devices[0]?.peakEvent)
    expect(curves.lastEvent.at(-1)).toBe(capture.eventCount)
    expect([...curves.reserved.max].every((bytes, column) => bytes >= (curves.active.max[column] ?? 0))).toBe(true)
  })

  test('curves over time carry the time of the representative event', async () => {
    const curves = await ask('timeline.curves', { ...whole(), axis: 'time', x1: capture.durationNs ?? 0 })
    const column = [...curves.repEvent].findIndex((event) => event >= 0)
    const { timeNs } = await ask('timeline.timeOf', { device: 0, event: curves.repEvent[column] ?? -1 })
    expect(curves.repTimeNs[column]).toBe(timeNs)
  })

  test('raster fills as many rows as bytes are allocated, with titled labels', async () => {
    const rows = 300
    const y1 = 1.3e9
    const raster = await ask('timeline.raster', { ...whole(), rows, y0: 0, y1, colorBy: 'stack' })
    const curves = await ask('timeline.curves', whole())
    expect(raster.cells).toHaveLength(200 * rows)
    for (const column of [10, 100, 199]) {
      const filled = raster.cells.subarray(column * rows, (column + 1) * rows).filter((cell) => (cell & 63) !== 0).length
      expect(filled).toBeCloseTo(((curves.allocated.rep[column] ?? 0) / y1) * rows, -1)
    }
    const near = await ask('timeline.raster', { ...whole(), x0: 2300, x1: 2500, columns: 1000, rows, y0: 0, y1, colorBy: 'stack' })
    expect(near.labels.map(({ title }) => title)).toContainEqual(expect.stringMatching(/\w+ .+\.py:\d+/))
    expect(raster.shown).toBeGreaterThanOrEqual(raster.folded)
  })

  test('raster shows what does not pass the filter in the slot of the left out', async () => {
    const view = { ...whole(), rows: 300, y0: 0, y1: 1.3e9, colorBy: 'stack' as const }
    const slots = async (filter: string) =>
      new Set([...(await ask('timeline.raster', { ...view, filter })).cells].map((cell) => cell & 63).filter((slot) => slot > 0))
    expect((await slots('')).has(63)).toBe(false)
    expect(await slots('{"min_bytes": 1000000000000000}')).toEqual(new Set([63]))
    const mixed = await slots('{"min_bytes": 20000000}')
    expect([mixed.has(63), mixed.size > 1]).toEqual([true, true])
  })

  test('pick finds the allocation under a point, and its outline covers that point', async () => {
    const event = capture.devices[0]?.peakEvent ?? 0
    const bytes = 600e6
    const { allocation } = await ask('timeline.pick', { device: 0, event, bytes })
    const outline = await ask('timeline.outline', {
      ...whole(),
      x0: event,
      x1: event + 1,
      columns: 1,
      allocationId: allocation?.allocationId ?? -1,
    })
    const bottom = outline.y0[0] ?? Number.NaN
    expect(bottom).toBeLessThanOrEqual(bytes)
    expect(bottom + (allocation?.sizeBytes ?? 0)).toBeGreaterThan(bytes)
    expect(outline.repEvent[0]).toBe(event)
    expect((await ask('timeline.pick', { device: 0, event, bytes: 1e12 })).allocation).toBeNull()
  })

  test('range counts what was allocated and freed within it', async () => {
    const range = await ask('timeline.range', { device: 0, fromEvent: 1000, toEvent: 3000 })
    const allocated = await sql.all(
      'SELECT count(*) AS n, sum(size_bytes) AS bytes FROM allocation WHERE alloc_event >= 1000 AND alloc_event < 3000',
    )
    expect({ n: range.allocatedCount, bytes: range.allocatedBytes }).toEqual(allocated[0])
    expect(range.freedCount).toBe(
      await one('SELECT count(*) FROM allocation WHERE free_requested_event >= 1000 AND free_requested_event < 3000'),
    )
    expect(range.netBytes).toBe(range.allocatedBytes - range.freedBytes)
    expect(range.curves.allocated.max).toBe(1234779648)
    expect(range.topStacks.map(({ place }) => place)).toContainEqual(expect.stringMatching(/\.py:\d+$/))
  })

  test('event at a time and time of an event are inverse', async () => {
    const { timeNs } = await ask('timeline.timeOf', { device: 0, event: 5000 })
    const { event } = await ask('timeline.eventAt', { device: 0, timeNs: timeNs ?? -1 })
    expect(event).toBeGreaterThanOrEqual(5000)
    expect((await ask('timeline.timeOf', { device: 0, event })).timeNs).toBe(timeNs)
    expect((await ask('timeline.eventAt', { device: 0, timeNs: -1 })).event).toBe(-1)
    expect((await ask('timeline.timeOf', { device: 0, event: 1e6 })).timeNs).toBeNull()
  })

  test('annotations come in order of time, with the events that they span', async () => {
    const { spans, total } = await ask('timeline.annotations', { device: 0 })
    expect(spans).toHaveLength(total)
    expect(total).toBe(await one('SELECT count(*) FROM annotation WHERE device = 0'))
    expect(spans.map(({ startNs }) => startNs)).toEqual(spans.map(({ startNs }) => startNs).sort((a, b) => a - b))
    expect(spans.every(({ startEvent, endEvent }) => endEvent >= startEvent)).toBe(true)
  })
})

describe('allocations', () => {
  test('alive after the peak add up to the peak, and top stacks to the same', async () => {
    const event = capture.devices[0]?.peakEvent ?? 0
    const live = await ask('allocation.live', { device: 0, event, sort: 'sizeBytes', descending: true, offset: 0, limit: 1000 })
    expect(live.totalBytes).toBe(1234779648)
    expect(live.rows).toHaveLength(live.total)
    expect(live.rows.reduce((sum, row) => sum + row.sizeBytes, 0)).toBe(live.totalBytes)
    const { stacks } = await ask('stacks.top', { device: 0, event, limit: 1000 })
    expect(stacks.reduce((sum, stack) => sum + stack.bytes, 0)).toBe(live.totalBytes)
  })

  test.each([
    ['min_bytes', { min_bytes: 2 ** 20 }, 'size_bytes >= 1048576'],
    ['most_events', { most_events: 40 }, 'alloc_known AND freed_in_capture AND free_requested_event - alloc_event <= 40'],
    ['never_freed', { never_freed: true }, 'NOT freed_in_capture'],
    [
      'stacks',
      { stacks: [-1, 3] },
      '(stack_id = 3 OR coalesce((SELECT depth FROM stack WHERE stack_id = live_allocation.stack_id), 0) = 0)',
    ],
    [
      'all of them',
      { min_bytes: 4096, never_freed: true, stacks: [-1, 3, 9] },
      `size_bytes >= 4096 AND NOT freed_in_capture AND (stack_id IN (3, 9)
        OR coalesce((SELECT depth FROM stack WHERE stack_id = live_allocation.stack_id), 0) = 0)`,
    ],
  ])('alive are filtered by %s, whatever the order, and counted with and without', async (_, filter, condition) => {
    const place = { device: 0, event: 2480, descending: true, offset: 0, limit: 1000 }
    const all = await ask('allocation.live', { ...place, sort: 'sizeBytes' })
    const ids = await sql.column(
      `SELECT allocation_id FROM live_allocation(0, 2480) WHERE ${condition} ORDER BY size_bytes DESC, allocation_id`,
    )
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.length).toBeLessThan(all.total)
    for (const sort of ['sizeBytes', 'title'] as const) {
      const live = await ask('allocation.live', { ...place, sort, filter: JSON.stringify(filter) })
      const found = live.rows.map(({ allocationId }) => allocationId)
      if (sort === 'sizeBytes') expect(found).toEqual(ids)
      expect(new Set(found)).toEqual(new Set(ids))
      expect([live.total, live.totalBytes]).toEqual([ids.length, live.rows.reduce((sum, row) => sum + row.sizeBytes, 0)])
      expect([live.aliveCount, live.aliveBytes]).toEqual([all.total, all.totalBytes])
    }
  })

  test('alive are written as CSV when they pass the filter', async () => {
    const path = join(scratch.path, 'never-freed.csv')
    const request = { device: 0, event: 2480, filter: '{"never_freed":true}', path }
    expect(codeOf(await engine.captures.writeLiveCsv(capture.captureId, request))).toBe('no failure')
    const ids = [...readFileSync(path, 'utf8').matchAll(/^(\d+),0x/gm)].map(([, id]) => Number(id))
    expect(new Set(ids)).toEqual(new Set(await sql.column('SELECT allocation_id FROM live_allocation(0, 2480) WHERE NOT freed_in_capture')))
  })

  test.each(['{', '[]', '{"min_bytes":-1}', '{"min_bytes":"1"}', '{"never_freed":1}', '{"colour":1}'])(
    'alive are not filtered by %s, which is no filter',
    async (filter) => {
      const input = {
        captureId: capture.captureId,
        device: 0,
        event: 0,
        sort: 'sizeBytes',
        descending: true,
        filter,
        offset: 0,
        limit: 1,
      } as const
      expect(codeOf(await engine.ask('allocation.live', input).answer)).toBe('query/bad_argument')
    },
  )

  test.each(['sizeBytes', 'requestedBytes', 'allocEvent', 'address', 'title'] as const)(
    'alive are sorted by %s, page after page',
    async (sort) => {
      const page = (offset: number, limit: number) =>
        ask('allocation.live', { device: 0, event: 2480, sort, descending: false, offset, limit })
      const [all, first, second] = [await page(0, 1000), await page(0, 40), await page(40, 40)]
      expect([...first.rows, ...second.rows]).toEqual(all.rows.slice(0, 80))
      const keys = all.rows.map((row) => (sort === 'title' ? `${row.title}\0${row.place}` : row[sort]))
      expect(keys).toEqual([...keys].sort((a, b) => ((a ?? -1) < (b ?? -1) ? -1 : (a ?? -1) > (b ?? -1) ? 1 : 0)))
    },
  )

  test('are found by name, by address and by id, whatever the spelling', async () => {
    const { rows } = await ask('allocation.live', { device: 0, event: 2480, sort: 'sizeBytes', descending: true, offset: 0, limit: 1 })
    const [wanted] = rows
    const found = async (text: string) => (await ask('allocation.find', { device: 0, text })).allocation
    const digits = wanted?.address.slice(2) ?? ''
    for (const text of [
      `b${digits}_${wanted?.version}`,
      ` 0x${digits.toUpperCase()}_${wanted?.version} `,
      `${wanted?.allocationId}`,
      `#${wanted?.allocationId}`,
    ])
      expect(await found(text)).toEqual(wanted)
    expect((await found(`0x${digits}`))?.address).toBe(wanted?.address)
    expect(await found('0x1234')).toBeNull()
    expect(await found('forward')).toBeNull()
  })

  test('have details: frames by kind, the lives of the address, brothers of the same stack', async () => {
    const id = Number(
      await one(
        'SELECT allocation_id FROM allocation WHERE version = 3 AND free_completed_event IS NOT NULL AND stack_id IS NOT NULL LIMIT 1',
      ),
    )
    const details = await ask('allocation.details', { allocationId: id })
    expect(details).toMatchObject({ allocationId: id, device: 0, state: 'freed', stackIsOfFree: false })
    expect(details.uses[details.useIndex]?.allocationId).toBe(id)
    expect(details.useCount).toBe(await one('SELECT count(*) FROM allocation WHERE address = ?', [details.address]))
    expect(details.sameStackCount).toBe(await one('SELECT count(*) FROM allocation WHERE stack_id = ?', [details.stackId]))
    expect(details.sameStackMedianNs).toBeGreaterThan(0)
    expect(new Set(details.frames.map(({ kind }) => kind))).toContain('own')
    expect(details.segmentBytes).toBeGreaterThanOrEqual(details.sizeBytes)
  })

  test('that do not exist are a bad argument', async () => {
    expect(codeOf(await engine.ask('allocation.details', { captureId: capture.captureId, allocationId: 1e6 }).answer)).toBe(
      'query/bad_argument',
    )
  })
})

describe('stacks.find', () => {
  const framesWith = (text: string) =>
    one(
      `SELECT count(DISTINCT stack_id) FROM stack_frame JOIN frame USING (frame_id)
       WHERE instr(lower(name), ?1) > 0 OR instr(lower(filename), ?1) > 0`,
      [text.toLowerCase()],
    )

  test.each(['linear.py', 'FORWARD', '_', '%', '\\', 'no such function'])('finds the stacks with %s in a name or a file', async (text) => {
    const { stackIds, count } = await ask('stacks.find', { text })
    expect(count).toBe(await framesWith(text))
    expect(stackIds).toHaveLength(count)
    expect(stackIds).toEqual([...stackIds].sort((a, b) => a - b))
  })
})

test('capture.close ends the answers of that capture only', async () => {
  const other = await engine.open('oom')
  asked.add('capture.close')
  await engine.value('capture.close', { captureId: other.captureId })
  const question = { device: 0, timeNs: 0 }
  expect(codeOf(await engine.ask('timeline.eventAt', { captureId: other.captureId, ...question }).answer)).toBe('query/unknown_capture')
  expect(await ask('timeline.eventAt', question)).toEqual({ event: expect.any(Number) })
})

test('every method of the contract that has no file of its own is asked above', () => {
  const elsewhere =
    /^((blocks|categories|diagnosis|event|failures|flame|join|lifetimes|report|space|sql|trace|whatif)\.|allocation\.(list|place)$)/
  expect([...asked].sort()).toEqual(
    Object.keys(engineMethods)
      .filter((method) => !elsewhere.test(method))
      .sort(),
  )
})
