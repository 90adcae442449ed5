// Holds the categories of an index against the slow reference: every allocation, and the sums at moments.
import { expect } from 'vitest'
import { type CategorySubject, categories, type RefRules } from '../reference/categories.ts'
import type { IndexFile } from '../support/index-file.ts'
import { someEvents } from '../support/random.ts'

/** What the index knows of a device, for the reference. */
export async function categorySubject(index: IndexFile, device: number): Promise<CategorySubject> {
  const stacks: string[][] = []
  for (const stackId of await index.column('SELECT stack_id FROM stack')) stacks[Number(stackId)] = []
  for (const row of await index.all(
    "SELECT stack_id, filename || ':' || name AS text FROM stack_frame JOIN frame USING (frame_id) ORDER BY stack_id, position",
  )) {
    stacks[Number(row.stack_id)]?.push(String(row.text))
  }
  const number = (value: unknown) => (value === null || value === undefined ? null : Number(value))
  const times = await index.column('SELECT time_ns FROM event WHERE device = ? ORDER BY event', [device])
  return {
    eventCount: times.length,
    timesNs: times.some((time) => time !== null) ? times.map(Number) : null,
    annotations: (await index.all('SELECT name, start_ns, end_ns FROM annotation WHERE device = ?', [device])).map((row) => ({
      name: String(row.name),
      startNs: number(row.start_ns),
      endNs: number(row.end_ns),
    })),
    allocations: (
      await index.all(
        `SELECT requested_bytes, alloc_event, free_requested_event, free_request_unseen, free_completed_event, stack_id
         FROM allocation WHERE device = ? ORDER BY allocation_id`,
        [device],
      )
    ).map((row) => ({
      requested: Number(row.requested_bytes),
      made: number(row.alloc_event),
      freed: number(row.free_requested_event),
      isPendingBefore: row.alloc_event === null && row.free_requested_event === null && row.free_request_unseen === 1,
      stack: number(row.stack_id) ?? -1,
      frames: stacks[number(row.stack_id) ?? -1] ?? [],
    })),
    stacks: stacks.filter((frames) => frames !== undefined),
  }
}

export async function expectCategories(index: IndexFile, device: number, rules: RefRules): Promise<void> {
  await index.all('SELECT category_rules(?)', [JSON.stringify(rules)])
  const rows = await index.all('SELECT category, rule FROM allocation_category WHERE device = ? ORDER BY allocation_id', [device])
  expect(rows).toEqual(categories(await categorySubject(index, device), rules))
}

interface Total {
  readonly category: string
  readonly bytes: number
  readonly requested_bytes: number
  readonly count: number
  readonly rules: readonly { readonly rule: string | null; readonly confidence: number; readonly bytes: number; readonly count: number }[]
}

export async function totalsAt(index: IndexFile, device: number, event: number): Promise<readonly Total[]> {
  const [text] = await index.column('SELECT category_totals(?, ?)', [device, event])
  return JSON.parse(String(text)) as Total[]
}

/** At some events: what the categories hold is what is allocated, and each is the sum of its allocations. */
export async function expectConserved(index: IndexFile, device: number, moments = 12): Promise<void> {
  const [row] = await index.all('SELECT event_count, peak_event FROM device WHERE device = ?', [device])
  const events = [Number(row?.peak_event), ...someEvents(7, Number(row?.event_count), moments)]
  for (const event of events) {
    const totals = await totalsAt(index, device, event)
    const sum = (of: (total: Total) => number) => totals.reduce((all, total) => all + of(total), 0)
    const curve = 'SELECT allocated_bytes FROM memory_curve WHERE device = ? AND event = ?'
    const [allocated] = await index.column(event < 0 ? 'SELECT start_allocated_bytes FROM device WHERE device = ? AND ? < 0' : curve, [
      device,
      event,
    ])
    expect(
      sum(({ bytes }) => bytes),
      `event ${event}`,
    ).toBe(Number(allocated))
    for (const { bytes, count: made, rules } of totals) {
      expect(rules.reduce((all, rule) => all + rule.bytes, 0)).toBe(bytes)
      expect(rules.reduce((all, rule) => all + rule.count, 0)).toBe(made)
    }
    const rows = await index.all(
      `SELECT category, sum(size_bytes) AS bytes, sum(requested_bytes) AS requested_bytes, count(*) AS count
       FROM live_allocation(?, ?) AS a CROSS JOIN allocation_category(?) AS c ON c.allocation_id = a.allocation_id GROUP BY category`,
      [device, event, device],
    )
    const plain = totals.map(({ rules: _, ...total }) => total)
    const byName = (a: { category?: unknown }, b: { category?: unknown }) => String(a.category).localeCompare(String(b.category))
    expect(plain.toSorted(byName)).toEqual(rows.toSorted(byName))
  }
}
