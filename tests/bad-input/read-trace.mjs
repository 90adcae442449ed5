// Reads everything of a trace back from its index, so that a bad value in a relation or a picture shows as well.

const relations = [
  'slice',
  'instant',
  'counter',
  'flow',
  'memory_event',
  'trace_allocation',
  'track',
  'process',
  'trace_name',
  'trace_category',
]

/** `all(sql, parameters)` answers rows. Lets what fails through. */
export async function readTraceBack(all) {
  for (const relation of relations) await all(`SELECT count(*) FROM ${relation}`)
  await all('SELECT max(start_ns), min(dur_ns), max(parent_id), max(length(name)), sum(length(category)) FROM slice')
  const lanes = (await all('SELECT lane_id FROM lane LIMIT 1000')).map((row) => row.lane_id)
  const [{ from, to }] = await all('SELECT coalesce(min(first_ns), 0) AS "from", coalesce(max(last_ns), 1) + 1 AS "to" FROM track')
  const tracks = (await all('SELECT track_id FROM track LIMIT 50')).map((row) => row.track_id)
  if (lanes.length > 0) {
    await all('SELECT trace_raster(?, ?, ?, 100, ?, ?)', [JSON.stringify(lanes), from, to, 'name', ''])
    await all('SELECT trace_raster(?, ?, ?, 1000, ?, ?)', [
      JSON.stringify(lanes.slice(0, 9)),
      from,
      from + (to - from) / 1000,
      'category',
      '',
    ])
    await all('SELECT trace_pick(?, ?, ?)', [lanes[0], from, 1000])
  }
  await all('SELECT trace_selection(?, ?, ?, ?, 20)', [JSON.stringify(tracks), from, to, 'name'])
  await all("SELECT trace_names('a', 20)")
  const slices = await all('SELECT slice_id FROM slice LIMIT 3')
  for (const { slice_id: slice } of slices) await all('SELECT slice_links(?)', [slice])
  for (const { device, events } of await all('SELECT device, event_count AS events FROM device WHERE event_count > 0 LIMIT 3')) {
    await all('SELECT op_memory(?, 0, ?, 20), trace_steps(?)', [device, events, device])
  }
  return { slices: (await all('SELECT count(*) AS n FROM slice'))[0].n }
}
