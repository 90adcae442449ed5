// Histories that contradict the file's segments: sizes are rounded from the events, said so, and the layout still adds up.
import { afterEach, expect, test } from 'vitest'
import type { AllocatorOptions } from '../fixtures/allocator.ts'
import { SimulatedAllocator } from '../fixtures/allocator.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import { snapshot } from '../fixtures/snapshots.ts'
import type { Value } from '../fixtures/values.ts'
import { readBatch } from '../support/batch.ts'
import { IndexFile, type Row } from '../support/index-file.ts'
import { randomIntegers } from '../support/random.ts'

const MiB = 1 << 20

/** A busy run whose trace leaves out some kinds of events, as skip_actions does. */
function runWithout(skipped: readonly string[], options: AllocatorOptions): Value {
  const allocator = new SimulatedAllocator(options)
  const random = randomIntegers(5)
  for (let step = 0; step < 400; step += 1) {
    const held = allocator.held()
    const chosen = held[random(Math.max(1, held.length))]
    if (chosen !== undefined && random(5) < 2) allocator.free(chosen, random(3) === 0, null)
    else allocator.alloc(1 + random(random(3) === 0 ? 30 * MiB : 4096), random(2), null)
    if (step % 50 === 49) allocator.synchronize()
    if (step % 150 === 149) allocator.emptyCache()
  }
  const events = allocator.events.filter((event) => !skipped.includes((event as { readonly action: string }).action))
  return snapshot(allocator.segments(), [events])
}

let index: IndexFile | null = null
afterEach(async () => {
  await index?.close()
  index = null
})

const cases = [
  ['completed frees', ['free_completed']],
  ['frees of both kinds', ['free_requested', 'free_completed']],
  ['new pages', ['segment_map']],
  ['segments given back', ['segment_free', 'segment_unmap']],
  ['allocations', ['alloc']],
] as const

const modes = cases
  .flatMap(([name, skipped]) => [false, true].map((expandable) => ({ name, skipped, expandable })))
  .filter(({ name, expandable }) => name !== 'new pages' || expandable)

test.each(modes)(
  'a trace without $name (expandable: $expandable) is approximate, and its layout adds up',
  async ({ skipped, expandable }) => {
    index = await IndexFile.ofBytes('approximate', writePickle(runWithout(skipped, { expandable }), { protocol: 4 }))
    const [device] = await index.all('SELECT exact, event_count FROM device')
    expect(device?.exact).toBe(0)
    expect(await index.column("SELECT code FROM finding WHERE code = 'replay/approximate'")).toEqual(['replay/approximate'])
    const last = Number(device?.event_count) - 1
    for (const event of [-1, 0, last >> 2, last >> 1, last]) await expectAddsUp(index, event)
  },
)

/** Each block begins where the one before it in the segment ends. */
function expectTiled(blocks: readonly Row[]): void {
  let next = 0n
  for (const { address, size_bytes: size, segment_address: segment } of blocks) {
    const start = BigInt(String(address))
    expect(start === next || address === segment, `block at ${address}`).toBe(true)
    expect(start >= next).toBe(true)
    next = start + BigInt(Number(size))
  }
}

/** Blocks tile their segments, which agree with segment_map, and every answer about the layout is given. */
async function expectAddsUp(index: IndexFile, event: number): Promise<void> {
  const ofBlocks = await index.all(
    `SELECT segment_address, sum(size_bytes) AS bytes, count(*) AS blocks, sum(iif(state = 'inactive', size_bytes, 0)) AS free
     FROM block_map(0, ?) GROUP BY segment_address ORDER BY segment_address`,
    [event],
  )
  const ofSegments = await index.all(
    `SELECT address AS segment_address, total_bytes AS bytes, block_count AS blocks, free_bytes AS free
     FROM segment_map(0, ?) ORDER BY address`,
    [event],
  )
  expect(ofBlocks, `after event ${event}`).toEqual(ofSegments)
  expectTiled(await index.all('SELECT address, size_bytes, segment_address FROM block_map(0, ?)', [event]))
  const [fit] = await index.column('SELECT would_fit(0, ?, 4096, NULL, NULL)', [event])
  expect(JSON.parse(String(fit))).toMatchObject({ rounded: 4096 })
  const [raster] = await index.column("SELECT block_raster(0, ?, 'address', 0, 0, 1e7, 50, 0, 10, 'state', '')", [event])
  expect(readBatch(raster).get('cells')).toBeInstanceOf(Uint8Array)
}
