// The questions about the layout of memory on real captures, through the port, held against the file's own segments, plain SQL and the timeline.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { type EngineInput, type EngineMethod, engineMethods, segmentOrderSchema } from '../../preload/contract/queries.ts'
import { IndexFile } from '../support/index-file.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { capturesIn, codeOf, EngineClient } from './engine-client.ts'

const scratch = scratchFolder('queries-space')
let engine: EngineClient
let capture: CaptureSummary
let sql: IndexFile

const asked = new Set<EngineMethod>()
const ask = <M extends EngineMethod>(method: M, input: Omit<EngineInput<M>, 'captureId'>) => {
  asked.add(method)
  return engine.value(method, { captureId: capture.captureId, ...input } as EngineInput<M>)
}
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)

beforeAll(async () => {
  engine = new EngineClient(capturesIn(scratch.path), { lora: samplePath('ft_lora'), oom: samplePath('oom') })
  capture = await engine.open('lora')
  sql = await IndexFile.of(samplePath('ft_lora'))
})
afterAll(async () => {
  await engine.close()
  await sql.close()
  scratch.remove()
})

const last = { device: 0, event: 6968 }
const middle = { device: 0, event: 2480 }
const layoutAt = (event: number) => sql.all('SELECT * FROM block_map(0, ?)', [event])

describe('blocks.segments', () => {
  test('are at the end those of the file, with the same bytes, stream and pool', async () => {
    const found = await ask('blocks.segments', { ...last, order: 'address' })
    const rows = await sql.all('SELECT *, CAST(stream AS TEXT) AS handle FROM segment ORDER BY address')
    expect(found.addresses).toEqual(rows.map(({ address }) => address))
    expect([...found.totalBytes]).toEqual(rows.map(({ total_bytes }) => total_bytes))
    expect([...found.allocatedBytes]).toEqual(rows.map(({ allocated_bytes }) => allocated_bytes))
    expect([...found.activeBytes]).toEqual(rows.map(({ active_bytes }) => active_bytes))
    expect([...found.requestedBytes]).toEqual(rows.map(({ requested_bytes }) => requested_bytes))
    expect([...found.blockCount]).toEqual(rows.map(({ block_count }) => block_count))
    expect([...found.isSmall]).toEqual(rows.map(({ segment_type }) => (segment_type === 'small' ? 1 : 0)))
    expect(found.streams).toEqual(rows.map(({ handle }) => handle))
    expect(found.pools).toEqual(rows.map(({ pool }) => pool))
  })

  test('add up at any event to the curves of the timeline', async () => {
    const found = await ask('blocks.segments', { ...middle, order: 'size' })
    const curves = await ask('timeline.curves', { device: 0, axis: 'event', x0: 2480, x1: 2481, columns: 1 })
    expect([sum(found.totalBytes), sum(found.activeBytes), sum(found.allocatedBytes)]).toEqual([
      curves.reserved.rep[0],
      curves.active.rep[0],
      curves.allocated.rep[0],
    ])
    found.freeBytes.forEach((free, index) => {
      expect(free).toBe((found.totalBytes[index] ?? 0) - (found.activeBytes[index] ?? 0))
      expect(found.largestFreeBytes[index]).toBeLessThanOrEqual(free)
      expect((found.largestFreeOffset[index] ?? 0) >= 0).toBe(free > 0)
    })
  })

  test('come in the order asked for', async () => {
    const inOrder = async (order: (typeof segmentOrderSchema.options)[number]) => ask('blocks.segments', { ...middle, order })
    const bySize = [...(await inOrder('size')).totalBytes]
    expect(bySize).toEqual([...bySize].sort((a, b) => b - a))
    const occupancy = await inOrder('occupancy')
    const shares = [...occupancy.activeBytes].map((active, index) => active / (occupancy.totalBytes[index] ?? 1))
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    const addresses = new Set((await inOrder('address')).addresses)
    for (const order of segmentOrderSchema.options) expect(new Set((await inOrder(order)).addresses)).toEqual(addresses)
  })
})

describe('blocks.raster', () => {
  const view = {
    order: 'address' as const,
    lineBytes: 0,
    x0: 0,
    x1: 262144000,
    columns: 200,
    line0: 0,
    lines: 12,
    colorBy: 'state' as const,
  }

  test('has a box for every block in sight, with the title of its allocation', async () => {
    const raster = await ask('blocks.raster', { ...middle, ...view })
    const blocks = await layoutAt(2480)
    expect(raster.cells).toHaveLength(200 * 12)
    expect(raster.boxes?.line.length).toBe(raster.blockCount)
    const { addresses } = await ask('blocks.segments', { ...middle, order: 'address' })
    expect(raster.allLines).toBe(addresses.length)
    const shown = new Set(addresses.slice(0, 12))
    const expected = blocks.filter(({ segment_address }) => shown.has(String(segment_address)))
    expect([...(raster.boxes?.bytes ?? [])]).toEqual(expected.map(({ size_bytes }) => size_bytes))
    expect([...(raster.boxes?.allocation ?? [])]).toEqual(expected.map(({ allocation_id }) => allocation_id ?? -1))
    expect(raster.boxes?.titles).toContainEqual(expect.stringMatching(/\w+ .+\.py:\d+$/))
    raster.boxes?.state.forEach((state, index) => {
      expect(state === 0).toBe(raster.boxes?.allocation[index] === -1)
    })
  })

  test('breaks segments into lines of the length asked for', async () => {
    const lineBytes = 20 * 1024 ** 2
    const raster = await ask('blocks.raster', { ...middle, ...view, lineBytes, x1: lineBytes, lines: 100 })
    const { totalBytes } = await ask('blocks.segments', { ...middle, order: 'address' })
    expect(raster.allLines).toBe(sum([...totalBytes].map((bytes) => Math.ceil(bytes / lineBytes))))
    expect(raster.longestBytes).toBeLessThanOrEqual(lineBytes)
    expect([...raster.lineOffset.subarray(0, 3)]).toEqual([0, lineBytes, 2 * lineBytes])
  })

  test('marks what the filter leaves out', async () => {
    const slots = async (filter: string) =>
      new Set([...(await ask('blocks.raster', { ...middle, ...view, filter })).cells].filter((cell) => cell > 1).map((cell) => cell & 31))
    expect((await slots('')).has(31)).toBe(false)
    expect(await slots('{"min_bytes": 1000000000000000}')).toEqual(new Set([31]))
  })

  test('refuses an event that is not in the capture', async () => {
    const input = { captureId: capture.captureId, device: 0, event: 1e6, ...view }
    expect(codeOf(await engine.ask('blocks.raster', input).answer)).toBe('query/bad_argument')
  })
})

describe('blocks.at', () => {
  test('finds the block that contains an address, whatever its state', async () => {
    const blocks = await layoutAt(2480)
    const held = blocks.find(({ allocation_id, stack_id }) => allocation_id !== null && stack_id !== null)
    const free = blocks.find(({ allocation_id }) => allocation_id === null)
    for (const row of [held, free]) {
      const address = `0x${(BigInt(String(row?.address)) + BigInt(Number(row?.size_bytes)) - 1n).toString(16)}`
      const { block } = await ask('blocks.at', { ...middle, address })
      expect(block).toMatchObject({
        address: row?.address,
        sizeBytes: row?.size_bytes,
        requestedBytes: row?.requested_bytes,
        state: row?.state,
        allocationId: row?.allocation_id,
        segmentAddress: row?.segment_address,
        stackId: row?.stack_id ?? -1,
      })
    }
    const { allocation } = await ask('allocation.find', { device: 0, text: `#${held?.allocation_id}` })
    const { block } = await ask('blocks.at', { ...middle, address: String(held?.address) })
    expect([block?.title, block?.place, block?.sinceEvent]).toEqual([allocation?.title, allocation?.place, allocation?.allocEvent])
  })

  test('finds nothing where no memory is reserved', async () => {
    expect(await ask('blocks.at', { ...middle, address: '0x10' })).toEqual({ block: null })
  })
})

describe('blocks.wouldFit', () => {
  test('takes a small request from a free block and tells which', async () => {
    const fit = await ask('blocks.wouldFit', { ...middle, sizeBytes: 1000 })
    expect(fit).toMatchObject({ requested: 1000, rounded: 1024, segmentType: 'small', stream: '0', pool: '(0,0)' })
    const [large] = [await ask('blocks.wouldFit', { ...last, sizeBytes: 2e6, stream: '0', pool: '(0,0)' })]
    expect(large?.fits).toBe(true)
    const { block } = await ask('blocks.at', { ...last, address: large?.block?.address ?? '' })
    expect(block).toMatchObject({ state: 'inactive', sizeBytes: large?.block?.sizeBytes, segmentAddress: large?.block?.segmentAddress })
  })

  test('says what there is where nothing fits', async () => {
    const fit = await ask('blocks.wouldFit', { ...last, sizeBytes: 1e12 })
    expect(fit).toMatchObject({ fits: false, block: null, fittingCount: 0, deviceFreeBytes: null })
    expect(fit.free.largestBytes).toBeGreaterThan(0)
    expect(fit.reservedBytes).toBe(1505755136)
  })

  test('knows the free memory of the device at a failure to allocate', async () => {
    const { captureId } = await engine.open('oom')
    const fit = await engine.value('blocks.wouldFit', { captureId, device: 0, event: 664, sizeBytes: 419430400 })
    expect([fit.fits, fit.deviceFreeBytes]).toEqual([false, 143531114496])
  })
})

describe('space.report', () => {
  test('adds up at the end to what torch.cuda.memory_stats() gave', async () => {
    const { totals, groups, freeSizes, requestSizes } = await ask('space.report', last)
    expect(totals).toMatchObject({
      reservedBytes: 1505755136,
      allocatedBytes: 156985344,
      activeBytes: 156985344,
      requestedBytes: 155411712,
      inactiveSplitBytes: 233084928,
    })
    for (const key of ['segments', 'reservedBytes', 'freeBytes', 'freeBlockCount'] as const)
      expect(sum(groups.map((group) => group[key]))).toBe(totals[key])
    expect(sum(freeSizes.map(({ bytes }) => bytes))).toBe(totals.freeBytes)
    expect(sum(requestSizes.map(({ count }) => count))).toBe(2354)
  })

  test('names what pins half-empty segments', async () => {
    const { pins } = await ask('space.report', { device: 0, event: 4000 })
    expect(pins.length).toBeGreaterThan(0)
    for (const { activeCount, holders, freeBytes, totalBytes } of pins) {
      expect(holders.length).toBe(Math.min(5, activeCount))
      expect(freeBytes / totalBytes).toBeGreaterThanOrEqual(0.5)
    }
    expect(pins.flatMap(({ holders }) => holders.map(({ place }) => place))).toContainEqual(expect.stringMatching(/\.py:\d+$/))
  })

  test('counts all active blocks of a pinned segment by stack where the holders are not all', async () => {
    const { captureId, devices } = await engine.open('oom')
    const event = devices[0]?.ooms.at(-1)?.event ?? -1
    const { pins } = await engine.value('space.report', { captureId, device: 0, event })
    const own = await IndexFile.of(samplePath('oom'))
    for (const { holders, activeCount, activeBytes, segmentAddress, stacks } of pins) {
      expect(stacks === undefined).toBe(holders.length >= activeCount)
      if (!stacks) continue
      expect([sum(stacks.map(({ count }) => count)), sum(stacks.map(({ bytes }) => bytes))]).toEqual([activeCount, activeBytes])
      for (const { stackId, allocationId } of stacks) {
        const [found] = await own.all(
          `SELECT max(size_bytes) = (SELECT size_bytes FROM allocation WHERE allocation_id = ?4) AS is_largest FROM block_map(0, ?1)
            WHERE segment_address = ?2 AND coalesce(stack_id, -1) = ?3 AND state <> 'inactive'`,
          [event, segmentAddress, stackId, allocationId],
        )
        expect(found?.is_largest).toBe(1)
      }
    }
    await own.close()
    expect(pins.some(({ stacks }) => stacks !== undefined)).toBe(true)
  })
})

test('space.curves agree with the timeline and with the file at the end', async () => {
  const view = { device: 0, axis: 'event' as const, x0: 0, x1: 6969, columns: 300 }
  const [space, timeline] = [await ask('space.curves', view), await ask('timeline.curves', view)]
  for (const name of ['reserved', 'active', 'allocated', 'requested'] as const) expect(space[name].max).toEqual(timeline[name].max)
  const end = await ask('space.curves', { ...view, x0: 6968, columns: 1 })
  expect([end.inactiveSplit.rep[0], end.largestFree.rep[0]]).toEqual([233084928, capture.devices[0]?.largestFreeBytes])
  const { totals } = await ask('space.report', last)
  expect([end.returnable.rep[0], end.freeBlocks.rep[0]]).toEqual([totals.returnableBytes, totals.freeBlockCount])
})

describe('event.row', () => {
  test('is the event as the file has it', async () => {
    const [row] = await sql.all("SELECT *, CAST(stream AS TEXT) AS handle FROM event WHERE action = 'alloc' AND stack_id > 0 LIMIT 1")
    expect((await ask('event.row', { device: 0, event: Number(row?.event) })).row).toMatchObject({
      event: row?.event,
      action: 'alloc',
      address: row?.address,
      sizeBytes: row?.size_bytes,
      stream: row?.handle,
      timeNs: row?.time_ns,
      stackId: row?.stack_id,
      deviceFreeBytes: null,
      title: expect.stringMatching(/./),
    })
    expect((await ask('event.row', { device: 0, event: 1e6 })).row).toBeNull()
  })

  test('of a failure to allocate has no address, but the free memory of the device', async () => {
    const { captureId } = await engine.open('oom')
    const { row } = await engine.value('event.row', { captureId, device: 0, event: 664 })
    expect(row).toMatchObject({ action: 'oom', address: null, sizeBytes: 419430400, deviceFreeBytes: 143531114496 })
  })
})

test('every question about the layout is asked above', () => {
  const mine = /^(blocks|space|event)\./
  expect([...asked].filter((method) => mine.test(method)).sort()).toEqual(
    Object.keys(engineMethods)
      .filter((method) => mine.test(method))
      .sort(),
  )
})
