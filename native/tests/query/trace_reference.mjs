// What the questions about a trace should answer, by plain scans over its slices.

/** What lies between two times: as in the functions, a slice without a length counts where it begins. */
const overlaps = (start, dur, t0, t1) => start < t1 && (start + dur > t0 || start >= t0)

/** The rows of a lane in [t0, t1). */
export function inSight(lane, t0, t1) {
  const rows = []
  for (let i = 0; i < lane.start.length; i++) if (overlaps(lane.start[i], lane.dur[i], t0, t1)) rows.push(i)
  return rows
}

/** By column: covered share, the share of each slice (by row of the lane), whether any slice is there. */
export function exactColumns(lane, t0, t1, columns) {
  const width = (t1 - t0) / columns
  const out = Array.from({ length: columns }, () => ({ cover: 0, rows: [] }))
  for (const row of inSight(lane, t0, t1)) {
    const [x0, x1] = [lane.start[row], lane.start[row] + lane.dur[row]].map((time) => Math.min(Math.max((time - t0) / width, 0), columns))
    for (let column = Math.min(Math.floor(x0), columns - 1); column < columns && (column < x1 || column === Math.floor(x0)); column++) {
      const share = Math.max(Math.min(x1, column + 1) - Math.max(x0, column), 0)
      if (share < 1e-5 && share < (x1 - x0) / 2) continue // at an edge, rounding decides
      out[column].cover += share
      out[column].rows.push([row, share])
    }
  }
  return out
}

/** Every slice of `lanes` in sight that is at least 3 columns wide, in order of lane and start: at most 5,000, the widest. */
export function boxes(trace, lanes, t0, t1, columns) {
  const width = (t1 - t0) / columns
  const found = []
  for (const [place, id] of lanes.entries()) {
    const lane = trace.lanes[id]
    for (const row of inSight(lane, t0, t1)) {
      if (lane.dur[row] / width < 3) continue
      found.push({
        lane: place,
        start: lane.start[row],
        dur: lane.dur[row],
        slice: lane.first + row,
        name: lane.name[row],
        category: lane.category[row],
      })
    }
  }
  const order = (a, b) => a.lane - b.lane || a.start - b.start || a.slice - b.slice
  const kept = found.sort((a, b) => b.dur - a.dur || order(a, b)).slice(0, 5000)
  return { kept: kept.sort(order), leftOut: found.length - kept.length }
}

export function pick(lane, time, tolerance) {
  let best = null
  for (let i = 0; i < lane.start.length; i++) {
    const [start, end] = [lane.start[i], lane.start[i] + lane.dur[i]]
    const away = start <= time && (time < end || start === time) ? -1 : Math.max(start - time, time - end)
    // Of equally near ones that begin before, the later; of one before and one behind, that before.
    if (away <= tolerance && (!best || away < best.away || (away === best.away && start <= time))) best = { away, slice: lane.first + i }
  }
  return best?.slice ?? null
}

export function next(lanes, names, time, slice, forward) {
  const direction = forward ? 1 : -1
  const isAfter = (a, b) => direction * (a.start - b.start || a.slice - b.slice) > 0
  const from = { start: time, slice }
  let best = null
  for (const lane of lanes) {
    for (let i = 0; i < lane.start.length; i++) {
      const at = { start: lane.start[i], slice: lane.first + i }
      if (!isAfter(at, from) || (names && !names.has(lane.name[i]))) continue
      if (!best || isAfter(best, at)) best = at
    }
  }
  return best?.slice ?? null
}

/** trace_selection: groups by key. */
export function selection(trace, tracks, t0, t1, by) {
  const groups = new Map()
  const keyOf = (lane, row) => (by === 'track' ? lane.track : by === 'name' ? lane.name[row] : lane.category[row])
  const groupOf = (key) => {
    if (!groups.has(key)) groups.set(key, { key, count: 0, total: 0, children: 0, min: Infinity, max: 0 })
    return groups.get(key)
  }
  const laneOf = (slice) => trace.lanes.find((lane) => slice >= lane.first && slice < lane.first + lane.start.length)
  let parentLane = null
  for (const lane of trace.lanes.filter((item) => tracks.includes(item.track))) {
    for (const row of inSight(lane, t0, t1)) {
      const inside = Math.max(Math.min(lane.start[row] + lane.dur[row], t1) - Math.max(lane.start[row], t0), 0)
      const group = groupOf(keyOf(lane, row))
      group.count++
      group.total += inside
      group.min = Math.min(group.min, lane.dur[row])
      group.max = Math.max(group.max, lane.dur[row])
      const parent = lane.parent[row]
      if (parent < 0) continue
      if (!parentLane || parent < parentLane.first || parent >= parentLane.first + parentLane.start.length) parentLane = laneOf(parent)
      groupOf(keyOf(parentLane, parent - parentLane.first)).children += inside
    }
  }
  return [...groups.values()].sort((a, b) => b.total - a.total || a.key - b.key)
}

/** Innermost slice of a track at a time, both ends included. */
export function innermost(trace, track, time, category) {
  let best = null
  for (const lane of trace.lanes.filter((item) => item.track === track)) {
    for (let i = 0; i < lane.start.length; i++) {
      const [start, end] = [lane.start[i], lane.start[i] + lane.dur[i]]
      if (start > time || end < time || (category !== null && lane.category[i] !== category)) continue
      // In one lane the last that begins there decides, as it hides the one that ends there.
      if (!best || start > best.start || (start === best.start && (end <= best.end || lane === best.lane)))
        best = { start, end, lane, slice: lane.first + i }
    }
  }
  return best?.slice ?? null
}

/** A counter by column: [min, max, last], with the value that it holds at the column's beginning. */
export function counterColumns(samples, t0, t1, columns) {
  const width = (t1 - t0) / columns
  const out = []
  for (let column = 0; column < columns; column++) {
    const [from, to] = [t0 + column * width, t0 + (column + 1) * width]
    const held = samples.filter(([time]) => time < from).at(-1)?.[1]
    const inside = samples.filter(([time]) => time >= from && time < to)
    const values = inside.map(([, value]) => value)
    if (held !== undefined && inside[0]?.[0] !== from) values.unshift(held)
    out.push(values.length > 0 ? [Math.min(...values), Math.max(...values), values.at(-1)] : [NaN, NaN, NaN])
  }
  return out
}
