// Memory in traces: what ops and steps did with it, what encloses an allocation, and what the questions about snapshots say of a trace.
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { event, object, x } from '../fixtures/traces/fixture.ts'
import { readTrace } from '../reference/trace.ts'
import { enclose, opsOf } from '../reference/trace-ops.ts'
import { f64, readBatch } from '../support/batch.ts'
import { corpusFile } from '../support/corpus.ts'
import { CodedError, IndexFile, type Row } from '../support/index-file.ts'
import { traceSamplePath } from '../support/paths.ts'

let index: IndexFile | null = null
afterEach(async () => {
  await index?.close()
  index = null
})

async function open(...events: readonly string[]): Promise<IndexFile> {
  await index?.close()
  index = await IndexFile.ofTraceBytes('trace-memory', Buffer.from(object(...events)))
  return index
}

let evIdx = 0
/** A memory event of thread 1: microseconds, address, bytes, total after it. */
function memory(ts: number, address: number, bytes: number, total: number, args: Readonly<Record<string, number>> = {}): string {
  evIdx += 1
  const device = { 'Device Type': 1, 'Device Id': 0 }
  const what = { 'Ev Idx': evIdx, ...device, Addr: address, Bytes: bytes, 'Total Allocated': total, 'Total Reserved': 65_536, ...args }
  return event('i', { cat: 'cpu_instant_event', s: 't', name: '[memory]', pid: 1, tid: 1, ts, args: what })
}
const op = (name: string, ts: number, dur: number) => x(name, ts, dur, { cat: 'cpu_op' })
const note = (name: string, ts: number, dur: number) => x(name, ts, dur, { cat: 'user_annotation' })

interface OpRow {
  readonly op: string
  readonly calls: number
  readonly allocations: number
  readonly self_bytes: number
  readonly total_bytes: number
  readonly freed_inside_bytes: number
  readonly kept_bytes: number
  readonly largest_bytes: number
}
interface OpAnswer {
  readonly groups: number
  readonly outside_bytes: number
  readonly rows: readonly OpRow[]
}

async function json<T>(from: IndexFile, sql: string, ...parameters: readonly (string | number)[]): Promise<T> {
  const [text] = await from.column(`SELECT ${sql}`, parameters)
  return JSON.parse(String(text)) as T
}
const opMemory = (from: IndexFile, device: number, first: number, behind: number, limit = 10_000) =>
  json<OpAnswer>(from, 'op_memory(?, ?, ?, ?)', device, first, behind, limit)

const linear = () =>
  open(
    op('aten::linear', 0, 100),
    op('aten::empty', 10, 5),
    memory(12, 0x1000, 512, 1512),
    op('aten::mm', 20, 50),
    memory(30, 0x2000, 1024, 2536),
    memory(60, 0x2000, -1024, 1512),
    memory(90, 0x3000, 256, 1768),
    memory(200, 0x1000, -512, 1256),
    op('aten::linear', 300, 100),
    memory(310, 0x3000, -256, 1000),
  )

test('ops have the bytes that PyTorch’s profiler gives them, with and without their children', async () => {
  const answer = await opMemory(await linear(), 0, 0, 6)
  const row = (name: string, numbers: readonly number[]) => ({
    op: name,
    calls: numbers[0],
    allocations: numbers[1],
    self_bytes: numbers[2],
    total_bytes: numbers[3],
    freed_inside_bytes: numbers[4],
    kept_bytes: numbers[5],
    largest_bytes: numbers[6],
  })
  expect(answer).toEqual({
    groups: 3,
    outside_bytes: -512,
    rows: [
      row('aten::empty', [1, 1, 512, 512, 0, 0, 512]),
      row('aten::linear', [2, 1, 0, 512, 1280, 0, 256]),
      row('aten::mm', [1, 1, 0, 0, 1024, 0, 1024]),
    ],
  })
})

test('a range of events has its own ops, and what is kept is alive behind it', async () => {
  const answer = await opMemory(await linear(), 0, 0, 2)
  expect(answer.rows.map((row) => [row.op, row.calls, row.self_bytes, row.kept_bytes])).toEqual([
    ['aten::mm', 1, 1024, 1024],
    ['aten::empty', 1, 512, 512],
    ['aten::linear', 1, 0, 0],
  ])
  expect((await opMemory(await linear(), 0, 0, 2, 1)).rows).toHaveLength(1)
  for (const [from, to, limit] of [
    [-1, 2, 5],
    [2, 2, 5],
    [0, 7, 5],
    [0, 2, 0],
  ] as const) {
    await expect(opMemory(await linear(), 0, from, to, limit)).rejects.toMatchObject({ code: 'query/bad_argument' })
  }
})

interface Step {
  readonly name: string
  readonly start_ns: number
  readonly end_ns: number
  readonly start_event: number
  readonly end_event: number
  readonly peak_bytes: number
  readonly allocated_bytes: number
  readonly freed_bytes: number
  readonly growth_bytes: number
}
const stepsOf = (from: IndexFile, device: number) => json<Step[]>(from, 'trace_steps(?)', device)

test('steps have their peak, what they allocated and freed, and by how much memory grew', async () => {
  const found = await open(
    note('ProfilerStep#3', 0, 100),
    note('Optimizer.step', 50, 10),
    memory(10, 0x1000, 512, 10_512),
    memory(55, 0x2000, 1024, 11_536),
    memory(100, 0x1000, -512, 11_024),
    note('ProfilerStep#4', 200, 100),
    note('Optimizer.step', 250, 10),
    memory(260, 0x2000, -1024, 10_000),
  )
  const step = (name: string, numbers: readonly number[]) => ({
    name,
    start_ns: numbers[0],
    end_ns: numbers[1],
    start_event: numbers[2],
    end_event: numbers[3],
    peak_bytes: numbers[4],
    allocated_bytes: numbers[5],
    freed_bytes: numbers[6],
    growth_bytes: numbers[7],
  })
  expect(await stepsOf(found, 0)).toEqual([
    step('ProfilerStep#3', [0, 100_000, 0, 3, 11_536, 1536, 512, 1024]),
    step('ProfilerStep#4', [200_000, 300_000, 3, 4, 11_024, 0, 1024, -1024]),
  ])
  expect(await found.all('SELECT name, kind, start_ns, end_ns FROM annotation WHERE device = 0 ORDER BY start_ns')).toEqual([
    { name: 'ProfilerStep#3', kind: 'step', start_ns: 0, end_ns: 100_000 },
    { name: 'Optimizer.step', kind: 'user', start_ns: 50_000, end_ns: 60_000 },
    { name: 'ProfilerStep#4', kind: 'step', start_ns: 200_000, end_ns: 300_000 },
    { name: 'Optimizer.step', kind: 'user', start_ns: 250_000, end_ns: 260_000 },
  ])
})

test('without steps the annotations that repeat stand for them', async () => {
  const found = await open(note('train', 0, 500), note('batch', 10, 40), memory(20, 0x1000, 512, 512), note('batch', 100, 40))
  expect((await stepsOf(found, 0)).map(({ name, growth_bytes }) => [name, growth_bytes])).toEqual([
    ['batch', 512],
    ['batch', 0],
  ])
})

test('the same code has the same stack in every step', async () => {
  const calls = [0, 1000].flatMap((at) => [note(`ProfilerStep#${at / 1000}`, at, 500), op('aten::mm', at + 10, 100)])
  const found = await open(...calls, memory(20, 0x1000, 512, 512), memory(1020, 0x2000, 512, 1024))
  expect(await found.column('SELECT count(DISTINCT stack_id) FROM trace_allocation')).toEqual([1])
  expect(await found.column('SELECT text FROM stack')).toEqual(['aten::mm (cpu_op:0)'])
})

test('the floor is an allocation without address, stack and op that is never freed', async () => {
  const found = await open(op('aten::mm', 0, 100), memory(10, 0x1000, 512, 100_512), memory(20, 0x7000, -2000, 98_512))
  expect(await found.all('SELECT address, size_bytes, alloc_event, free_event, stack_id, op FROM trace_allocation')).toEqual([
    { address: null, size_bytes: 98_000, alloc_event: null, free_event: null, stack_id: null, op: null },
    { address: '0x7000', size_bytes: 2000, alloc_event: null, free_event: 1, stack_id: null, op: null },
    { address: '0x1000', size_bytes: 512, alloc_event: 0, free_event: null, stack_id: 0, op: 'aten::mm' },
  ])
  expect(await found.column("SELECT count(*) FROM allocation WHERE address = '0x0'")).toEqual([0])
  expect(await found.column('SELECT count(*) FROM live_allocation(0, -1)')).toEqual([2])
})

test('two accelerator types of one ordinal are two devices, each with its word', async () => {
  const hip = { 'Device Type': 6 }
  const cpu = { 'Device Type': 0, 'Device Id': -1, 'Total Reserved': 0 }
  const found = await open(op('f', 0, 9), memory(1, 0x1000, 512, 512), memory(2, 0x1000, 64, 64, hip), memory(3, 0x1000, 8, 8, cpu))
  expect(await found.all('SELECT device, device_type, allocated_bytes FROM device ORDER BY device')).toEqual([
    { device: -1, device_type: 'cpu', allocated_bytes: 8 },
    { device: 0, device_type: 'cuda', allocated_bytes: 512 },
    { device: 6000, device_type: 'hip', allocated_bytes: 64 },
  ])
  expect(await found.column('SELECT bytes FROM memory_event ORDER BY device')).toEqual([8, 512, 64])
  expect(await found.column('SELECT bytes FROM memory_event WHERE device = -1')).toEqual([8])
  expect(await found.column('SELECT size_bytes FROM live_allocation(-1, 0)')).toEqual([8])
})

test('where memory lies is not known of a trace, and is not guessed', async () => {
  const found = await linear()
  for (const question of [
    "block_segments(0, 0, 'address')",
    'block_at(0, 0, 4096)',
    'would_fit(0, 0, 512, NULL, NULL)',
    'space_report(0, 0)',
    '(SELECT count(*) FROM block_map(0, 0))',
    '(SELECT count(*) FROM segment_map(0, 0))',
  ]) {
    await expect(found.all(`SELECT ${question}`), question).rejects.toThrowError(CodedError)
    await expect(found.all(`SELECT ${question}`), question).rejects.toMatchObject({ code: 'query/bad_argument' })
  }
  expect(await found.column('SELECT count(*) FROM block')).toEqual([0])
  expect(await found.column('SELECT count(*) FROM reservation')).toEqual([0])
})

test('the questions about a history answer for a trace, of the CPU as well', async () => {
  index = await IndexFile.ofTrace(traceSamplePath)
  for (const { device, event_count: events } of await index.all('SELECT device, event_count FROM device')) {
    const range = [Number(device), 'time', 0, 1e9, 50]
    const [blob] = await index.column('SELECT timeline_curves(?, ?, ?, ?, ?)', range)
    const [peak] = await index.column('SELECT peak_allocated_bytes FROM device WHERE device = ?', [Number(device)])
    expect(Math.max(...f64(readBatch(blob), 'allocated_max'))).toBe(peak)
    const stats = await json<{ allocated_count: number }>(index, 'range_stats(?, 0, ?)', Number(device), Number(events))
    const made = await index.column('SELECT count(*) FROM trace_allocation WHERE device = ? AND alloc_event IS NOT NULL', [Number(device)])
    expect(stats.allocated_count).toBe(made[0])
    await json(index, 'top_stacks(?, ?, 5)', Number(device), Number(events) - 1)
  }
})

/** Kineto's names of Python frames. */
const pythonFrame = /^(?<file>.+?)\((?<line>\d+)\): (?<name>.*)$/s
const makers = new Set(['aten::empty', 'aten::empty_strided', 'aten::empty_like', 'aten::resize_', 'aten::new_empty'])

const frameText = (name: string, category: string) => {
  const python = category === 'python_function' ? pythonFrame.exec(name)?.groups : undefined
  return python === undefined ? `${name} (${category}:0)` : `${python.name} (${python.file}:${python.line})`
}

/** Stack, op and slice of every memory event of a file against what the slow reference finds around it. */
async function expectEnclosed(from: IndexFile, path: string): Promise<void> {
  const rows = await from.all(`SELECT m.device, m.bytes, s.name AS slice, a.op,
      (SELECT text FROM stack WHERE stack_id = e.stack_id) AS stack
    FROM memory_event m JOIN event e USING (device, event) LEFT JOIN slice s USING (slice_id)
      LEFT JOIN trace_allocation a ON a.device = m.device AND a.alloc_event = m.event ORDER BY m.device, m.event`)
  const told = rows.map((row) => [row.device, row.bytes, row.slice, row.stack, row.op])
  const wanted = enclose(readTrace(readFileSync(path))).map(({ event: { deviceType, deviceId, bytes }, around }) => {
    const frames = around.map(({ slice }) => slice).filter(({ name }) => !/^ProfilerStep#\d+$/.test(name))
    const ops = around.map(({ slice }) => slice).filter(({ category }) => category === 'cpu_op')
    const useful = ops.find(({ name }) => !makers.has(name)) ?? ops[0]
    return [
      deviceType === 0 ? -1 : deviceId,
      bytes,
      around[0]?.slice.name ?? null,
      frames.length === 0 ? null : frames.map(({ name, category }) => frameText(name, category)).join('\n'),
      bytes > 0 ? (useful?.name ?? null) : null,
    ]
  })
  expect(told).toEqual(wanted.sort((a, b) => Number(a[0]) - Number(b[0])))
}

/** Sums of every op, and that ops and what lies outside them make up the totals in the file. */
async function expectOpSums(from: IndexFile, path: string): Promise<void> {
  const trace = readTrace(readFileSync(path))
  for (const { device, event_count: events } of await from.all('SELECT device, event_count FROM device')) {
    const answer = await opMemory(from, Number(device), 0, Number(events))
    const { ops, outsideBytes } = opsOf(trace, device === -1 ? 0 : 1)
    const told = answer.rows.map(({ op, calls, self_bytes, total_bytes, freed_inside_bytes, allocations }): [string, number[]] => [
      op,
      [calls, self_bytes, total_bytes, freed_inside_bytes, allocations],
    ])
    const wanted = [...ops].map(([name, { calls, selfBytes, totalBytes, freedBytes, allocations }]): [string, number[]] => [
      name,
      [calls, selfBytes, totalBytes, freedBytes, allocations],
    ])
    expect(new Map(told)).toEqual(new Map(wanted))
    expect(answer.outside_bytes).toBe(outsideBytes)
    const [totals] = await from.all(
      `SELECT (SELECT total_allocated_bytes FROM memory_event m WHERE m.device = d.device AND m.event = d.event_count - 1) AS last,
         start_allocated_bytes AS floor FROM device d WHERE device = ?`,
      [Number(device)],
    )
    const own = answer.rows.reduce((sum, row) => sum + row.self_bytes, 0)
    expect(own + answer.outside_bytes).toBe(Number(totals?.last) - Number(totals?.floor))
  }
}

/** Each step by looking at every value of the curve. */
async function expectSteps(from: IndexFile): Promise<void> {
  const spans = "SELECT name, start_ns, end_ns FROM annotation WHERE device = ? AND kind = 'step' ORDER BY start_ns"
  for (const { device, start } of await from.all('SELECT device, start_allocated_bytes AS start FROM device')) {
    const curve = await from.all('SELECT time_ns, allocated_bytes FROM memory_curve WHERE device = ? ORDER BY event', [Number(device)])
    const held = (event: number) => Number(event < 0 ? start : curve[event]?.allocated_bytes)
    const wanted = (await from.all(spans, [Number(device)])).map((span: Row) => {
      const inside = curve.flatMap(({ time_ns: at }, event) =>
        Number(at) >= Number(span.start_ns) && Number(at) <= Number(span.end_ns) ? [event] : [],
      )
      const changes = inside.map((event) => held(event) - held(event - 1))
      const before = curve.filter(({ time_ns: at }) => Number(at) < Number(span.start_ns)).length - 1
      return {
        name: span.name,
        peak_bytes: Math.max(held(before), ...inside.map(held)),
        allocated_bytes: changes.reduce((sum, change) => sum + Math.max(change, 0), 0),
        freed_bytes: changes.reduce((sum, change) => sum + Math.max(-change, 0), 0),
        growth_bytes: held(inside.at(-1) ?? before) - held(before),
      }
    })
    expect(await stepsOf(from, Number(device))).toMatchObject(wanted)
  }
}

async function expectAgreement(path: string): Promise<void> {
  index = await IndexFile.ofTrace(path)
  await expectEnclosed(index, path)
  await expectOpSums(index, path)
  await expectSteps(index)
}

test('the shipped sample', () => expectAgreement(traceSamplePath))

const real = [
  'healthy/trace_lora/trace.json',
  'healthy/trace_full_nostack/trace.json.gz',
  'healthy/trace_cpu_only/trace.json',
  'extra/execution_trace/trace.json.gz',
  'ddp/fsdp/rank0.trace.json.gz',
].flatMap((name) => {
  const path = corpusFile(name)
  return path === null ? [] : [[name, path] as const]
})

describe.skipIf(real.length === 0)('real traces', () => {
  test.each(real)('%s', (_, path) => expectAgreement(path))
})
