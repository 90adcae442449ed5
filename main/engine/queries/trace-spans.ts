// What the program named itself in a trace, on whichever thread: steps of training and annotations, as marks on the time axis.
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { EngineOutput, TraceSpan } from '../../../preload/contract/queries.ts'
import type { OpenCapture } from '../open-capture.ts'
import type { QueryHandler } from './query.ts'
import { cutText, numberOf, textOf } from './row.ts'

/** More marks than this are not drawn one by one anyway; the answer says how many there are. */
const maxSpans = 20_000

const stepNames = "SELECT text AS named FROM trace_name JOIN string USING (string_id) WHERE text GLOB 'ProfilerStep#[0-9]*'"

/** Slices of the categories in which programs name what they do. Joined from the few names, since the relation narrows by equal values. */
const byCategory = `(SELECT name AS named FROM trace_category WHERE kind = 'user_annotation' AND slice_count > 0)
  CROSS JOIN slice ON slice.category = named`

/** Steps as profilers wrote them that had no such category yet; their copies on the GPU are no steps of the program. */
const byName = `(${stepNames}) CROSS JOIN slice ON slice.name = named
  WHERE coalesce(category, '') NOT IN (SELECT name FROM trace_category WHERE kind IN ('user_annotation', 'gpu_annotation', 'gpu') AND name IS NOT NULL)`

async function read(capture: OpenCapture, from: string): Promise<Result<EngineOutput<'trace.spans'>>> {
  const counted = await capture.store.get(`SELECT count(*) AS total FROM ${from}`)
  if (!counted.ok) return counted
  // The longest are kept: short ones would fall below a pixel first.
  const rows = await capture.store.all(
    `SELECT ${cutText("coalesce(name, '')")} AS name, track_id, start_ns, dur_ns, is_unfinished
     FROM (SELECT slice.name AS name, track_id, start_ns, dur_ns, is_unfinished FROM ${from} ORDER BY dur_ns DESC, slice_id LIMIT ?)
     ORDER BY start_ns, dur_ns DESC`,
    [maxSpans],
  )
  if (!rows.ok) return rows
  const spans = rows.value.map((row) => ({
    name: textOf(row, 'name'),
    trackId: numberOf(row, 'track_id'),
    startNs: numberOf(row, 'start_ns'),
    endNs: numberOf(row, 'is_unfinished') === 1 ? null : numberOf(row, 'start_ns') + numberOf(row, 'dur_ns'),
  }))
  return ok({ spans, total: counted.value ? numberOf(counted.value, 'total') : 0 })
}

/** One without an end goes on to the end of its track: it is longer than those that end. */
const lengthNs = ({ startNs, endNs }: TraceSpan): number => (endNs ?? Number.MAX_VALUE) - startNs

export const traceSpans: QueryHandler<'trace.spans'> = async (capture) => {
  const named = await read(capture, byCategory)
  if (!named.ok) return named
  // Names are few: whether there are such steps at all is known without going through the slices.
  const steps = await capture.store.get(`SELECT EXISTS (${stepNames}) AS found`)
  if (!steps.ok) return steps
  const isStep = ({ name }: { readonly name: string }) => name.startsWith('ProfilerStep#')
  if (!steps.value || numberOf(steps.value, 'found') === 0 || named.value.spans.some(isStep)) return named
  const old = await read(capture, byName)
  if (!old.ok) return old
  const longest = [...old.value.spans, ...named.value.spans].sort((a, b) => lengthNs(b) - lengthNs(a)).slice(0, maxSpans)
  return ok({ spans: longest.sort((a, b) => a.startNs - b.startNs), total: old.value.total + named.value.total })
}
