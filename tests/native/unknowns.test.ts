// What a file does not say is NULL, and what it says in one place only is found there: streams, stacks, blocks without events.
import { afterEach, expect, test } from 'vitest'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { baseAddress, block, event, segment, snapshot, stack } from '../fixtures/snapshots.ts'
import type { Value } from '../fixtures/values.ts'
import { IndexFile, type Row } from '../support/index-file.ts'

const MiB = 1 << 20
const at = (offset: number) => baseAddress + BigInt(offset)
const free2M = segment(baseAddress, [block(baseAddress, 2 * MiB)])
const held = (fields = {}, state = 'active_allocated') => segment(baseAddress, [block(baseAddress, 2 * MiB, state, fields)])

let index: IndexFile | null = null
afterEach(async () => {
  await index?.close()
  index = null
})

async function ask(value: Value, sql: string): Promise<Row[]> {
  await index?.close()
  index = await IndexFile.ofBytes('unknowns', writePickle(value, { protocol: 4 }))
  return index.all(sql)
}

const stackText = '(SELECT text FROM stack s WHERE s.stack_id = a.stack_id) AS stack'

test('streams that only segments name are known, each by its own handle', async () => {
  const segments = [77, 0, 1_000_003].map((stream, place) => {
    const address = at(place * 4 * MiB)
    return segment(address, [block(address, 2 * MiB, 'active_allocated')], { stream })
  })
  const wanted = [{ stream: 77 }, { stream: 0 }, { stream: 1_000_003 }]
  expect(await ask(snapshot(segments, []), 'SELECT stream FROM allocation ORDER BY address')).toEqual(wanted)
  expect(await index?.all('SELECT stream FROM block ORDER BY address')).toEqual(wanted)
})

test('what was made or given back before the first event has no event', async () => {
  const value = snapshot([held({}, 'active_pending_free')], [[event('snapshot', 0n, 0)]])
  const rows = await ask(
    value,
    `SELECT alloc_event, free_requested_event, free_completed_event, alloc_time_ns, free_time_ns, alloc_known, freed_in_capture,
       free_request_unseen FROM allocation`,
  )
  expect(rows).toEqual([
    {
      alloc_event: null,
      free_requested_event: null,
      free_completed_event: null,
      alloc_time_ns: null,
      free_time_ns: null,
      alloc_known: 0,
      freed_in_capture: 0,
      free_request_unseen: 1,
    },
  ])
  for (const term of [
    'alloc_event = -1',
    'alloc_event < 5',
    'alloc_event >= -1',
    'free_requested_event = -1',
    'free_requested_event < 9',
  ]) {
    expect(await index?.all(`SELECT 1 FROM allocation WHERE ${term}`), term).toEqual([])
  }
})

test('oom and snapshot events have no address', async () => {
  const oom: Value = { action: 'oom', device_free: 5, size: 4096, stream: 0, time_us: 1_700_000_000_000_000 }
  const rows = await ask(snapshot([], [[event('alloc', baseAddress, 512), oom, event('snapshot', 0n, 0)]]), 'SELECT address FROM event')
  expect(rows).toEqual([{ address: `0x${baseAddress.toString(16)}` }, { address: null }, { address: null }])
  expect(await index?.all("SELECT 1 FROM event WHERE address = '0x0'")).toEqual([])
})

test('a free without allocation lends it its stack', async () => {
  const frames = stack('release')
  const frees = [event('free_requested', baseAddress, 700, { frames }), event('free_completed', baseAddress, 700, { frames })]
  expect(await ask(snapshot([free2M], [frees]), `SELECT alloc_event, stack_is_of_free, ${stackText} FROM allocation a`)).toEqual([
    { alloc_event: null, stack_is_of_free: 1, stack: 'release (/home/user/train.py:10)' },
  ])
  const [waiting] = await ask(
    snapshot([held({ frames: stack('make') }, 'active_pending_free')], [frees.slice(0, 1)]),
    `SELECT stack_is_of_free, ${stackText} FROM allocation a`,
  )
  expect(waiting).toEqual({ stack_is_of_free: 0, stack: 'make (/home/user/train.py:10)' })
})

test.each([
  ['active_allocated', 2 * MiB, 0],
  ['active_pending_free', 0, 1],
])('an %s block that the history leaves free is there after the last event', async (state, alive, unseen) => {
  const events = [event('alloc', baseAddress, 512), event('free', baseAddress, 512), event('snapshot', 0n, 0)]
  const rows = await ask(
    snapshot([held({ frames: stack('make') }, state)], [events]),
    `SELECT version, size_bytes, alloc_event, alloc_known, freed_in_capture, free_request_unseen, ${stackText} FROM allocation a
     WHERE version = 1`,
  )
  expect(rows).toEqual([
    {
      version: 1,
      size_bytes: 2 * MiB,
      alloc_event: null,
      alloc_known: 0,
      freed_in_capture: 0,
      free_request_unseen: unseen,
      stack: 'make (/home/user/train.py:10)',
    },
  ])
  expect(await index?.column('SELECT allocated_bytes FROM memory_curve')).toEqual([512, 0, alive])
  expect(await index?.column('SELECT active_bytes FROM memory_curve')).toEqual([512, 0, 2 * MiB])
  expect(await index?.column('SELECT coalesce(sum(size_bytes), 0) FROM live_allocation(0, 2)')).toEqual([alive])
})

test('one finding a code, over all devices', async () => {
  const trace = () => [event('free_completed', baseAddress, 512), event('free_completed', baseAddress, 512)]
  const rows = await ask(snapshot([], [trace(), [], trace()]), "SELECT count, first_at FROM finding WHERE code = 'snapshot/ghost_free'")
  expect(rows).toEqual([{ count: 2, first_at: 1 }])
})

test('a completed free without its request says so by a code of its own', async () => {
  const trace = [event('alloc', baseAddress, 512), event('free_completed', baseAddress, 512)]
  expect(await ask(snapshot([free2M], [trace]), "SELECT code FROM finding WHERE code LIKE '%free%'")).toEqual([
    { code: 'snapshot/free_request_missing' },
  ])
})
