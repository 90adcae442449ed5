// The table of all allocations on a real capture, through the port, held against plain SQL.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { allocationSortSchema, type EngineInput, type EngineMethod } from '../../preload/contract/queries.ts'
import { IndexFile } from '../support/index-file.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { capturesIn, codeOf, EngineClient } from './engine-client.ts'

const scratch = scratchFolder('queries-allocations')
let engine: EngineClient
let capture: CaptureSummary
let sql: IndexFile

const ask = <M extends EngineMethod>(method: M, input: Omit<EngineInput<M>, 'captureId'>) =>
  engine.value(method, { captureId: capture.captureId, ...input } as EngineInput<M>)
const place = { device: 0, sort: 'size', descending: true } as const

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

describe('the list of all allocations', () => {
  test('has every allocation with its numbers and the title of its stack, largest first', async () => {
    const { count, bytes, rows } = await ask('allocation.list', { ...place, offset: 0, limit: 1000 })
    expect([count]).toEqual(await sql.column('SELECT count(*) FROM allocation'))
    expect([bytes]).toEqual(await sql.column('SELECT sum(size_bytes) FROM allocation'))
    const ids = await sql.column('SELECT allocation_id FROM allocation ORDER BY size_bytes DESC, allocation_id LIMIT 1000')
    expect(rows.map(({ allocationId }) => allocationId)).toEqual(ids)
    expect(rows.filter(({ title }) => title !== '').length).toBeGreaterThan(400)
  })

  test.each(allocationSortSchema.options)('is the same by pages as in one piece, sorted by %s', async (sort) => {
    const page = async (offset: number, limit: number) => (await ask('allocation.list', { ...place, sort, offset, limit })).rows
    const all = [...(await page(0, 1000)), ...(await page(1000, 1000)), ...(await page(2000, 1000))]
    expect(new Set(all.map(({ allocationId }) => allocationId)).size).toBe(2354)
    expect([...(await page(300, 7)), ...(await page(307, 5))]).toEqual(all.slice(300, 312))
    const { index } = await ask('allocation.place', { ...place, sort, allocationId: all[1234]?.allocationId ?? -1 })
    expect(index).toBe(1234)
  })

  test.each([false, true])('by stack is in order of titles, those without one last (descending: %s)', async (descending) => {
    const page = async (offset: number) =>
      (await ask('allocation.list', { device: 0, sort: 'stack', descending, offset, limit: 1000 })).rows
    const rows = [...(await page(0)), ...(await page(1000)), ...(await page(2000))]
    const keys = rows.map(({ title, place }) => (title === '' ? '' : `${title}\0${place}`))
    const titled = keys.filter((key) => key !== '')
    expect(new Set(titled).size).toBeGreaterThan(10)
    const sorted = [...titled].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    expect(keys).toEqual([...(descending ? sorted.reverse() : sorted), ...keys.slice(titled.length).map(() => '')])
  })

  test('holds what passes the filter, and tells that another has no place', async () => {
    const filter = JSON.stringify({ alive_at: 2480, max_bytes: 4096 })
    const ids = await sql.column(
      'SELECT allocation_id FROM live_allocation(0, 2480) WHERE size_bytes <= 4096 ORDER BY size_bytes DESC, allocation_id',
    )
    const { count, rows } = await ask('allocation.list', { ...place, filter, offset: 0, limit: 1000 })
    expect(count).toBe(ids.length)
    expect(rows.map(({ allocationId }) => allocationId)).toEqual(ids.slice(0, 1000))
    const [left] = await sql.column('SELECT allocation_id FROM allocation WHERE size_bytes > 4096 LIMIT 1')
    expect(await ask('allocation.place', { ...place, filter, allocationId: Number(left) })).toEqual({ index: null })
  })

  test('is written as CSV row by row when it passes the filter', async () => {
    const path = join(scratch.path, 'made.csv')
    const request = { table: 'allocations', device: 0, event: -1, filter: '{"made_from":100,"made_to":200}', path } as const
    expect(codeOf(await engine.captures.writeLiveCsv(capture.captureId, request))).toBe('no failure')
    const ids = [...readFileSync(path, 'utf8').matchAll(/^(\d+),0x/gm)].map(([, id]) => Number(id))
    expect(ids).toEqual(await sql.column('SELECT allocation_id FROM allocation WHERE alloc_event >= 100 AND alloc_event < 200'))
    expect(ids.length).toBeGreaterThan(5)
  })

  test('of what is no filter is refused, also where there are no rows', async () => {
    const path = join(scratch.path, 'none.csv')
    expect(codeOf(await engine.captures.writeLiveCsv(capture.captureId, { device: 0, event: -1, filter: '{"x":1}', path }))).toBe(
      'query/bad_argument',
    )
  })
})
