// The questions of the flame graph on a real capture, through the port, held against plain SQL.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { categoryNames, type EngineInput, type FlameOptions } from '../../preload/contract/queries.ts'
import { corpusFile } from '../support/corpus.ts'
import { IndexFile } from '../support/index-file.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { capturesIn, codeOf, EngineClient } from './engine-client.ts'

const scratch = scratchFolder('queries-flame')
let engine: EngineClient
let capture: CaptureSummary
let sql: IndexFile
let peak = 0

beforeAll(async () => {
  engine = new EngineClient(capturesIn(scratch.path), { lora: samplePath('ft_lora') })
  capture = await engine.open('lora')
  sql = await IndexFile.of(samplePath('ft_lora'))
  peak = Number((await sql.column('SELECT peak_event FROM device'))[0])
})
afterAll(async () => {
  await engine.close()
  await sql.close()
  scratch.remove()
})

const options: FlameOptions = {
  direction: 'callees',
  merge: 'function',
  foldRecursion: false,
  hide: [],
  pivot: null,
  with: [],
  without: [],
}

const question = (): EngineInput<'flame.tree'> => ({
  captureId: capture.captureId,
  device: 0,
  measure: 'alive',
  unit: 'bytes',
  fromEvent: peak,
  toEvent: peak,
  options,
  root: 0,
  order: 'size',
  limit: 5000,
})

describe('flame.tree', () => {
  test('holds at its root what the curve says of that event, and names its frames', async () => {
    const tree = await engine.value('flame.tree', question())
    expect(tree.total[0]).toBe(Number((await sql.column('SELECT peak_allocated_bytes FROM device'))[0]))
    expect(tree.self.reduce((sum, bytes) => sum + bytes, 0)).toBe(tree.total[0])
    expect(tree.leftOut).toBe(0)
    const names = tree.frames.map(({ title }) => title)
    expect(names).toContain('forward')
    expect(tree.frames.find(({ filename }) => filename.endsWith('/finetune/cases.py'))?.kind).toBe('own')
    for (const [row, frame] of tree.frame.entries()) expect(frame < tree.frames.length && (row > 0 || frame === -1)).toBe(true)
  })

  test('below a node it says the same as within the whole', async () => {
    const whole = await engine.value('flame.tree', question())
    const row = whole.depth.indexOf(4)
    const part = await engine.value('flame.tree', { ...question(), root: whole.node[row] ?? 0 })
    expect(part.total[0]).toBe(whole.total[row])
    expect(part.depth[0]).toBe(4)
    expect([...part.node].every((node) => whole.node.includes(node))).toBe(true)
  })

  test('counts the frames that it hides, and loses no bytes with them', async () => {
    const whole = await engine.value('flame.tree', question())
    const hidden = await engine.value('flame.tree', { ...question(), options: { ...options, hide: ['site-packages/'] } })
    const [count] = await sql.column("SELECT count(*) FROM frame WHERE instr(filename || ':' || name, 'site-packages/') > 0")
    expect(hidden.hiddenFrames).toBe(Number(count))
    expect(hidden.total[0]).toBe(whole.total[0])
    expect(hidden.frames.filter(({ filename }) => filename.includes('site-packages/'))).toEqual([])
  })

  test('of a limited answer says how many nodes are not among it', async () => {
    const whole = await engine.value('flame.tree', question())
    const few = await engine.value('flame.tree', { ...question(), limit: 7 })
    expect(few.node).toHaveLength(7)
    expect(few.leftOut).toBe(whole.node.length - 7)
  })

  test.each([
    ['callees', {}],
    ['callers', { direction: 'callers' }],
    ['with folded recursion and hidden frames', { foldRecursion: true, hide: ['nn/modules/module.py'] }],
  ] as const)('tells the line of a node only where all frames behind what it holds are of one: %s', async (_name, change) => {
    const asked: FlameOptions = { ...options, ...change, hide: 'hide' in change ? [...change.hide] : [] }
    const tree = await engine.value('flame.tree', { ...question(), options: asked })
    const order = asked.direction === 'callees' ? 'DESC' : 'ASC'
    const found = { one: 0, several: 0 }
    for (const row of [...tree.depth.keys()].filter((each) => each % 7 === 1 && (tree.frame[each] ?? -1) >= 0).slice(0, 60)) {
      const node = tree.node[row] ?? 0
      const { stacks } = await engine.value('flame.stacks', { captureId: capture.captureId, device: 0, options: asked, node })
      const lines = await sql.column(
        `WITH shown AS (SELECT stack_id, line, filename || ':' || name AS function, row_number() OVER (PARTITION BY stack_id ORDER BY position ${order}) AS place
            FROM stack_frame JOIN frame USING (frame_id) WHERE stack_id IN (SELECT value FROM json_each(?))
            AND stack_id IN (SELECT stack_id FROM live_allocation(0, ${peak})) AND instr(filename || ':' || name, ?) = 0),
          stepped AS (SELECT *, ? AND function = lag(function, 1, '') OVER (PARTITION BY stack_id ORDER BY place) AS again FROM shown),
          deep AS (SELECT line, sum(1 - again) OVER (PARTITION BY stack_id ORDER BY place) AS depth FROM stepped)
        SELECT DISTINCT line FROM deep WHERE depth = ?`,
        [JSON.stringify(stacks), asked.hide[0] ?? 'no such file', asked.foldRecursion ? 1 : 0, tree.depth[row] ?? 0],
      )
      found[lines.length === 1 ? 'one' : 'several']++
      expect(tree.line[row], `row ${row}`).toBe(lines.length === 1 ? Number(lines[0]) : 0)
    }
    expect(Math.min(found.one, found.several)).toBeGreaterThan(0)
  })

  test('refuses an event that the capture does not have', async () => {
    const answer = await engine.ask('flame.tree', { ...question(), fromEvent: 10_000_000 }).answer
    expect(codeOf(answer)).toBe('query/bad_argument')
  })
})

test('flame.match tells the share of what was searched for, in any case of letters', async () => {
  const { order: _order, limit: _limit, ...weighed } = question()
  const none = await engine.value('flame.match', { ...weighed, text: 'no such function' })
  const file = await engine.value('flame.match', { ...weighed, text: 'CASES.PY' })
  expect(none).toMatchObject({ total: 0, nodes: 0, frameCount: 0, frames: [] })
  expect(file.total).toBeGreaterThan(0)
  expect(file.frames.length).toBe(file.frameCount)
})

test('flame.stacks names the stacks whose allocations a node counts', async () => {
  const tree = await engine.value('flame.tree', question())
  const row = tree.depth.indexOf(3)
  const { stacks } = await engine.value('flame.stacks', { captureId: capture.captureId, device: 0, options, node: tree.node[row] ?? 0 })
  const [bytes] = await sql.column(
    `SELECT sum(size_bytes) FROM live_allocation(0, ${peak}) WHERE coalesce(stack_id, -1) IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(stacks)],
  )
  expect(tree.total[row]).toBe(Number(bytes))
})

test('flame.within weighs what has no stack by every measure, and names nothing where no annotation holds any', async () => {
  const [fromEvent, toEvent] = [peak - 500, peak]
  const asked = { captureId: capture.captureId, device: 0, fromEvent, toEvent, filter: '' }
  for (const measure of ['alive', 'diff', 'growth', 'allocated', 'area'] as const) {
    const tree = await engine.value('flame.tree', { ...question(), ...asked, measure })
    const places = [...tree.bare.keys()].filter((place) => (tree.bare[place] ?? 0) > 0)
    expect(places.length, measure).toBeGreaterThan(0)
    for (const place of places) {
      const category = categoryNames[(tree.bare[place] ?? 0) - 1] ?? 'unknown'
      const { bytes, annotations } = await engine.value('flame.within', { ...asked, measure, category })
      expect([measure, category, bytes]).toEqual([measure, category, tree.bytes[place]])
      expect(annotations, 'this program annotates the optimizer only, which has stacks').toEqual([])
    }
  }
})

const annotated = corpusFile('healthy/annotated/snapshot.pickle')
test.skipIf(annotated === null)('flame.within names the backward pass as the program annotates it', async () => {
  const other = new EngineClient(capturesIn(join(scratch.path, 'annotated')), { annotated: annotated ?? '' })
  const { captureId, devices } = await other.open('annotated')
  const event = devices[0]?.peakEvent ?? 0
  const at = { captureId, device: 0, measure: 'alive', fromEvent: event, toEvent: event, filter: '' } as const
  expect(await other.value('flame.within', { ...at, category: 'autograd_detail' })).toEqual({
    bytes: 131_072_000,
    annotations: [{ name: '## backward ##', count: 2, bytes: 131_072_000 }],
  })
  await other.close()
})
