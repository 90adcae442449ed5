// What a match of a template says, as a filter of allocations.
import { z } from 'zod'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { HotSpot } from '../../../preload/contract/queries.ts'
import type { OpenCapture } from '../open-capture.ts'
import { endsLike } from './frame-patterns.ts'
import type { SpotMatch } from './template-files.ts'

type SpotWithin = HotSpot['within']

interface Frames {
  readonly ids: readonly number[]
  readonly texts: readonly string[]
}

/** The stacks of one capture that patterns find; frames are read once, and each list of patterns is compared once. */
class PatternStacks {
  readonly #capture: OpenCapture
  #frames: Frames | undefined
  readonly #found = new Map<string, ReadonlySet<number>>()

  constructor(capture: OpenCapture) {
    this.#capture = capture
  }

  /** stack_ids of stacks with a frame that matches one of the patterns. Errors: as the store. */
  async with(patterns: readonly string[]): Promise<Result<ReadonlySet<number>>> {
    const key = JSON.stringify(patterns)
    const known = this.#found.get(key)
    if (known) return ok(known)
    const frames = await this.#readFrames()
    if (!frames.ok) return frames
    const tests = patterns.map(endsLike)
    const ids = frames.value.ids.filter((_, place) => tests.some((test) => test(frames.value.texts[place] ?? '')))
    const rows = await this.#capture.store.all(
      'SELECT DISTINCT stack_id FROM stack_frame WHERE frame_id IN (SELECT value FROM json_each(?)) ORDER BY stack_id',
      [JSON.stringify(ids)],
    )
    if (!rows.ok) return rows
    const stacks = new Set(rows.value.map((row) => Number(row.stack_id)))
    this.#found.set(key, stacks)
    return ok(stacks)
  }

  /** All stack_ids, −1 first. Errors: as the store. */
  async all(): Promise<Result<readonly number[]>> {
    const rows = await this.#capture.store.all('SELECT stack_id FROM stack ORDER BY stack_id')
    return rows.ok ? ok([-1, ...rows.value.map((row) => Number(row.stack_id))]) : rows
  }

  async #readFrames(): Promise<Result<Frames>> {
    if (this.#frames) return ok(this.#frames)
    const rows = await this.#capture.store.all("SELECT frame_id, filename || ':' || name AS text FROM frame")
    if (!rows.ok) return rows
    this.#frames = { ids: rows.value.map((row) => Number(row.frame_id)), texts: rows.value.map((row) => String(row.text)) }
    return ok(this.#frames)
  }
}

const kept = new WeakMap<OpenCapture, PatternStacks>()

function stacksOf(capture: OpenCapture): PatternStacks {
  const known = kept.get(capture) ?? new PatternStacks(capture)
  kept.set(capture, known)
  return known
}

/** What matches on the device; null where nothing of it can. Errors: as the store. */
export async function withinOf(capture: OpenCapture, device: number, match: SpotMatch): Promise<Result<SpotWithin | null>> {
  if (match.device !== undefined && (match.device === 'cpu') !== device < 0) return ok(null)
  const stacks = await stackIdsOf(capture, match)
  if (!stacks.ok) return stacks
  if (stacks.value?.length === 0) return ok(null)
  const { categories, min_bytes: minBytes } = match
  return ok({ ...(stacks.value && { stacks: stacks.value }), ...(categories && { categories }), ...(minBytes && { minBytes }) })
}

/** undefined: stacks do not matter. */
async function stackIdsOf(
  capture: OpenCapture,
  { frames, without_frames: without = [] }: SpotMatch,
): Promise<Result<number[] | undefined>> {
  if (!frames && without.length === 0) return ok(undefined)
  const stacks = stacksOf(capture)
  const wanted = frames ? await stacks.with(frames) : await stacks.all()
  if (!wanted.ok) return wanted
  const unwanted = await stacks.with(without)
  return unwanted.ok ? ok([...wanted.value].filter((stack) => !unwanted.value.has(stack))) : unwanted
}

const filterSchema = z.looseObject({
  stacks: z.array(z.number()).optional(),
  categories: z.array(z.string()).optional(),
  min_bytes: z.number().optional(),
})

/** The filter (native/README.md, Filters) that passes what is within the spot and passes the question's too; null where nothing can. */
export function inBoth(question: string, { stacks, categories, minBytes = 0 }: SpotWithin): string | null {
  const asked = filterSchema.parse(question === '' ? {} : JSON.parse(question))
  const lists = { stacks: common(asked.stacks, stacks), categories: common(asked.categories, categories) }
  if (lists.stacks?.length === 0 || lists.categories?.length === 0) return null
  const least = Math.max(asked.min_bytes ?? 0, minBytes)
  return JSON.stringify({ ...asked, ...lists, ...(least > 0 ? { min_bytes: least } : {}) })
}

/** What is in both lists; an absent one holds all. */
function common<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined {
  if (!a || !b) return a ?? b
  const others = new Set(b)
  return a.filter((each) => others.has(each))
}
