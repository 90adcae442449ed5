// What the index says of a request against what allocators did: the simulated one takes the block named, and so did PyTorch's.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blockMethods } from '../../preload/contract/blocks.ts'
import type { TrueAllocation } from '../fixtures/allocator.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { programs, requestSizes, runProgram, snapshotOf } from '../fixtures/programs.ts'
import { baseAddress, block, event, segment, snapshot } from '../fixtures/snapshots.ts'
import { fitTallies } from '../reference/fit.ts'
import { Playback, returnableBytes } from '../reference/playback.ts'
import { replay } from '../reference/replay.ts'
import { rulesOf } from '../reference/rules.ts'
import { toSnapshot } from '../reference/snapshot.ts'
import { unpickle } from '../reference/unpickle.ts'
import { corpusFolder, corpusSnapshots } from '../support/corpus.ts'
import { IndexFile, type Row } from '../support/index-file.ts'
import { sampleNames, samplePath } from '../support/paths.ts'
import { randomIntegers } from '../support/random.ts'

interface Fit {
  readonly rounded: number
  readonly segment_bytes: number
  readonly fits: boolean
  readonly block: { readonly address: string; readonly size_bytes: number; readonly rest_bytes: number } | null
  readonly fitting_count: number
  readonly returnable_bytes: number
  readonly reserved_bytes: number
}

async function ask(index: IndexFile, device: number, event: number, bytes: number, place: readonly [number, string]): Promise<Fit> {
  const [text] = await index.column('SELECT would_fit(?, ?, ?, ?, ?)', [device, event, bytes, ...place])
  return JSON.parse(String(text)) as Fit
}

const hex = (address: bigint) => `0x${address.toString(16)}`

interface Entry {
  readonly action: string
  readonly size: number
}

/** The answer is what the simulated allocator then did: events since `before`, the last of which is the allocation. */
function expectDone(fit: Fit, made: TrueAllocation, done: readonly Entry[]): void {
  const fresh = done.filter(({ action }) => action === 'segment_alloc' || action === 'segment_map')
  expect(fit.fits).toBe(fresh.length === 0)
  expect(fit.fitting_count > 0).toBe(fit.fits)
  if (fit.block === null) expect(fit.segment_bytes).toBe(fresh.reduce((sum, { size }) => sum + size, 0))
  else {
    expect(fit.block.address).toBe(hex(made.address))
    expect(fit.block.size_bytes - fit.block.rest_bytes).toBe(made.size)
  }
}

const requests = fc.record({ bytes: requestSizes, stream: fc.nat(2), pool: fc.constantFrom(0, 0, 1) })

test('a request of a random program gets the block that the allocator then takes', async () => {
  const outcomes = { fits: 0, misses: 0 }
  await fc.assert(
    fc.asyncProperty(programs(100), requests, async (program, { bytes, stream, pool }) => {
      // A free block at the end of an expandable segment serves even what max_split_size keeps it from: left to the notes of would_fit.
      const options = { ...program.options, namesPools: true, ...(program.options.expandable === true ? { maxSplit: -1 } : {}) }
      const allocator = runProgram({ ...program, options })
      const isKnown =
        allocator.allocations.some(({ arena }) => arena.stream === stream) && allocator.allocations.some(({ arena }) => arena.pool === pool)
      fc.pre(isKnown)
      const pickle = writePickle(snapshotOf(allocator, options), { protocol: 4 })
      const index = await IndexFile.ofBytes('fit', pickle)
      try {
        const event = allocator.events.length - 1
        const fit = await ask(index, 0, event, bytes, [stream, `(${pool},0)`])
        expectTallies(fit, toSnapshot(unpickle(pickle)), { bytes, stream: BigInt(stream), pool: `(${pool},0)` })
        const made = allocator.alloc(bytes, stream, null, pool)
        expectDone(fit, made, allocator.events.slice(event + 1) as unknown as readonly Entry[])
        outcomes[fit.fits ? 'fits' : 'misses'] += 1
      } finally {
        await index.close()
      }
    }),
    { numRuns: 300 },
  )
  expect(Math.min(outcomes.fits, outcomes.misses)).toBeGreaterThan(30)
})

/** The counts of free blocks after the last event. */
function expectTallies(fit: Fit, file: ReturnType<typeof toSnapshot>, request: Parameters<typeof fitTallies>[2]): void {
  const run = replay(file, 0)
  const segments = new Playback(file, run).after(run.eventCount - 1)
  expect(fit).toMatchObject({ ...fitTallies(segments, rulesOf(file.settings), request) })
  expect(fit.reserved_bytes).toBe(segments.reduce((sum, segment) => sum + segment.size, 0))
  expect(fit.returnable_bytes).toBe(segments.reduce((sum, segment) => sum + returnableBytes(segment), 0))
}

/** Allocations whose making was recorded, with what went before: the last event that is neither the allocation nor new memory for it. */
async function someAllocations(index: IndexFile, count: number): Promise<Row[]> {
  const random = randomIntegers(11)
  const rows: Row[] = []
  for (const device of await index.all('SELECT device, first_allocation_id, allocation_count FROM device WHERE event_count > 0')) {
    const ids = Array.from({ length: count }, () => Number(device.first_allocation_id) + random(Number(device.allocation_count)))
    rows.push(
      ...(await index.all(
        `SELECT a.device, a.address, a.requested_bytes, a.size_bytes, CAST(a.stream AS TEXT) AS stream, a.pool, a.alloc_event,
           (SELECT action FROM event e WHERE e.device = a.device AND e.event = a.alloc_event - 1) AS before
         FROM allocation a WHERE a.allocation_id IN (${ids.join()}) AND a.alloc_event > 0 AND a.pool IS NOT NULL`,
      )),
    )
  }
  return rows
}

/** PyTorch took memory that it had: the index names the same block. It asked for more: the index finds none. */
async function expectPyTorch(index: IndexFile, count: number): Promise<number> {
  const rows = await someAllocations(index, count)
  for (const row of rows) {
    const isFresh = row.before === 'segment_alloc' || row.before === 'segment_map'
    const event = Number(row.alloc_event) - (isFresh ? 2 : 1)
    const fit = await ask(index, Number(row.device), event, Number(row.requested_bytes), [Number(row.stream), String(row.pool)])
    const where = `device ${row.device} after event ${event}`
    expect({ fits: fit.fits, address: fit.block?.address }, where).toEqual({ fits: !isFresh, address: isFresh ? undefined : row.address })
    if (fit.block !== null) expect(fit.block.size_bytes - fit.block.rest_bytes, where).toBe(row.size_bytes)
  }
  return rows.length
}

test('a stream is named as a signed number, in the answer as in the question', async () => {
  const handle = -(2n ** 62n) - 1n
  const address = baseAddress
  const trace = [event('segment_alloc', address, 2 << 20, { stream: handle }), event('alloc', address, 512, { stream: handle })]
  const blocks = [block(address, 512, 'active_allocated'), block(address + 512n, (2 << 20) - 512)]
  const file = snapshot([segment(address, blocks, { stream: handle })], [trace])
  const index = await IndexFile.ofBytes('signed-stream', writePickle(file, { protocol: 4 }))
  const sql = `SELECT would_fit(0, 1, 700, stream, '(0,0)') AS fit, CAST(stream AS TEXT) AS stream FROM block_map(0, 1)`
  const [row] = await index.all(sql)
  expect(row?.stream).toBe(String(handle))
  expect(JSON.parse(String(row?.fit))).toMatchObject({ stream: String(handle), fits: true })
  expect(JSON.parse(String((await index.column('SELECT space_report(0, 1)'))[0])).groups[0].stream).toBe(String(handle))
  await index.close()
})

test.each([
  ['0', true],
  ['-9223372036854775808', true],
  ['9223372036854775808', false],
  ['', false],
  ['default', false],
  ['1e3', false],
])('a request on the stream %j is asked: %s', (stream, isAsked) => {
  const request = { captureId: 'c', device: 0, event: 0, sizeBytes: 1, stream }
  expect(blockMethods['blocks.wouldFit'].input.safeParse(request).success).toBe(isAsked)
})

test.each(sampleNames)('the shipped sample %s', async (name) => {
  const index = await IndexFile.of(samplePath(name))
  expect(await expectPyTorch(index, 100)).toBeGreaterThan(50)
  await index.close()
})

const snapshots = corpusSnapshots()

// Said in the report, not passed over in silence.
if (snapshots.length === 0) test.skip(`no corpus at ${corpusFolder}: PyTorch's own choices are not compared`, () => undefined)

describe.skipIf(snapshots.length === 0)('PyTorch took the block that the index names', () => {
  test.each(snapshots.map((snapshot) => [snapshot.name, snapshot.path] as const))('%s', { timeout: 300_000 }, async (_, path) => {
    const index = await IndexFile.of(path)
    try {
      const [known] = await index.column('SELECT count(*) FROM allocation WHERE alloc_event > 0 AND pool IS NOT NULL')
      expect((await expectPyTorch(index, 40)) > 0).toBe(Number(known) > 0)
    } finally {
      await index.close()
    }
  })
})
