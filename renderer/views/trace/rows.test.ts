// Order and CSV of the small tables.
import { describe, expect, it } from 'vitest'
import { type GroupRow, groupsCsv, meanOf, type OpRow, sortGroups, sortOps, sortSteps } from './rows.ts'

const group = (text: string, count: number, totalNs: number): GroupRow => ({
  key: 1,
  text,
  count,
  totalNs,
  selfNs: totalNs / 2,
  minNs: 1,
  maxNs: totalNs,
})
const names = (rows: readonly { readonly text: string }[]) => rows.map(({ text }) => text)

describe('statistics of an area', () => {
  const rows = [group('b', 2, 300), group('a', 10, 200), group('c', 5, 300)]

  it('sort by any number, equal rows as they came', () => {
    expect(names(sortGroups(rows, { column: 'total', descending: true }))).toEqual(['b', 'c', 'a'])
    expect(names(sortGroups(rows, { column: 'count', descending: false }))).toEqual(['b', 'c', 'a'])
  })

  it('sort by mean, which is of the time inside the range', () => {
    expect(meanOf(group('x', 4, 100))).toBe(25)
    expect(names(sortGroups(rows, { column: 'mean', descending: true }))).toEqual(['b', 'c', 'a'])
  })

  it('sort by name both ways', () => {
    expect(names(sortGroups(rows, { column: 'text', descending: false }))).toEqual(['a', 'b', 'c'])
    expect(names(sortGroups(rows, { column: 'text', descending: true }))).toEqual(['c', 'b', 'a'])
  })

  it('have no mean without slices', () => expect(meanOf({ count: 0, totalNs: 0 })).toBe(0))

  it('are saved with all digits, names that look like formulas as text', () => {
    expect(groupsCsv([group('=x', 3, 100)])).toBe("name,count,total_ns,self_ns,mean_ns,min_ns,max_ns\n'=x,3,100,50,33,1,100\n")
  })
})

describe('memory by op', () => {
  const op = (name: string, selfBytes: number): OpRow => ({
    op: name,
    calls: 1,
    allocations: 1,
    selfBytes,
    totalBytes: 0,
    freedInsideBytes: 0,
    keptBytes: 0,
    largestBytes: 0,
  })

  it('sorts what was given back below what was kept', () => {
    const rows = [op('a', -5), op('b', 7), op('c', 0)]
    expect(sortOps(rows, { column: 'self', descending: true }).map(({ op: name }) => name)).toEqual(['b', 'c', 'a'])
  })
})

describe('steps', () => {
  const step = (name: string, startNs: number, endNs: number) => ({
    name,
    startNs,
    endNs,
    startEvent: 0,
    endEvent: 0,
    peakBytes: 0,
    allocatedBytes: 0,
    freedBytes: 0,
    growthBytes: 0,
  })
  const rows = [step('ProfilerStep#10', 30, 35), step('ProfilerStep#9', 10, 30)]

  it('by name follow their numbers', () =>
    expect(sortSteps(rows, { column: 'name', descending: false }).map(({ name }) => name)).toEqual(['ProfilerStep#9', 'ProfilerStep#10']))

  it('by duration put the longest first', () =>
    expect(sortSteps(rows, { column: 'duration', descending: true })[0]?.name).toBe('ProfilerStep#9'))
})
