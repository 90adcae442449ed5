// Every shape, phase and kind of damage of Chrome traces: all events, slices and findings that the generated files must give.
import { expect, test } from 'vitest'
import type { FindingLine, TraceFixture } from '../fixtures/traces/fixture.ts'
import { traceFixtures } from '../fixtures/traces/index.ts'
import { IndexFile, type Row } from '../support/index-file.ts'

/** What files of few fields say of themselves; the fixtures are about other things. */
const ambient = ['trace/no_memory_events', 'trace/no_python_stacks']

const matches = ([codes]: FindingLine, row: Row) => codes.split('|').includes(String(row.code))

/** Findings that are missing, wrong, or not foreseen, in words. */
function differences(fixture: TraceFixture, rows: readonly Row[]): string[] {
  const marks = fixture.marks()
  const wrong: string[] = []
  for (const wanted of fixture.findings) {
    const [codes, count, mark] = wanted
    const found = rows.find((row) => matches(wanted, row) && row.count === count) ?? rows.find((row) => matches(wanted, row))
    const [from, to] = (mark === null ? undefined : marks[mark]) ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    if (found === undefined) wrong.push(`${codes} is missing`)
    else if (found.count !== count) wrong.push(`${found.code} ${found.count} times, not ${count}`)
    else if (mark !== null && !(Number(found.first_at) >= from && Number(found.first_at) <= to && found.first_at !== null))
      wrong.push(`${found.code} at ${found.first_at}, not in ${from}…${to}`)
  }
  const expected = (row: Row) =>
    fixture.tolerated.includes(String(row.code)) ||
    ambient.includes(String(row.code)) ||
    fixture.findings.some((line) => matches(line, row))
  const unexpected = rows.filter((row) => !expected(row))
  return [...wrong, ...unexpected.map((row) => `${row.code} ${row.count} times at ${row.first_at} was not foreseen: ${row.message}`)]
}

const slices = 'SELECT name, start_ns, dur_ns FROM slice ORDER BY start_ns, dur_ns DESC, name'

test.each(traceFixtures.map((fixture) => [fixture.name, fixture] as const))('%s', async (name, fixture) => {
  const index = await IndexFile.ofTraceBytes(name, fixture.bytes())
  try {
    const found = (await index.all(slices)).map((row) => [row.name, row.start_ns, row.dur_ns])
    if (fixture.slices !== null) expect(found).toEqual(fixture.slices)
    expect(differences(fixture, await index.all('SELECT code, count, first_at, message FROM finding'))).toEqual([])
    expect(await index.column('SELECT event_count FROM capture')).toEqual([fixture.events])
    for (const [sql, rows] of fixture.answers)
      expect(
        (await index.all(sql)).map((row) => Object.values(row)),
        sql,
      ).toEqual(rows)
  } finally {
    await index.close()
  }
})
