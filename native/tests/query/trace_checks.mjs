// The questions about a trace against plain scans over its slices: what test_trace.mjs asks of every trace.
import { all, answer, check, decode } from './sql_checks.mjs'
import * as reference from './trace_reference.mjs'

const LEFT_OUT = 63
export const raster = 'SELECT trace_raster(?,?,?,?,?,?)'

/** What the index says of levels and color slots. */
export async function directory(db, trace) {
  for (const lane of trace.lanes) lane.levels = []
  for (const { lane_id, level } of await all(db, 'SELECT lane_id, level FROM lane_level')) trace.lanes[lane_id].levels.push(level)
  trace.nameSlot = new Map((await all(db, 'SELECT string_id, slot FROM trace_name')).map((row) => [row.string_id, row.slot]))
  trace.categorySlot = (await all(db, 'SELECT slot FROM trace_category ORDER BY category_id')).map((row) => row.slot)
  trace.end = Math.max(...trace.lanes.map((lane) => lane.start.reduce((end, start, i) => Math.max(end, start + lane.dur[i]), 0)))
  trace.count = trace.lanes.reduce((sum, lane) => sum + lane.start.length, 0)
}

const hasLevel = (lane, width) => lane.levels.some((level) => 2 ** level <= width)

/** A lane of which the slices themselves are looked at: each column is as it should be. */
function checkExactLane(lane, columns, cells, fill, view) {
  const wrong = columns.findIndex(({ cover, rows }, i) => {
    if (rows.length === 0) return cells[i] !== 0 && fill[i] > 1 // an edge that rounding decides may be touched
    const passing = rows.filter(([row]) => view.passes(lane.name[row]))
    const most = Math.max(...passing.map(([, share]) => share))
    const slots = passing.length > 0 ? passing.filter(([, share]) => share > most - 1e-4).map(([row]) => view.slot(lane, row)) : [LEFT_OUT]
    const expected = Math.min(Math.max(Math.round(cover * 255), 1), 255)
    return !slots.includes(cells[i]) || Math.abs(fill[i] - expected) > 1
  })
  check(wrong < 0, `${view.name}: column ${wrong} is ${cells[wrong]}, ${fill[wrong]}, of ${JSON.stringify(columns[wrong])}`)
}

/** A lane of which a level is looked at: nothing is missing, nothing is far from where it belongs, the covered share is kept. */
function checkLevelLane(lane, columns, cells, fill, view) {
  const near = (i) => columns.slice(Math.max(i - 3, 0), i + 4)
  let [drift, window] = [0, 0]
  for (const [i, { cover, rows }] of columns.entries()) {
    if (rows.length > 0) {
      check(fill[i] >= 1 && cells[i] >= 1, `${view.name}: column ${i} with a slice is empty`)
      const passes = rows.some(([row]) => view.passes(lane.name[row]))
      if (passes) check(cells[i] !== LEFT_OUT, `${view.name}: column ${i} with a slice that passes is left out`)
    }
    if (cells[i] > 0) {
      const slots = near(i).flatMap((column) => column.rows.map(([row]) => (view.passes(lane.name[row]) ? view.slot(lane, row) : LEFT_OUT)))
      check(slots.includes(cells[i]), `${view.name}: column ${i} has the slot ${cells[i]} of no slice near it`)
    }
    drift += fill[i] / 255 - cover
    window++
    if (window === 8 || i === columns.length - 1) {
      check(Math.abs(drift) <= 2.1, `${view.name}: the covered share before column ${i} is off by ${drift} columns`)
      window = drift = 0
    }
  }
}

function checkBoxes(trace, answered, lanes, view) {
  const { kept, leftOut } = reference.boxes(trace, lanes, view.t0, view.t1, view.columns)
  const got = Array.from(answered.box_lane, (lane, i) => ({
    lane,
    start: answered.box_start[i],
    dur: answered.box_dur[i],
    slice: answered.box_slice[i],
    name: answered.box_name[i],
    category: answered.box_category[i],
  }))
  check(JSON.stringify(got) === JSON.stringify(kept), `${view.name}: ${got.length} boxes, not the ${kept.length} expected`)
  check(answered.meta.boxes_left_out === leftOut, `${view.name}: ${answered.meta.boxes_left_out} boxes left out, not ${leftOut}`)
  kept.forEach((box, i) => {
    const slot = view.passes(box.name) ? view.slot(trace.lanes[lanes[box.lane]], box.slice - trace.lanes[lanes[box.lane]].first) : LEFT_OUT
    check(answered.box_slot[i] === slot, `${view.name}: box ${i} has slot ${answered.box_slot[i]}, not ${slot}`)
    check(
      box.name < 0 || [...(answered.meta.names[box.name] ?? 'x'.repeat(301))].length <= 300,
      `${view.name}: the name of box ${i} is told`,
    )
  })
}

async function checkRaster(db, trace, lanes, t0, t1, columns, colorBy, names) {
  const filter = names ? JSON.stringify({ names }) : ''
  const answered = decode(await answer(db, raster, JSON.stringify(lanes), t0, t1, columns, colorBy, filter))
  const view = {
    name: `raster of ${lanes.length} lanes, [${t0}, ${t1}) in ${columns}, ${colorBy}${filter}`,
    t0,
    t1,
    columns,
    passes: (name) => !names || names.includes(name),
    slot: (lane, row) => (colorBy === 'name' ? (trace.nameSlot.get(lane.name[row]) ?? 24) : trace.categorySlot[lane.category[row]]),
  }
  check(answered.cells.length === lanes.length * columns && answered.fill.length === lanes.length * columns, `${view.name}: size`)
  let [least, most] = [0, 0]
  const width = (t1 - t0) / columns
  for (const [place, id] of lanes.entries()) {
    const lane = trace.lanes[id]
    const [cells, fill] = [answered.cells, answered.fill].map((all) => all.subarray(place * columns, (place + 1) * columns))
    const exact = reference.exactColumns(lane, t0, t1, columns)
    ;(hasLevel(lane, width) ? checkLevelLane : checkExactLane)(lane, exact, cells, fill, view)
    least += reference.inSight(lane, t0, t1).length
    most += reference.inSight(lane, t0 - 2 * width, t1 + 2 * width).length
  }
  const { in_sight: sight } = answered.meta
  check(sight >= least && sight <= most, `${view.name}: ${sight} slices in sight, not ${least} to ${most}`)
  checkBoxes(trace, answered, lanes, view)
}

export async function checkRasters(db, trace, random) {
  const every = trace.lanes.map((_, id) => id).slice(0, 60)
  const { end } = trace
  await checkRaster(db, trace, every, 0, end + 1, 700, 'name')
  await checkRaster(db, trace, every, 0, end + 1, 1, 'category')
  await checkRaster(db, trace, every, -end, -1e3, 50, 'name')
  await checkRaster(db, trace, every, end + 1e3, end * 2, 50, 'name')
  await checkRaster(db, trace, every, 0.25, 7.5, 16, 'name')
  await checkRaster(db, trace, [], 0, 1, 10, 'name')
  for (let i = 0; i < 24; i++) {
    const length = end / 10 ** (random() * 6)
    const t0 = Math.floor(random() * (end - length) * (i % 3 ? 1 : 0.2))
    const lanes = every.filter(() => random() < 0.6)
    const names = [...trace.nameSlot.keys()].filter(() => random() < 0.1)
    await checkRaster(
      db,
      trace,
      lanes,
      t0,
      t0 + length,
      20 + Math.floor(random() * 500),
      i % 2 ? 'name' : 'category',
      i % 4 ? undefined : names,
    )
  }
}

export async function checkPlaces(db, trace, random) {
  const tracks = [...new Set(trace.lanes.map((lane) => lane.track))]
  for (let i = 0; i < 60; i++) {
    const id = Math.floor(random() * trace.lanes.length)
    const lane = trace.lanes[id]
    const row = Math.floor(random() * lane.start.length)
    const near = lane.start.length > 0 ? lane.start[row] + [0, lane.dur[row], lane.dur[row] + 1, -1, 0.5][i % 5] : 0
    const time = i % 4 ? near : random() * trace.end * 1.2 - trace.end * 0.1
    for (const tolerance of [0, 1, 5000]) {
      const got = await answer(db, 'SELECT trace_pick(?,?,?)', id, time, tolerance)
      check(
        got === reference.pick(lane, time, tolerance),
        `trace_pick(${id}, ${time}, ${tolerance}) is ${got}, not ${reference.pick(lane, time, tolerance)}`,
      )
    }
    const categories = await all(db, `SELECT category_id, coalesce(name, '') AS name FROM trace_category`)
    const category = i % 3 ? null : categories[Math.floor(random() * categories.length)]
    const kind = category?.name ?? ''
    const got = await answer(db, 'SELECT slice_at(?,?,?)', lane.track, time, kind)
    const expected = reference.innermost(trace, lane.track, time, kind ? category.category_id : null)
    check(got === expected, `slice_at(${lane.track}, ${time}, '${kind}') is ${got}, not ${expected}`)
    await checkNext(db, trace, random, tracks, time, lane.first + row)
  }
}

async function checkNext(db, trace, random, tracks, time, slice) {
  const names = random() < 0.5 ? [...trace.nameSlot.keys()].filter(() => random() < 0.03) : null
  const chosen = random() < 0.5 ? tracks.filter(() => random() < 0.5) : null
  const lanes = trace.lanes.filter((lane) => !chosen || chosen.includes(lane.track))
  for (const forward of [true, false]) {
    for (const from of [slice, -1]) {
      const values = [names ? JSON.stringify(names) : '', chosen ? JSON.stringify(chosen) : '', time, from, Number(forward)]
      const got = await answer(db, 'SELECT trace_next(?,?,?,?,?)', ...values)
      const expected = reference.next(lanes, names && new Set(names), time, from, forward)
      check(got === expected, `trace_next(${values.join(', ')}) is ${got}, not ${expected}`)
    }
  }
}

export async function checkSelections(db, trace, random) {
  const tracks = [...new Set(trace.lanes.map((lane) => lane.track))]
  for (let i = 0; i < 18; i++) {
    const length = Math.ceil(trace.end / 10 ** (i === 0 ? 0 : random() * 5)) + (i === 0 ? 10 : 0)
    const t0 = i === 0 ? -10 : Math.floor(random() * (trace.end - length))
    const chosen = i < 3 ? tracks : tracks.filter(() => random() < 0.5)
    const by = ['name', 'category', 'track'][i % 3]
    const text = await answer(db, 'SELECT trace_selection(?,?,?,?,?)', i < 3 ? '' : JSON.stringify(chosen), t0, t0 + length, by, 1000)
    const got = JSON.parse(text)
    const groups = reference.selection(trace, chosen, t0, t0 + length, by)
    const rows = got.rows.map((row) => [row.key, row.count, row.total_ns, row.self_ns, row.min_ns, row.max_ns])
    const expected = groups.map((group) => [
      group.key,
      group.count,
      group.total,
      Math.max(group.total - group.children, 0),
      group.min,
      group.max,
    ])
    const wrong = expected.findIndex((row, at) => String(row) !== String(rows[at]))
    check(
      wrong < 0 && rows.length === expected.length,
      `trace_selection of [${t0}, ${t0 + length}) by ${by}: ${rows[wrong]}, not ${expected[wrong]}`,
    )
    check(
      got.groups === groups.length && got.count === groups.reduce((sum, group) => sum + group.count, 0),
      `sums of trace_selection by ${by}`,
    )
  }
}

export async function checkNames(db) {
  const rows = await all(db, 'SELECT string_id, text, slice_count, total_ns FROM trace_name JOIN string USING (string_id)')
  for (const text of ['', 'KERNEL_1', 'at::', 'B', 'no such name at all']) {
    const got = JSON.parse(await answer(db, 'SELECT trace_names(?,?)', text, 5))
    const expected = rows.filter((row) => row.text.toLowerCase().includes(text.toLowerCase()))
    expected.sort((a, b) => b.total_ns - a.total_ns || a.string_id - b.string_id)
    const slices = expected.reduce((sum, row) => sum + row.slice_count, 0)
    check(got.count === expected.length && got.slices === slices, `trace_names('${text}') counts ${got.count} names, ${got.slices} slices`)
    const ids = got.names.map((name) => name.name_id)
    check(JSON.stringify(ids) === JSON.stringify(expected.slice(0, 5).map((row) => row.string_id)), `trace_names('${text}') names ${ids}`)
  }
}

export async function checkLinks(db, trace, slices) {
  for (const slice of slices) {
    const got = JSON.parse(await answer(db, 'SELECT slice_links(?)', slice))
    const ends = (list) => list.map((link) => link.slice_id).sort((a, b) => a - b)
    const [out, into] = [0, 1].map((from) =>
      trace.flows
        .filter((flow) => flow[from] === slice)
        .map((flow) => flow[1 - from])
        .sort((a, b) => a - b),
    )
    check(JSON.stringify([ends(got.out), ends(got.in)]) === JSON.stringify([out, into]), `flows of slice ${slice}`)
    const around = []
    for (let at = slice; at >= 0; ) {
      const lane = trace.lanes.find((item) => at >= item.first && at < item.first + item.start.length)
      at = lane.parent[at - lane.first]
      if (at >= 0) around.push(at)
    }
    check(JSON.stringify(got.ancestors.map((item) => item.slice_id)) === JSON.stringify(around), `ancestors of slice ${slice}`)
  }
}

export async function checkCurves(db, trace) {
  for (const [series, samples] of trace.series.entries()) {
    for (const [t0, t1, columns] of [
      [0, 8.1e7, 40],
      [-500, 500, 7],
      [900, 4500, 5],
      [1e9, 2e9, 3],
      [1000, 1001, 1],
    ]) {
      const got = decode(await answer(db, 'SELECT counter_curve(?,?,?,?)', series, t0, t1, columns))
      const expected = reference.counterColumns(samples, t0, t1, columns)
      const rows = expected.map((_, i) => [got.min[i], got.max[i], got.last[i]])
      check(JSON.stringify(rows) === JSON.stringify(expected), `counter_curve(${series}, ${t0}, ${t1}, ${columns})`)
    }
  }
  let first = 0
  for (const [id, { instants }] of trace.tracks.entries()) {
    for (const [t0, t1, columns] of [
      [0, 2e8, 100],
      [10, 11, 1],
      [-100, 10, 11],
      [1e6, 1.1e6, 50],
      [5e9, 6e9, 2],
    ]) {
      const got = decode(await answer(db, 'SELECT instant_marks(?,?,?,?)', id, t0, t1, columns))
      const width = (t1 - t0) / columns
      const wanted = Array.from({ length: columns }, () => [0, null])
      instants.forEach((time, i) => {
        if (time < t0 || time >= t1) return
        const mark = wanted[Math.min(Math.floor((time - t0) / width), columns - 1)]
        if (mark[0]++ === 0) mark[1] = first + i
      })
      check(
        JSON.stringify(wanted.map((_, i) => [got.count[i], got.first[i]])) === JSON.stringify(wanted),
        `instant_marks(${id}, ${t0}, ${t1})`,
      )
    }
    first += instants.length
  }
}
