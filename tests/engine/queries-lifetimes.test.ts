// The questions of the lifetime heat map on a real capture, through the port, held against plain SQL and the timeline.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { type EngineInput, type EngineMethod, engineMethods, lifetimeOrderSchema } from '../../preload/contract/queries.ts'
import { IndexFile } from '../support/index-file.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { capturesIn, codeOf, EngineClient } from './engine-client.ts'

const scratch = scratchFolder('queries-lifetimes')
let engine: EngineClient
let capture: CaptureSummary
let sql: IndexFile

const asked = new Set<EngineMethod>()
const ask = <M extends EngineMethod>(method: M, input: Omit<EngineInput<M>, 'captureId'>) => {
  asked.add(method)
  return engine.value(method, { captureId: capture.captureId, ...input } as EngineInput<M>)
}
const one = async (question: string) => (await sql.column(question))[0]

beforeAll(async () => {
  engine = new EngineClient(capturesIn(scratch.path), { lora: samplePath('ft_lora') })
  capture = await engine.open('lora')
  sql = await IndexFile.of(samplePath('ft_lora'))
})
afterAll(async () => {
  await engine.close()
  await sql.close()
  scratch.remove()
})

const events = { device: 0, axis: 'event' as const, x0: 0, x1: 6969 }
const byAllocation = { order: 'allocation' as const, y0: 0, y1: 2354 }

describe('lifetimes.space', () => {
  test('lays out every stretch of addresses once, without gaps', async () => {
    const { y1, rows } = await ask('lifetimes.space', { device: 0, order: 'address' })
    expect(rows.reduce((sum, { bytes = 0 }) => sum + bytes, 0)).toBe(y1)
    expect(rows.map(({ y0 }) => y0)).toEqual([0, ...rows.slice(0, -1).map((row) => row.y1)])
    const addresses = rows.map(({ address = '' }) => BigInt(address))
    expect(addresses).toEqual([...addresses].sort((a, b) => (a < b ? -1 : 1)))
  })

  test('counts every allocation in one class of size and in one stack, and names the stacks', async () => {
    const { rows: sizes } = await ask('lifetimes.space', { device: 0, order: 'size' })
    const { rows: stacks } = await ask('lifetimes.space', { device: 0, order: 'stack' })
    for (const rows of [sizes, stacks]) expect(rows.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(2354)
    expect(stacks.map(({ place = '' }) => place)).toContainEqual(expect.stringMatching(/\.py:\d+$/))
    for (const { stackId = -1, count } of stacks.slice(0, 10))
      expect(count).toBe(await one(`SELECT count(*) FROM allocation WHERE coalesce(stack_id, -1) = ${stackId}`))
    expect(await ask('lifetimes.space', { device: 0, order: 'allocation' })).toEqual({ y1: 2354, rows: [] })
  })
})

describe('lifetimes.raster', () => {
  const picture = { columns: 100, rows: 60, measure: 'bytes' as const, scale: 'linear' as const }

  test('adds up to the allocated curve, whatever lies along y', async () => {
    const view = { device: 0, axis: 'event' as const, x0: 2400, x1: 2500, columns: 100 }
    const curves = await ask('timeline.curves', view)
    for (const order of lifetimeOrderSchema.options) {
      const { y1 } = await ask('lifetimes.space', { device: 0, order })
      const raster = await ask('lifetimes.raster', { ...picture, ...view, order, y0: 0, y1 })
      expect(raster.cells).toHaveLength(6000)
      raster.columnTotal.forEach((bytes, column) => {
        expect(bytes / (curves.allocated.rep[column] ?? 0), `${order}, column ${column}`).toBeCloseTo(1, 6)
      })
    }
  })

  test('leaves out what the filter leaves out', async () => {
    const all = await ask('lifetimes.raster', { ...picture, ...events, ...byAllocation })
    const large = await ask('lifetimes.raster', { ...picture, ...events, ...byAllocation, filter: '{"min_bytes": 20000000}' })
    expect(all.shown).toBe(2354)
    expect(large.shown).toBe(await one('SELECT count(*) FROM allocation WHERE size_bytes >= 20000000'))
    expect(large.shown).toBeLessThan(all.shown)
    expect(all.meanColumns).toBeGreaterThan(0)
  })

  test('refuses a filter that it does not understand', async () => {
    const input = { captureId: capture.captureId, ...picture, ...events, ...byAllocation, filter: '{"min_bytes": "many"}' }
    expect(codeOf(await engine.ask('lifetimes.raster', input).answer)).toBe('query/bad_argument')
  })
})

describe('lifetimes.bars', () => {
  test('are the allocations in sight with their events, sizes and titles', async () => {
    const view = { ...events, order: 'allocation' as const, y0: 1200, y1: 1300 }
    const { count, bars } = await ask('lifetimes.bars', { ...view, limit: 1000 })
    expect([count, bars?.allocation.length, bars?.titles.length]).toEqual([100, 100, 100])
    const rows = await sql.all('SELECT * FROM allocation WHERE allocation_id >= 1200 AND allocation_id < 1300 ORDER BY allocation_id')
    rows.forEach((row, index) => {
      const at = [...(bars?.allocation ?? [])].indexOf(1200 + index)
      expect([bars?.start[at], bars?.freeRequested[at], bars?.bytes[at], bars?.slot[at], bars?.y0[at]]).toEqual([
        row.alloc_event,
        row.free_requested_event ?? Number.NaN,
        row.size_bytes,
        row.slot,
        1200 + index,
      ])
    })
    expect(bars?.titles).toContainEqual(expect.stringMatching(/\w+ .+\.py:\d+$/))
  })

  test('are left out, and counted, where there are more than the limit', async () => {
    expect(await ask('lifetimes.bars', { ...events, ...byAllocation, limit: 100 })).toEqual({ count: 2354, bars: null })
  })
})

describe('lifetimes.list', () => {
  test('counts what a rectangle holds', async () => {
    const list = await ask('lifetimes.list', { ...events, ...byAllocation, sort: 'area', limit: 50, offset: 0 })
    const facts = await sql.all(`SELECT count(*) AS count, sum(size_bytes) AS bytes, sum(free_requested_event IS NULL) AS never,
      sum(free_requested_event - alloc_event <= 40) AS temporary FROM allocation`)
    expect([{ count: list.count, bytes: list.bytes, never: list.neverFreed, temporary: list.temporary }]).toEqual(facts)
  })

  test.each(['area', 'size', 'life'] as const)('is sorted by %s, page after page', async (sort) => {
    const page = (offset: number, limit: number) => ask('lifetimes.list', { ...events, ...byAllocation, sort, limit, offset })
    const [all, first, second] = [await page(0, 200), await page(0, 40), await page(40, 40)]
    expect([...first.rows, ...second.rows]).toEqual(all.rows.slice(0, 80))
    const keys = all.rows.map((row) => (sort === 'size' ? row.sizeBytes : row[sort]))
    expect(keys).toEqual([...keys].sort((a, b) => b - a))
    expect(all.rows[0]).toMatchObject({ address: expect.stringMatching(/^0x/), place: expect.any(String) })
  })
})

test('lifetimes.place and lifetimes.pick are inverse in every order', async () => {
  const [row] = await sql.all('SELECT * FROM allocation WHERE free_completed_event - alloc_event > 100 ORDER BY size_bytes DESC LIMIT 1')
  const allocationId = Number(row?.allocation_id)
  for (const order of lifetimeOrderSchema.options) {
    const place = await ask('lifetimes.place', { device: 0, axis: 'event', order, allocationId })
    expect(place).toMatchObject({
      start: row?.alloc_event,
      freeRequested: row?.free_requested_event,
      freeCompleted: row?.free_completed_event,
    })
    const at = { device: 0, axis: 'event' as const, order, x: (place.start ?? 0) + 50, y: (place.y0 + place.y1) / 2 }
    const { allocation } = await ask('lifetimes.pick', at)
    // Along size and stack several share a place: the largest is meant.
    if (order === 'size' || order === 'stack') expect(allocation?.sizeBytes).toBeGreaterThanOrEqual(Number(row?.size_bytes))
    else expect(allocation?.allocationId).toBe(allocationId)
    expect((await ask('lifetimes.pick', { ...at, filter: '{"min_bytes": 1000000000000000}' })).allocation).toBeNull()
  }
})

test('every question of the heat map is asked above', () => {
  expect([...asked].filter((method) => method.startsWith('lifetimes.')).sort()).toEqual(
    Object.keys(engineMethods)
      .filter((method) => method.startsWith('lifetimes.'))
      .sort(),
  )
})
