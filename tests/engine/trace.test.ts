// Every question about a trace on a real one, through the port, held against the file as JSON.parse reads it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { type EngineInput, type EngineMethod, engineMethods, type SliceRow, type TraceTracks } from '../../preload/contract/queries.ts'
import { samplePath, scratchFolder, traceSamplePath } from '../support/paths.ts'
import { capturesIn, codeOf, EngineClient, expectValue } from './engine-client.ts'
import { countBy, memoryEvents, sliceEvents, traceEvents } from './trace-truth.ts'

const scratch = scratchFolder('trace')
let engine: EngineClient
let capture: CaptureSummary
let all: TraceTracks

const asked = new Set<EngineMethod>()
const ask = <M extends EngineMethod>(method: M, input: Omit<EngineInput<M>, 'captureId'>) => {
  asked.add(method)
  return engine.value(method, { captureId: capture.captureId, ...input } as EngineInput<M>)
}

beforeAll(async () => {
  engine = new EngineClient(capturesIn(join(scratch.path, 'cache')), {
    trace: traceSamplePath,
    lora: samplePath('ft_lora'),
    counters: join(scratch.path, 'counters.json'),
  })
  capture = await engine.open('trace')
  all = await ask('trace.tracks', {})
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

const everything = () => ({ fromNs: 0, toNs: (capture.durationNs ?? 0) + 1 })
const trackIds = () => all.tracks.map(({ trackId }) => trackId)
const nameId = async (text: string) => {
  const { names } = await ask('trace.names', { text, limit: 1000 })
  const found = names.find((each) => each.text === text)
  if (!found) throw new Error(`${text} is no name`)
  return found.nameId
}
const slicesOf = async (name: string): Promise<SliceRow[]> =>
  (await ask('trace.slices', { names: [await nameId(name)], ...everything(), sort: 'start', offset: 0, limit: 1000 })).rows

describe('capture.open', () => {
  test('says that it is a trace and what it holds', () => {
    expect(capture).toMatchObject({
      kind: 'chrome_trace',
      sourceName: 'trace_lora.json.gz',
      hasHistory: true,
      hasTimes: true,
      hasBlocks: false,
    })
    expect(capture.trace).toMatchObject({ sliceCount: sliceEvents.length, trackCount: all.trackCount, seriesCount: 0 })
  })

  test('names the devices that have memory, with the peak that the profiler recorded', () => {
    const peakOf = (type: 0 | 1) => Math.max(...memoryEvents(type).map((memory) => memory['Total Allocated']))
    expect(capture.devices.map(({ device, deviceType }) => [device, deviceType])).toEqual([
      [-1, 'cpu'],
      [0, 'cuda'],
    ])
    const [cpu, gpu] = capture.devices
    expect(gpu).toMatchObject({ eventCount: memoryEvents(1).length, peakAllocatedBytes: peakOf(1), exact: true })
    expect(cpu?.eventCount).toBe(memoryEvents(0).length)
  })
})

describe('trace.tracks', () => {
  test('lists every track once, in screen order, with all slices on lanes that follow each other', () => {
    expect(trackIds()).toEqual(all.tracks.map((_, place) => place))
    expect(all.tracks.reduce((sum, { sliceCount }) => sum + sliceCount, 0)).toBe(sliceEvents.length)
    let lane = 0
    for (const track of all.tracks) {
      if (track.laneCount > 0) expect(track.firstLane).toBe(lane)
      lane += track.laneCount
    }
    const known = new Set(all.processes.map(({ processId }) => processId))
    expect(all.tracks.filter(({ processId }) => processId !== null && !known.has(processId))).toEqual([])
  })

  test('has the legend: names and categories by total time', () => {
    const counts = countBy(sliceEvents, ({ name }) => name)
    expect(all.nameCount).toBe(counts.size)
    for (const { text, count, slot } of all.names) {
      expect(count).toBe(counts.get(text))
      expect(slot).toBeGreaterThanOrEqual(1)
      expect(slot).toBeLessThanOrEqual(24)
    }
    const totals = all.names.map(({ totalNs }) => totalNs)
    expect(totals).toEqual([...totals].sort((a, b) => b - a))
    expect(new Map(all.categories.map(({ text, count }) => [text, count]))).toEqual(countBy(sliceEvents, ({ cat = '' }) => cat))
  })
})

describe('trace.raster', () => {
  test('has a box for each wide slice and leaves out what the filter does not name', async () => {
    const [stepName] = [await nameId('ProfilerStep#1')]
    const [step] = await slicesOf('ProfilerStep#1')
    if (!step) throw new Error('no step')
    const question = { ...everything(), columns: 500, lanes: [step.laneId], colorBy: 'name' as const }
    const picture = await ask('trace.raster', question)
    expect(picture.cells).toHaveLength(500)
    expect(picture.fill).toHaveLength(500)
    const at = picture.boxes.slice.indexOf(step.sliceId)
    expect([picture.boxes.titles[at], picture.boxes.start[at], picture.boxes.dur[at], picture.boxes.name[at]]).toEqual([
      'ProfilerStep#1',
      step.startNs,
      step.durNs,
      stepName,
    ])
    const column = Math.floor(((step.startNs + step.durNs / 2) / everything().toNs) * 500)
    expect(picture.cells[column]).toBe(picture.boxes.slot[at])
    expect(picture.fill[column]).toBe(255)
    const without = await ask('trace.raster', { ...question, names: [] })
    expect(new Set(without.cells)).toEqual(new Set(picture.cells.some((cell) => cell === 0) ? [0, 63] : [63]))
    expect(codeOf(await engine.ask('trace.raster', { captureId: capture.captureId, ...question, toNs: 0 }).answer)).toBe(
      'query/bad_argument',
    )
  })
})

describe('trace.pick, trace.next and trace.names', () => {
  test('find the slice under the pointer, or the nearest within the tolerance', async () => {
    const [step] = await slicesOf('ProfilerStep#1')
    if (!step) throw new Error('no step')
    const inside = { laneId: step.laneId, timeNs: step.startNs + 10, toleranceNs: 0 }
    expect(await ask('trace.pick', inside)).toEqual({ slice: step })
    expect(await ask('trace.pick', { ...inside, timeNs: -1e9 })).toEqual({ slice: null })
  })

  test('go from one slice of a name to the next and back', async () => {
    const mm = await slicesOf('aten::mm')
    expect(mm).toHaveLength(sliceEvents.filter(({ name }) => name === 'aten::mm').length)
    const names = [await nameId('aten::mm')]
    const [first, second] = mm
    if (!first || !second) throw new Error('no aten::mm')
    const step = (from: SliceRow | null, forward: boolean) =>
      ask('trace.next', { names, timeNs: from?.startNs ?? -1, sliceId: from?.sliceId ?? null, forward })
    expect((await step(null, true)).slice).toEqual(first)
    expect((await step(first, true)).slice).toEqual(second)
    expect((await step(second, false)).slice).toEqual(first)
    expect((await step(first, false)).slice).toBeNull()
  })

  test('count the names that contain a text in any case', async () => {
    const found = await ask('trace.names', { text: 'ATEN::MM', limit: 2 })
    const matching = sliceEvents.filter(({ name }) => name.toLowerCase().includes('aten::mm'))
    expect([found.count, found.slices]).toEqual([countBy(matching, ({ name }) => name).size, matching.length])
  })
})

describe('trace.slice', () => {
  test('has the arguments of the source, the chain of parents, times and memory', async () => {
    const event = sliceEvents.find(({ name, dur = 0 }) => name === 'aten::mm' && dur > 50)
    const slice = (await slicesOf('aten::mm')).find(({ durNs }) => durNs === Math.round((event?.dur ?? 0) * 1000))
    if (!event?.args || !slice) throw new Error('no aten::mm')
    const details = await ask('trace.slice', { sliceId: slice.sliceId })
    expect(details).toMatchObject({ ...slice, argsFailure: null, nameId: await nameId('aten::mm'), externalId: event.args['External id'] })
    const inputs = details.args?.find(({ key }) => key === 'Input Dims')
    expect(JSON.parse(inputs?.value ?? '')).toEqual(event.args['Input Dims'])
    expect(details.args?.map(({ key }) => key)).toEqual(Object.keys(event.args))
    expect(details.ancestors.length).toBeGreaterThan(0)
    expect(details.selfNs).toBeGreaterThanOrEqual(0)
    expect(details.selfNs).toBeLessThanOrEqual(slice.durNs)
    expect(details.trackName).toBe(all.tracks[slice.trackId]?.name)
    expect(details.processName).toBe('python3 (563)')
  })

  test('adds up the memory events inside, of its thread and of the device', async () => {
    const [event] = sliceEvents.filter(({ name }) => name === 'ProfilerStep#1')
    const [slice] = await slicesOf('ProfilerStep#1')
    if (!event || !slice) throw new Error('no step')
    const { memory, ownMemory } = await ask('trace.slice', { sliceId: slice.sliceId })
    const [from, to] = [event.ts ?? 0, (event.ts ?? 0) + (event.dur ?? 0)]
    const inside = traceEvents.filter(
      ({ name, ts = 0, args }) => name === '[memory]' && args?.['Device Type'] === 1 && ts >= from && ts <= to,
    )
    const gpu = memory.find(({ device }) => device === 0)
    expect((gpu?.toEvent ?? 0) - (gpu?.fromEvent ?? 0)).toBe(inside.length)
    expect(gpu?.peakBytes).toBe(Math.max(...inside.map(({ args }) => Number(args?.['Total Allocated']))))
    const own = inside.filter(({ tid }) => tid === event.tid).map(({ args }) => Number(args?.Bytes))
    expect(ownMemory?.find(({ device }) => device === 0)).toMatchObject({
      allocatedBytes: own.filter((bytes) => bytes > 0).reduce((sum, bytes) => sum + bytes, 0),
      allocatedCount: own.filter((bytes) => bytes > 0).length,
      freedCount: own.filter((bytes) => bytes < 0).length,
    })
    const largest = ownMemory?.find(({ device }) => device === 0)?.largest ?? []
    const made = own.filter((bytes) => bytes > 0).sort((a, b) => b - a)
    expect(largest.map(({ sizeBytes }) => sizeBytes)).toEqual(made.slice(0, 10))
    for (const { allocTimeNs } of largest) {
      expect(allocTimeNs).toBeGreaterThanOrEqual(slice.startNs)
      expect(allocTimeNs).toBeLessThanOrEqual(slice.startNs + slice.durNs)
    }
  })

  test('adds up to the duration with the time of its children', async () => {
    const [slice] = await slicesOf('ProfilerStep#1')
    if (!slice) throw new Error('no step')
    const { selfNs } = await ask('trace.slice', { sliceId: slice.sliceId })
    const { store } = expectValue(engine.captures.get(capture.captureId))
    const children = expectValue(await store.get('SELECT sum(dur_ns) AS ns FROM slice WHERE parent_id = ?', [slice.sliceId]))
    expect(selfNs).toBe(slice.durNs - Number(children?.ns))
  })

  test('leads from a GPU kernel to its launch and op, and along its flow', async () => {
    const kernel = sliceEvents.find(({ cat }) => cat === 'kernel')
    const [slice] = await slicesOf(kernel?.name ?? '')
    if (!slice) throw new Error('no kernel')
    const details = await ask('trace.slice', { sliceId: slice.sliceId })
    expect(details.launch?.category).toMatch(/^cuda_(runtime|driver)$/)
    expect(details.op?.category).toBe('cpu_op')
    const { flows } = await ask('trace.flowsOf', { sliceIds: [slice.sliceId] })
    const flow = flows.find(({ from }) => from.sliceId === details.launch?.sliceId)
    expect(flow?.to).toEqual(slice)
    expect(flow?.from.startNs).toBeLessThanOrEqual(slice.startNs)
  })

  test('refuses a slice that is not there', async () => {
    const { answer } = engine.ask('trace.slice', { captureId: capture.captureId, sliceId: 99_999_999 })
    expect(codeOf(await answer)).toBe('query/bad_argument')
  })
})

describe('trace.selection, trace.slices and trace.instants', () => {
  test('group every slice of the whole trace', async () => {
    for (const by of ['name', 'category', 'track'] as const) {
      const selection = await ask('trace.selection', { tracks: trackIds(), ...everything(), by, limit: 1000 })
      expect(selection.count).toBe(sliceEvents.length)
      const totals = selection.rows.map(({ totalNs }) => totalNs)
      expect(totals).toEqual([...totals].sort((a, b) => b - a))
      if (by === 'category')
        expect(new Map(selection.rows.map(({ text, count }) => [text, count]))).toEqual(countBy(sliceEvents, ({ cat = '' }) => cat))
      for (const row of selection.rows) expect(row.selfNs).toBeLessThanOrEqual(row.totalNs)
    }
  })

  test('say what the devices did in the range', async () => {
    const { memory } = await ask('trace.selection', { tracks: [], ...everything(), by: 'name', limit: 1 })
    const bytes = memoryEvents(1).map((event) => event.Bytes)
    const allocated = bytes.filter((each) => each > 0)
    expect(memory.find(({ device }) => device === 0)).toMatchObject({
      allocatedCount: allocated.length,
      freedCount: bytes.length - allocated.length,
      netBytes: bytes.reduce((sum, each) => sum + each, 0),
    })
  })

  test('list the slices of a range in the order asked for, page by page', async () => {
    const question = { ...everything(), offset: 0, limit: 50 }
    const { rows, total } = await ask('trace.slices', { ...question, sort: 'longest' })
    expect(total).toBe(sliceEvents.length)
    const expected = sliceEvents.map(({ dur = 0 }) => Math.round(dur * 1000)).sort((a, b) => b - a)
    expect(rows.map(({ durNs }) => durNs)).toEqual(expected.slice(0, 50))
    const second = await ask('trace.slices', { ...question, sort: 'longest', offset: 25 })
    expect(second.rows.slice(0, 25)).toEqual(rows.slice(25))
    const [from, to] = [20e6, 21e6]
    const part = await ask('trace.slices', { ...question, fromNs: from, toNs: to, sort: 'start' })
    expect(part.rows.every(({ startNs, durNs }) => startNs < to && (startNs + durNs > from || startNs >= from))).toBe(true)
    const { count } = await ask('trace.selection', { tracks: trackIds(), fromNs: from, toNs: to, by: 'track', limit: 1 })
    expect(part.total).toBe(count)
    const backwards = engine.ask('trace.slices', { captureId: capture.captureId, ...question, fromNs: 2, toNs: 1, sort: 'start' })
    expect(codeOf(await backwards.answer)).toBe('query/bad_argument')
  })

  test('list and mark the instants', async () => {
    // Marks of the whole trace may lie outside of what the capture lasts.
    const around = { fromNs: -1e12, toNs: 1e12 }
    const { rows, total } = await ask('trace.instants', { ...around, offset: 0, limit: 1000 })
    expect(rows).toHaveLength(Math.min(total, 1000))
    expect(rows.map(({ name }) => name)).toContain('Record Window End')
    const [instant] = rows
    if (!instant) throw new Error('no instant')
    expect(await ask('trace.instant', { instantId: instant.instantId })).toMatchObject({ ...instant, argsFailure: null })
    const marks = await ask('trace.instantMarks', { trackId: instant.trackId, ...around, columns: 64 })
    const ofTrack = await ask('trace.instants', { tracks: [instant.trackId], ...around, offset: 0, limit: 1 })
    expect(marks.count.reduce((sum, count) => sum + count, 0)).toBe(ofTrack.total)
    expect(marks.first.find((first) => !Number.isNaN(first))).toBe(ofTrack.rows[0]?.instantId)
  })
})

describe('trace.spans', () => {
  test('are the steps and annotations of the program, in order of their start', async () => {
    const { spans } = await ask('trace.spans', {})
    const named = sliceEvents.filter(({ cat }) => cat === 'user_annotation')
    expect(countBy(spans, ({ name }) => name)).toEqual(countBy(named, ({ name }) => name))
    expect(spans.map(({ startNs }) => startNs)).toEqual(spans.map(({ startNs }) => startNs).sort((a, b) => a - b))
    const [step] = await slicesOf('ProfilerStep#1')
    const span = spans.find(({ name }) => name === 'ProfilerStep#1')
    expect([span?.startNs, span?.trackId]).toEqual([step?.startNs, step?.trackId])
  })
})

describe('memory', () => {
  test('by op is what the ops allocated and freed', async () => {
    const { rows, groups } = await ask('trace.opMemory', { device: 0, fromEvent: 0, toEvent: memoryEvents(1).length, limit: 1000 })
    expect(rows).toHaveLength(groups)
    const allocations = memoryEvents(1).filter(({ Bytes }) => Bytes > 0)
    expect(rows.reduce((sum, row) => sum + row.allocations, 0)).toBe(allocations.length)
    expect(rows.map(({ op }) => op)).toContain('aten::mm')
  })

  test('by step has the peak of each step', async () => {
    const { steps } = await ask('trace.steps', { device: 0 })
    expect(steps.map(({ name }) => name)).toEqual(['ProfilerStep#1', 'ProfilerStep#2'])
    for (const { startEvent, endEvent, peakBytes } of steps) {
      const totals = memoryEvents(1).map((memory) => memory['Total Allocated'])
      expect(peakBytes).toBe(Math.max(...totals.slice(startEvent, endEvent)))
    }
  })

  test('has a curve on the time axis and allocations named by op and line', async () => {
    const curves = await ask('timeline.curves', { device: 0, axis: 'time', x0: 0, x1: everything().toNs, columns: 100 })
    expect(Math.max(...curves.allocated.max)).toBe(capture.devices[1]?.peakAllocatedBytes)
    const { stacks } = await ask('stacks.top', { device: 0, event: capture.devices[1]?.peakEvent ?? 0, limit: 100 })
    const titled = stacks.filter(({ title, place }) => /^aten::/.test(title) && /\.py:\d+$/.test(place))
    expect(titled.length).toBeGreaterThan(0)
    expect(stacks.filter(({ title, stackId }) => stackId >= 0 && /^aten::empty/.test(title))).toEqual([])
    const cpu = await ask('timeline.range', { device: -1, fromEvent: 0, toEvent: memoryEvents(0).length })
    expect(cpu.allocatedCount).toBe(memoryEvents(0).filter(({ Bytes }) => Bytes > 0).length)
  })
})

test('a snapshot answers every list of a trace empty', async () => {
  const lora = await engine.open('lora')
  expect([lora.trace, lora.hasBlocks]).toEqual([null, true])
  const { captureId } = lora
  expect(await engine.value('trace.tracks', { captureId })).toMatchObject({ tracks: [], processes: [], names: [], trackCount: 0 })
  const range = { captureId, fromNs: 0, toNs: 1e9, offset: 0, limit: 10 }
  expect(await engine.value('trace.slices', { ...range, sort: 'start' })).toEqual({ rows: [], total: 0 })
  expect(await engine.value('trace.instants', range)).toEqual({ rows: [], total: 0 })
  expect(await engine.value('trace.names', { captureId, text: '', limit: 10 })).toEqual({ count: 0, slices: 0, names: [] })
})

test('a counter has its values on the time axis', async () => {
  const counter = (ts: number, value: number) => ({ ph: 'C', name: 'power', pid: 1, ts, args: { watt: value } })
  const events = [counter(10, 5), counter(20, 9), counter(30, 2), { ph: 'X', name: 'op', pid: 1, tid: 1, ts: 0, dur: 40 }]
  writeFileSync(join(scratch.path, 'counters.json'), JSON.stringify({ traceEvents: events }))
  const { captureId, trace } = await engine.open('counters')
  expect(trace?.seriesCount).toBe(1)
  const { tracks } = await engine.value('trace.tracks', { captureId })
  const [series] = tracks.flatMap((track) => track.series)
  expect(series).toMatchObject({ name: 'watt', sampleCount: 3, min: 2, max: 9 })
  asked.add('trace.counter')
  const curve = await engine.value('trace.counter', { captureId, seriesId: series?.seriesId ?? -1, fromNs: 0, toNs: 40_000, columns: 4 })
  expect([...curve.last]).toEqual([Number.NaN, 5, 9, 2])
  expect(curve.max[2]).toBe(9)
  asked.add('trace.counterStack')
  const seriesIds = [series?.seriesId ?? -1]
  const stack = await engine.value('trace.counterStack', { captureId, seriesIds, fromNs: 0, toNs: 40_000, columns: 2 })
  expect([...stack.values]).toEqual([5, 9])
})

test('every question about a trace is asked above', () => {
  const methods = Object.keys(engineMethods).filter((method) => method.startsWith('trace.'))
  expect([...asked].filter((method) => method.startsWith('trace.')).sort()).toEqual(methods.sort())
})
