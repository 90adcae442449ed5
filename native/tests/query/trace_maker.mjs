// Random traces for the tests and the bench: as an index written by hand in its stored form (native/src/store/packed_column.h,
// trace_columns.h), so that the questions about a trace are tested against what is known of it, whatever the reader and the nesting make of a file.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, root } from './sql_checks.mjs'

const PIECE = 65536
const LEVELS = 40
const SMALLEST_LEVEL = 256

/** A repeatable stream of numbers in [0, 1). */
export function numbers(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Bytes of a stored value, by the range of its piece. */
const widthOf = (range) => (range === 0 ? 0 : ([1, 2, 3, 4].find((bytes) => range < 256 ** bytes) ?? 8))

/** One stored piece of integers: base, count, shift 0, width, then the values. */
function packPiece(values) {
  const low = values.reduce((least, value) => Math.min(least, value), values[0] ?? 0)
  const width = widthOf(values.reduce((most, value) => Math.max(most, value), low) - low)
  const out = Buffer.alloc(16 + values.length * width)
  out.writeBigInt64LE(BigInt(low), 0)
  out.writeUInt32LE(values.length, 8)
  out[13] = width
  values.forEach((value, i) => {
    const raw = value - low
    if (width === 3) {
      out.writeUInt16LE(raw & 0xffff, 16 + i * 2)
      out[16 + values.length * 2 + i] = raw >>> 16
    } else if (width === 8) out.writeBigUInt64LE(BigInt(raw), 16 + i * 8)
    else if (width > 0) out.writeUIntLE(raw, 16 + i * width, width)
  })
  return out
}

const run = (db, sql, ...values) => call((done) => db.run(sql, values, done))

async function writeColumn(db, relation, name, values) {
  for (let piece = 0; piece * PIECE < values.length; piece++) {
    const data = packPiece(values.subarray(piece * PIECE, (piece + 1) * PIECE))
    await run(db, 'INSERT INTO column_piece VALUES (?,0,?,?,?)', relation, name, piece, data)
  }
}

async function writeColumns(db, relation, columns) {
  for (const [name, values] of Object.entries(columns)) await writeColumn(db, relation, name, Float64Array.from(values))
  const count = Object.values(columns)[0].length
  await run(db, 'INSERT INTO relation_size VALUES (?,?)', relation, count)
}

/** The items of level k of a lane: slices shorter than 2^k ns that begin in the same 2^k ns are joined. */
function levelItems(lane, level) {
  const width = 2 ** level
  const items = []
  let open = null
  for (let i = 0; i < lane.start.length; i++) {
    const [start, dur, name, slice] = [lane.start[i], lane.dur[i], lane.name[i], lane.first + i]
    const bucket = Math.floor(start / width)
    if (dur < width && open && open.bucket === bucket) {
      open.extent = start + dur - open.start
      open.busy += dur
      open.count++
      if (dur > open.longest) Object.assign(open, { longest: dur, name, slice })
      continue
    }
    const item = { start, extent: dur, busy: dur, count: 1, name, slice, longest: dur, bucket }
    open = dur < width ? item : null
    items.push(item)
  }
  return items
}

/** Every kept level of a lane, finest first: each at most half as long as the one before. */
function levelsOf(lane) {
  const kept = []
  let size = lane.start.length
  for (let level = 1; level < LEVELS && size > SMALLEST_LEVEL; level++) {
    // Cheap look first: no level can be kept before the buckets hold two slices on average.
    const items = levelItems(lane, level)
    if (items.length * 2 > size) continue
    kept.push({ level, items })
    size = items.length
  }
  return kept
}

async function writeLevels(db, lanes) {
  const rows = lanes.flatMap((lane, id) => (lane.start.length > SMALLEST_LEVEL ? levelsOf(lane) : []).map((kept) => ({ id, ...kept })))
  rows.sort((a, b) => b.level - a.level || a.id - b.id)
  let first = 0
  for (const { id, level, items } of rows) {
    await run(db, 'INSERT INTO lane_level VALUES (?,?,?,?)', id, level, first, items.length)
    first += items.length
  }
  const column = (key) => rows.flatMap(({ items }) => items.map((item) => item[key]))
  const keys = ['start', 'extent', 'busy', 'count', 'name', 'slice']
  await writeColumns(db, 'slice_level', Object.fromEntries(keys.map((key) => [key, column(key)])))
}

async function writeTables(db, trace) {
  let instants = 0
  for (const [id, track] of trace.tracks.entries()) {
    instants += track.instants.length
    const slices = trace.lanes.filter((lane) => lane.track === id).reduce((sum, lane) => sum + lane.start.length, 0)
    const values = [id, 'thread', 0, '1', String(id), track.name, track.laneCount, slices, track.instants.length, 0, 0, 0, track.firstLane]
    await run(db, `INSERT INTO track VALUES (${values.map(() => '?').join()})`, ...values)
  }
  for (const [id, lane] of trace.lanes.entries()) {
    await run(db, 'INSERT INTO lane VALUES (?,?,?,?,?,?)', id, lane.track, lane.depth, 0, lane.first, lane.start.length)
  }
  for (const [id, text] of trace.names.entries()) {
    await run(db, `INSERT INTO string VALUES (?, ${Buffer.isBuffer(text) ? 'CAST(? AS TEXT)' : '?'})`, id, text)
    const { count, total } = trace.nameTotals[id]
    if (count > 0) await run(db, 'INSERT INTO trace_name VALUES (?,?,?,?)', id, count, total, 1 + (id % 24))
  }
  for (const [id, [name, kind]] of trace.categories.entries()) {
    await run(db, 'INSERT INTO trace_category VALUES (?,?,0,0,?,?)', id, name, 1 + (id % 24), kind)
  }
  let first = 0
  for (const [id, samples] of trace.series.entries()) {
    await run(db, 'INSERT INTO counter_series VALUES (?,0,?,?,?,NULL,NULL)', id, `series ${id}`, first, samples.length)
    first += samples.length
  }
  return instants
}

const bitsOf = (value) => Number(new BigInt64Array(Float64Array.of(value).buffer)[0])

/** Writes the tables and columns of `trace` into the empty database. */
export async function writeTraceIndex(db, trace) {
  const schema = [...readFileSync(join(root, 'native/src/store/schema.cc'), 'utf8').matchAll(/R"sql\(([\s\S]*?)\)sql"/g)]
  await call((done) => db.exec(`BEGIN;${schema.map((part) => part[1]).join('')}`, done))
  await writeTables(db, trace)
  const slices = Object.fromEntries(
    ['start', 'dur', 'name', 'category', 'parent', 'correlation'].map((key) => [key, concat(trace.lanes, key)]),
  )
  const nothing = new Float64Array(slices.start.length)
  await writeColumns(db, 'slice', { ...slices, external_id: nothing.map(() => -1), offset: nothing, length: nothing, flags: nothing })
  await writeLevels(db, trace.lanes)
  const times = trace.tracks.flatMap((track) => track.instants)
  const track = trace.tracks.flatMap((item, id) => item.instants.map(() => id))
  const zero = times.map(() => 0)
  await writeColumns(db, 'instant', { time: times, name: zero, category: zero, track, offset: zero, length: zero })
  const samples = trace.series.flat()
  await writeColumns(db, 'counter', { time: samples.map(([time]) => time), value: samples.map(([, value]) => bitsOf(value)) })
  const flows = [...trace.flows].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const byTo = flows.map((_, row) => row).sort((a, b) => flows[a][1] - flows[b][1] || a - b)
  const none = flows.map(() => -1)
  await writeColumns(db, 'flow', {
    from: flows.map(([from]) => from),
    to: flows.map(([, to]) => to),
    name: none,
    category: flows.map(() => 0),
  })
  await writeColumns(db, 'flow_to', { flow: byTo })
  await run(db, 'COMMIT')
}

function concat(lanes, key) {
  const out = new Float64Array(lanes.reduce((sum, lane) => sum + lane.start.length, 0))
  for (const lane of lanes) out.set(lane[key], lane.first)
  return out
}

/** Slices of a lane one after the other inside [from, to), some without a gap and some without a length. */
function fillLane(lane, random, from, to, parent, mean) {
  let time = from
  while (lane.start.length < lane.most) {
    if (random() < 0.6) time += Math.floor(mean * 2 * random() ** 3)
    const kind = random()
    const dur = kind < 0.05 ? 0 : Math.floor(kind < 0.1 ? mean * 40 * random() : mean * random() ** 2) + 1
    if (time + dur > to) return
    lane.start.push(time)
    lane.dur.push(dur)
    lane.parent.push(parent)
    const name = Math.floor(lane.nameCount * random() ** 3)
    lane.name.push(name)
    lane.category.push(name % lane.categoryCount)
    lane.correlation.push(random() < 0.5 ? -1 : Math.floor(random() * 1000))
    time += dur
  }
}

export function makeTrack(trace, random, { depth, slices, mean }) {
  const id = trace.tracks.length
  const track = { name: `thread ${id}`, firstLane: trace.lanes.length, laneCount: depth, instants: [] }
  trace.tracks.push(track)
  let above = null
  for (let d = 0; d < depth; d++) {
    const first = trace.lanes.length > 0 ? trace.lanes.at(-1).first + trace.lanes.at(-1).start.length : 0
    const lane = { track: id, depth: d, first, most: slices, start: [], dur: [], parent: [], name: [], category: [], correlation: [] }
    Object.assign(lane, { nameCount: trace.names.length, categoryCount: trace.categories.length })
    const inner = mean / 4 ** d
    if (!above) fillLane(lane, random, 0, 1e15, -1, inner)
    else
      for (let i = 0; i < above.start.length; i++)
        fillLane(lane, random, above.start[i], above.start[i] + above.dur[i], above.first + i, inner)
    trace.lanes.push(lane)
    above = lane
  }
  return track
}

/** A trace with every odd case: an empty lane, slices without a length, one that covers everything, names that are no clean text. */
export function makeTrace(seed) {
  const random = numbers(seed)
  const trace = { tracks: [], lanes: [], flows: [], series: [] }
  trace.names = Array.from({ length: 60 }, (_, i) => `kernel_${i}<float, ${i % 7}>`)
  trace.names.push('a\0b', Buffer.from([0x61, 0xff, 0x62]), 'x'.repeat(500), 'say "Hi"', '漢'.repeat(400))
  trace.categories = [
    ['', 'other'],
    ['cpu_op', 'cpu_op'],
    ['cuda_runtime', 'runtime'],
    ['kernel', 'gpu'],
    ['python_function', 'python_function'],
  ]
  makeTrack(trace, random, { depth: 4, slices: 30000, mean: 20000 })
  makeTrack(trace, random, { depth: 2, slices: 150000, mean: 700 })
  makeTrack(trace, random, { depth: 0, slices: 0, mean: 1 })
  makeTrack(trace, random, { depth: 5, slices: 300, mean: 1e6 })
  const whole = makeTrack(trace, random, { depth: 2, slices: 0, mean: 1 })
  const lane = trace.lanes.at(-2)
  for (const [key, value] of Object.entries({ start: -5, dur: 3e9, parent: -1, name: 61, category: 1, correlation: -1 }))
    lane[key].push(value)
  trace.lanes.at(-1).first = lane.first + 1
  for (let time = 0; time < 2e8; time += Math.floor(4000 * random())) whole.instants.push(time)
  trace.tracks[2].instants.push(...[10, 10, 10, 5e6])
  trace.series.push(
    [],
    [[1000, 5]],
    Array.from({ length: 90000 }, (_, i) => [i * 900 + Math.floor(900 * random()), Math.floor(2000 * random()) - 500]),
  )
  const count = lane.first + 1
  for (let i = 0; i < 3000; i++) trace.flows.push([Math.floor(random() ** 4 * count), Math.floor(random() * 500)])
  trace.nameTotals = trace.names.map(() => ({ count: 0, total: 0 }))
  for (const { name, dur } of trace.lanes) {
    name.forEach((id, i) => {
      trace.nameTotals[id].count++
      trace.nameTotals[id].total += dur[i]
    })
  }
  return trace
}
