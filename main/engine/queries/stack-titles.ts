// Titles of stacks, read when first asked for and kept: the same few thousand stacks come back in every answer.
import type { CaptureKind } from '../../../preload/contract/capture.ts'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { IndexStore } from '../index-store.ts'
import { type Frame, type StackTitle, titleOf } from './frames.ts'
import { cutText, numberOf, textOf } from './row.ts'

const maxKept = 100_000
const batchSize = 500
const noTitle: StackTitle = { title: '', place: '' }

/** Deeper than any stack of a program that still runs. */
const maxFrames = 10_000

/** All frames of the given stacks, innermost first. Errors: as the store. */
export async function readFrames(store: IndexStore, stackIds: readonly number[]): Promise<Result<Map<number, Frame[]>>> {
  const rows = await store.all(
    `SELECT s.stack_id, ${cutText('f.name')} AS name, ${cutText('f.filename')} AS filename, f.line
     FROM stack_frame s JOIN frame f ON f.frame_id = s.frame_id
     WHERE s.stack_id IN (${stackIds.map(() => '?').join(', ')}) AND s.position < ${maxFrames} ORDER BY s.stack_id, s.position`,
    stackIds,
  )
  if (!rows.ok) return rows
  const frames = new Map<number, Frame[]>()
  for (const row of rows.value) {
    const stackId = numberOf(row, 'stack_id')
    const frame = { name: textOf(row, 'name'), filename: textOf(row, 'filename'), line: numberOf(row, 'line') }
    const found = frames.get(stackId)
    if (found) found.push(frame)
    else frames.set(stackId, [frame])
  }
  return ok(frames)
}

export class StackTitles {
  readonly #store: IndexStore
  readonly #kind: CaptureKind
  readonly #kept = new Map<number, StackTitle>()

  constructor(store: IndexStore, kind: CaptureKind) {
    this.#store = store
    this.#kind = kind
  }

  /** Titles by stack id; a stack without frames (and −1) has empty texts. Errors: as the store. */
  async of(stackIds: Iterable<number>): Promise<Result<(stackId: number) => StackTitle>> {
    const missing = [...new Set(stackIds)].filter((stackId) => stackId >= 0 && !this.#kept.has(stackId))
    if (this.#kept.size + missing.length > maxKept) this.#kept.clear()
    for (let at = 0; at < missing.length; at += batchSize) {
      const batch = missing.slice(at, at + batchSize)
      const frames = await readFrames(this.#store, batch)
      if (!frames.ok) return frames
      for (const stackId of batch) this.#kept.set(stackId, titleOf(frames.value.get(stackId) ?? [], this.#kind))
    }
    return ok((stackId) => this.#kept.get(stackId) ?? noTitle)
  }
}
