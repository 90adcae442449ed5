// Flame graphs: what the shipped captures say, against the slow reference, and the laws of a limited answer. Real captures: agreement.test.ts.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { categoryNames } from '../../preload/contract/categories.ts'
import { frameKey } from '../reference/flame.ts'
import { replay } from '../reference/replay.ts'
import { type RefFrame, readReference } from '../reference/snapshot.ts'
import { f64, readBatch } from '../support/batch.ts'
import { rulesText } from '../support/category-rules.ts'
import { IndexFile } from '../support/index-file.ts'
import { samplePath } from '../support/paths.ts'
import { devicesOf } from './agree.ts'
import { answerOf, expectFlames, type FlameSubject, flameSubjects, foundSums, optionsOf, plain } from './flame-agree.ts'

async function subjectsOf(name: 'ft_lora' | 'oom' | 'two_devices', rules?: string): Promise<FlameSubject[]> {
  const file = readReference(samplePath(name))
  const replays = devicesOf(file).map((device) => replay(file, device))
  const index = await IndexFile.of(samplePath(name))
  if (rules) await index.all('SELECT category_rules(?)', [rules])
  return flameSubjects(index, file, replays)
}

test.each(['ft_lora', 'oom', 'two_devices'] as const)(
  '%s: every node is the sum of the allocations behind it',
  { timeout: 120_000 },
  async (name) => {
    const subjects = await subjectsOf(name, rulesText)
    for (const subject of subjects) await expectFlames(subject, { moments: 6, questions: 60 })
    await subjects[0]?.index.close()
  },
)

test('nothing has changed between a moment and itself', async () => {
  const subjects = await subjectsOf('ft_lora')
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -1, max: (subjects[0]?.eventCount ?? 1) - 1 }), async (event) => {
      const sums = await foundSums(subjects[0] as FlameSubject, { ...plain, measure: 'growth', from: event, to: event })
      expect([...sums.values()]).toEqual([{ total: 0, self: 0, baseTotal: 0, baseSelf: 0 }])
    }),
    { numRuns: 20 },
  )
  await subjects[0]?.index.close()
})

test('of a limited answer the largest nodes and all that enclose them are shown, the rest is counted', async () => {
  const [subject] = (await subjectsOf('ft_lora')) as [FlameSubject]
  const ask = { ...plain, from: Math.floor(subject.eventCount / 2) }
  const all = await answerOf(subject, ask)
  const few = await answerOf(subject, ask, 10)
  const [totals, nodes] = [[...f64(all, 'total')].sort((a, b) => b - a), f64(few, 'node')]
  expect([...f64(few, 'total')].sort((a, b) => b - a)).toEqual(totals.slice(0, 10))
  expect(nodes).toHaveLength(10)
  for (const [row, parent] of f64(few, 'parent').entries()) expect(parent).toBeLessThan(row)
  expect(JSON.parse(String(few.get('meta')))).toMatchObject({ left_out: totals.length - 10 })
  await subject.index.close()
})

test('the stacks of a node are those whose allocations it counts', async () => {
  const [subject] = (await subjectsOf('ft_lora')) as [FlameSubject]
  const batch = await answerOf(subject, { ...plain, from: 1000 })
  const [nodes, totals] = [f64(batch, 'node'), f64(batch, 'total')]
  for (const row of [0, 1, 5, 12]) {
    const stacks = await stacksOf(subject, nodes[row])
    const [bytes] = await subject.index.column(
      'SELECT sum(size_bytes) FROM live_allocation(0, 1000) WHERE coalesce(stack_id, -1) IN (SELECT value FROM json_each(?))',
      [JSON.stringify(stacks.stacks)],
    )
    expect(Number(bytes)).toBe(totals[row])
  }
  await subject.index.close()
})

const stacksOf = async (subject: FlameSubject, node: number | undefined) =>
  JSON.parse(String((await subject.index.column('SELECT flame_stacks(0, ?, ?)', [optionsOf(subject, plain), node ?? -1]))[0])) as {
    readonly stacks: readonly number[]
    readonly categories?: readonly string[]
  }

test('what has no frames is told apart by category, and its stacks with that category filter just that', async () => {
  const [subject] = (await subjectsOf('ft_lora', rulesText)) as [FlameSubject]
  const event = 2480 // the peak, in the backward pass
  const batch = await answerOf(subject, { ...plain, from: event })
  const [node, bare, total] = [f64(batch, 'node'), f64(batch, 'bare'), f64(batch, 'total')]
  const rows = [...bare.keys()].filter((row) => (bare[row] ?? 0) > 0)
  const names = rows.map((row) => categoryNames[(bare[row] ?? 0) - 1])
  expect(names.toSorted()).toEqual(['autograd_detail', 'workspace'])
  for (const [place, row] of rows.entries()) {
    const filter = await stacksOf(subject, node[row])
    expect(filter).toEqual({ stacks: [-1, 0], categories: [names[place]] })
    const kept = readBatch(
      (
        await subject.index.column("SELECT flame_tree(0, 'alive', 'bytes', ?, 0, '', ?, 'size', 0, 10)", [event, JSON.stringify(filter)])
      )[0],
    )
    expect([...f64(kept, 'total')]).toEqual([total[row], total[row]])
  }
  await subject.index.close()
})

test('without rules, what has no frames is one node', async () => {
  const [subject] = (await subjectsOf('ft_lora')) as [FlameSubject]
  await expectFlames(subject, { moments: 2, questions: 10 })
  const batch = await answerOf(subject, { ...plain, from: 2480 })
  expect([...f64(batch, 'bare')].filter((slot) => slot > 0)).toEqual([categoryNames.indexOf('unknown') + 1])
  await subject.index.close()
})

test('a question that does not fit is refused and says why', async () => {
  const [subject] = (await subjectsOf('ft_lora')) as [FlameSubject]
  const ask = (parts: string) => subject.index.all(`SELECT flame_tree(${parts})`)
  const bad = { code: 'query/bad_argument' }
  await expect(ask("0, 'alive', 'bytes', 99999999, 0, '', '', 'size', 0, 10")).rejects.toMatchObject(bad)
  await expect(ask("0, 'allocated', 'bytes', 5, 5, '', '', 'size', 0, 10")).rejects.toMatchObject(bad)
  await expect(ask("0, 'alive', 'bytes', 5, 0, '{\"hide\": [1]}', '', 'size', 0, 10")).rejects.toMatchObject(bad)
  await expect(ask("0, 'alive', 'bytes', 5, 0, '{\"color\": 1}', '', 'size', 0, 10")).rejects.toMatchObject(bad)
  await expect(ask("0, 'alive', 'bytes', 5, 0, '', '', 'size', 12345678, 10")).rejects.toMatchObject(bad)
  await expect(ask("0, 'alive', 'bytes', 5, 0, '', '', 'size', 0, 0")).rejects.toMatchObject(bad)
  await subject.index.close()
})

test('a search weighs each stack once, however many of its frames it finds', async () => {
  const [subject] = (await subjectsOf('ft_lora')) as [FlameSubject]
  const event = Math.floor(subject.eventCount / 2)
  for (const text of ['forward', 'MODULE.PY', 'ft_lora', 'nothing of that kind']) {
    const [answer] = await subject.index.column("SELECT flame_match(0, 'alive', 'bytes', ?, 0, ?, '', 0, ?)", [
      event,
      optionsOf(subject, plain),
      text,
    ])
    const found = JSON.parse(String(answer)) as { total: number; count: number; frame_count: number; frames: number[] }
    const isHit = (frame: { name: string; filename: string }) =>
      `${frame.filename}:${frame.name}`.toLowerCase().includes(text.toLowerCase())
    const held = subject.run.filter(
      ({ allocation, frames }) =>
        allocation.allocEvent <= event && (allocation.freeRequested ?? Number.POSITIVE_INFINITY) > event && frames.some(isHit),
    )
    expect([found.total, found.count], text).toEqual([held.reduce((sum, { allocation }) => sum + allocation.size, 0), held.length])
    const lines = new Set(held.flatMap(({ frames }) => frames.filter(isHit).map((frame) => frameKey(frame, 'line'))))
    expect(found.frames.map((id) => frameKey(subject.frames.get(id) as RefFrame, 'line')).sort(), text).toEqual([...lines].sort())
    expect(found.frame_count).toBe(lines.size)
  }
  await subject.index.close()
})
