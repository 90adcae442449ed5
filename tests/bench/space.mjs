// The questions of the views of memory: heat maps of lifetimes at random windows, everything about the layout at fresh random events, flame graphs.
import { ask, close, numbers, open, timed } from './connection.mjs'

const columns = 1200
const rows = 500
const lines = 100
const MiB = 1 << 20

/** Limits of the design, in milliseconds. */
const picture = { atLeast: 16, aim: 8 }
const state = { atLeast: 16, aim: 5 }
const graph = { atLeast: 50, aim: 16 }

const pick = (next, words) => words[Math.floor(next() * words.length)]

/** A stretch of [0, end), from all of it down to a ten-thousandth. */
function stretch(next, end, least = 0) {
  const length = Math.max(least, end * 10 ** (-4 * next()))
  const from = next() * Math.max(0, end - length)
  return [from, from + length]
}

function heatMap(order) {
  return async ({ db, device, events, durationNs, heights }, next) => {
    const axis = pick(next, ['event', 'time'])
    const [x0, x1] = axis === 'event' ? stretch(next, events, columns / 4) : stretch(next, durationNs)
    const [y0, y1] = stretch(next, heights[order])
    const measure = pick(next, ['bytes', 'allocated', 'freed', 'area', 'age'])
    await ask(db, 'SELECT lifetime_raster(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [
      device,
      axis,
      x0,
      x1,
      columns,
      rows,
      order,
      y0,
      y1,
      measure,
      'sqrt',
      '',
    ])
  }
}

const anyEvent = ({ events }, next) => Math.floor(next() * events)

/** Any measure, direction and merge, of the whole tree. */
async function flame(subject, next) {
  const [from, to] = stretch(next, subject.events, 2).map(Math.floor)
  await ask(subject.db, "SELECT flame_tree(?, ?, 'bytes', ?, ?, ?, '', 'size', 0, 5000)", [
    subject.device,
    pick(next, ['alive', 'allocated', 'growth', 'diff', 'area']),
    from,
    Math.min(subject.events - 1, Math.max(from + 1, to)),
    JSON.stringify({ direction: pick(next, ['callees', 'callers']), merge: pick(next, ['function', 'line']) }),
  ])
}

async function blockMap(subject, next) {
  const lineBytes = pick(next, [0, 2 * MiB, 20 * MiB, 256 * MiB])
  const [x0, x1] = stretch(next, lineBytes === 0 ? subject.longest : lineBytes)
  await ask(subject.db, 'SELECT block_raster(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [
    subject.device,
    anyEvent(subject, next),
    pick(next, ['address', 'size', 'occupancy', 'pool']),
    lineBytes,
    x0,
    x1,
    columns,
    0,
    lines,
    pick(next, ['state', 'stack', 'size', 'age']),
    '',
  ])
}

/** What is asked, and how it is put to a device with random numbers. */
const questions = [
  ...['address', 'address_sqrt', 'allocation', 'size', 'stack'].map((order) => ({
    name: `heat map by ${order}, any window`,
    limits: picture,
    put: heatMap(order),
  })),
  { name: 'block map of a fresh event, any zoom', limits: picture, put: blockMap },
  {
    name: 'segments of a fresh event',
    limits: state,
    put: (subject, next) => ask(subject.db, "SELECT block_segments(?, ?, 'size')", [subject.device, anyEvent(subject, next)]),
  },
  {
    name: 'space report of a fresh event',
    limits: picture,
    put: (subject, next) => ask(subject.db, 'SELECT space_report(?, ?)', [subject.device, anyEvent(subject, next)]),
  },
  {
    name: 'fit of a request after a fresh event',
    limits: state,
    put: (subject, next) =>
      ask(subject.db, 'SELECT would_fit(?, ?, ?, NULL, NULL)', [
        subject.device,
        anyEvent(subject, next),
        Math.ceil(2 ** (9 + 21 * next())),
      ]),
  },
  { name: 'flame graph of any moment or range', limits: graph, put: flame },
]

async function subjectOf(db) {
  const [device] = await ask(db, 'SELECT device, event_count, last_time_ns FROM device ORDER BY event_count DESC LIMIT 1')
  const heights = { allocation: (await ask(db, 'SELECT count(*) AS n FROM allocation WHERE device = ?', [device.device]))[0].n }
  for (const order of ['address', 'address_sqrt', 'size', 'stack']) {
    const [{ space }] = await ask(db, 'SELECT lifetime_space(?, ?) AS space', [device.device, order])
    heights[order] = JSON.parse(space).y1
  }
  const [{ longest }] = await ask(db, 'SELECT max(size_bytes) AS longest FROM reservation WHERE device = ?', [device.device])
  return { db, device: device.device, events: device.event_count, durationNs: device.last_time_ns, heights, longest }
}

/**
 * p50 and p95 of every question to the index at `path`, the best of three turns of `count` calls. The first call of each is not counted:
 * it loads what the rest share.
 */
export async function measureSpace(path, count = 100) {
  const db = await open(path)
  const subject = await subjectOf(db)
  const measured = []
  for (const { name, limits, put } of questions) {
    const next = numbers()
    const call = () => put(subject, next)
    const first = await timed(1, call)
    const turns = [await timed(count, call), await timed(count, call), await timed(count, call)]
    turns.sort((a, b) => a.p95 - b.p95)
    measured.push({ name, limits, firstMs: first.p50, ...turns[0] })
  }
  await close(db)
  return measured
}
