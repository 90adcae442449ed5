// PyTorch's memory timelines against an independent reading of the same text: a small one of both forms, and the corpus when it is here.
import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { f64, readBatch } from '../support/batch.ts'
import { corpusFile } from '../support/corpus.ts'
import { IndexFile } from '../support/index-file.ts'

const categories = ['parameter', 'optimizer_state', 'input', 'temporary', 'activation', 'gradient', 'autograd_detail', 'unknown']

/** Bytes by category at a time in nanoseconds. */
interface State {
  readonly timeNs: bigint
  readonly bytes: readonly number[]
}

type Change = readonly [timeNs: bigint, action: number, bytes: number, category: number]

function readStates(text: string): State[] {
  const [times, rows] = JSON.parse(text) as [number[], number[][]]
  return rows.map((row, index) => ({ timeNs: BigInt(times[index] ?? 0) * 1000n, bytes: row.slice(1) }))
}

// The times do not fit a double, so they are taken from the text.
const readChanges = (text: string): Change[] =>
  [...text.matchAll(/\[\s*(-?\d+),\s*(\d+),\s*(-?\d+),\s*(\d+)\s*\]/g)].map(([, time = '', action, bytes, category]) => [
    BigInt(time),
    Number(action),
    Number(bytes),
    Number(category),
  ])

/** The state behind the last change of each time; `timeOf` says which times count as one. */
function statesOf(changes: readonly Change[], timeOf: (timeNs: bigint) => bigint): State[] {
  const states: State[] = []
  const held = categories.map(() => 0)
  for (const [index, [timeNs, , bytes, category]] of changes.entries()) {
    held[category] = (held[category] ?? 0) + bytes
    const [time, next] = [timeOf(timeNs), changes[index + 1]]
    if (!next || timeOf(next[0]) !== time) states.push({ timeNs: time, bytes: [...held] })
  }
  return states
}

/** What PyTorch makes of nanoseconds in its other form: int(t / 1000), where the quotient is a double, exact to a quarter. */
const asMicroseconds = (timeNs: bigint): bigint => (timeNs < 0n ? timeNs : ((timeNs * 4n + 500n) / 1000n / 4n) * 1000n)

/** The index's samples, a state a time, in order; times as in the file. */
async function indexedStates(index: IndexFile, startNs: bigint): Promise<State[]> {
  const bySeries = new Map<string, { times: bigint[]; values: number[] }>()
  for (const { series, time_ns: time, value } of await index.all('SELECT series, time_ns, value FROM counter')) {
    const all = bySeries.get(String(series)) ?? { times: [], values: [] }
    all.times.push(BigInt(Number(time)) + startNs)
    all.values.push(Number(value))
    bySeries.set(String(series), all)
  }
  expect([...bySeries.keys()]).toEqual(categories)
  const { times = [] } = bySeries.get('parameter') ?? {}
  for (const each of bySeries.values()) expect(each.times).toEqual(times)
  return times.map((timeNs, row) => ({ timeNs, bytes: categories.map((category) => bySeries.get(category)?.values[row] ?? Number.NaN) }))
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The stack of each column is the fullest state in it, that it starts with included. */
async function expectFullestStacks(index: IndexFile, states: readonly State[], startNs: bigint): Promise<void> {
  const endNs = Number((states.at(-1)?.timeNs ?? 0n) - startNs) + 1
  const columns = 13
  const ids = await index.column('SELECT series_id FROM counter_series ORDER BY series_id')
  const [blob] = await index.column('SELECT counter_stack(?, 0, ?, ?)', [JSON.stringify(ids), endNs, columns])
  const values = f64(readBatch(blob), 'value')
  expect(values).toHaveLength(columns * categories.length)
  for (let column = 0; column < columns; column++) {
    const [from, to] = [(endNs * column) / columns, (endNs * (column + 1)) / columns]
    const timeOf = ({ timeNs }: State) => Number(timeNs - startNs)
    const before = states.filter((state) => timeOf(state) <= from).at(-1)
    const inside = states.filter((state) => timeOf(state) >= from && timeOf(state) < to)
    const most = Math.max(...[...(before ? [before] : []), ...inside].map(({ bytes }) => sum(bytes)))
    expect(sum(categories.map((_, series) => values[series * columns + column] ?? 0))).toBe(most)
  }
}

async function expectAgreement(index: IndexFile, expected: readonly State[]): Promise<void> {
  const startNs = expected[0]?.timeNs ?? 0n
  const states = await indexedStates(index, startNs)
  expect(states).toEqual(expected)
  await expectFullestStacks(index, states, startNs)
  expect(await index.column('SELECT kind FROM capture')).toEqual(['chrome_trace'])
  expect(await index.column('SELECT name FROM process')).toEqual(['Memory timeline'])
  expect(await index.column('SELECT name FROM track')).toEqual(['Memory by category'])
  expect(await index.column('SELECT code FROM finding')).toEqual([])
}

/** As it lies in the index: what was there before the first time 1 ns before it. */
function indexedChanges(changes: readonly Change[]): State[] {
  const first = changes.find(([timeNs]) => timeNs >= 0n)?.[0] ?? 0n
  return statesOf(changes, (timeNs) => (timeNs < 0n ? first - 1n : timeNs))
}

const formatOf = (index: IndexFile) => index.column('SELECT format_detail FROM capture')

const made: readonly Change[] = [
  [-1n, 1, 4096, 0],
  [-1n, 1, 512, 2],
  [1_700_000_000_000_000_100n, 2, 1024, 3],
  [1_700_000_000_000_000_100n, 3, -1024, 3],
  [1_700_000_000_000_000_100n, 3, 1024, 4],
  [1_700_000_000_000_002_700n, 2, 2048, 7],
  [1_700_000_000_000_003_900n, 2, 8192, 5],
  [1_700_000_000_000_009_900n, 4, -1024, 4],
  [1_700_000_000_000_012_000n, 4, -8192, 5],
]

describe('a made timeline', () => {
  test('of changes becomes running sums', async () => {
    const text = `[${made.map((change) => `[${change.join(', ')}]`).join(', ')}]`
    const index = await IndexFile.ofTraceBytes('made-raw-timeline', gzipSync(text))
    await expectAgreement(index, indexedChanges(made))
    expect(await formatOf(index)).toEqual(['PyTorch memory timeline (raw JSON, gzip)'])
    await index.close()
  })

  test('of states keeps them', async () => {
    const states = statesOf(made.slice(2), asMicroseconds)
    const text = JSON.stringify([states.map(({ timeNs }) => Number(timeNs / 1000n)), states.map(({ bytes }) => [0, ...bytes])])
    const index = await IndexFile.ofTraceBytes('made-timeline', Buffer.from(text))
    await expectAgreement(index, states)
    expect(await formatOf(index)).toEqual(['PyTorch memory timeline (JSON)'])
    await index.close()
  })

  test('cannot be stacked with what has other samples', async () => {
    const counter = (name: string, ts: number) => ({ ph: 'C', pid: 1, ts, name, args: { value: ts } })
    const index = await IndexFile.ofTraceBytes(
      'two-counters',
      Buffer.from(JSON.stringify([counter('a', 1), counter('a', 2), counter('b', 1)])),
    )
    for (const series of ['[0,1]', '[]', '[9]']) await expect(index.all('SELECT counter_stack(?, 0, 10, 1)', [series])).rejects.toThrow()
    await index.close()
  })
})

const folder = 'healthy/trace_lora'
const [states, changes] = [corpusFile(`${folder}/memory_timeline.json`), corpusFile(`${folder}/memory_timeline.raw.json.gz`)]

describe.skipIf(states === null || changes === null)('a real timeline', () => {
  test('has the sums of its own rows', async () => {
    const index = await IndexFile.ofTrace(states ?? '')
    await expectAgreement(index, readStates(readFileSync(states ?? '', 'utf8')))
    await index.close()
  })

  test('of changes has the running sums, and at whole microseconds those of its other form', async () => {
    const read = readChanges(gunzipSync(readFileSync(changes ?? '')).toString())
    const index = await IndexFile.ofTrace(changes ?? '')
    await expectAgreement(index, indexedChanges(read))
    await index.close()
    const other = readStates(readFileSync(states ?? '', 'utf8'))
    const firstNs = other[0]?.timeNs ?? 0n
    expect(statesOf(read, asMicroseconds).map((state) => (state.timeNs < 0n ? { ...state, timeNs: firstNs } : state))).toEqual(other)
  })
})
