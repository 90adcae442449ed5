import { beforeAll, describe, expect, it } from 'vitest'
import type { FailureRow, Failures } from '../../preload/contract/diagnosis.ts'
import { showLanguage } from '../i18n/language.ts'
import { cellText, countsOf, rowAsText, rowsAsCsv, rowsAsMarkdown, shownRows } from './rows.ts'

beforeAll(() => {
  Object.assign(globalThis, { document: { documentElement: {} } })
  showLanguage('en')
})

const row = (index: number, part: Partial<FailureRow>): FailureRow => ({
  index,
  name: `run_${index}/train.log`,
  label: 'steady_leak',
  confidence: 0.9,
  isUncertain: false,
  isFailure: true,
  reason: 'exhausted',
  evidence: { en: 'memory grows', 'zh-CN': '显存增长' },
  requestedBytes: 2 ** 30,
  device: 0,
  pattern: 0,
  captureToken: null,
  sourceTokens: [],
  ...part,
})

const rows = [
  row(10, {}),
  row(9, { requestedBytes: 2 ** 31, pattern: 1, label: 'fragmentation' }),
  row(2, { isFailure: false, label: 'healthy', pattern: null, requestedBytes: null, evidence: null }),
]
const failures: Failures = {
  failuresId: 'f',
  rows,
  total: 3,
  patterns: [
    { label: 'steady_leak', reason: 'exhausted', place: '/project/model.py:37', count: 1, share: 0.5 },
    { label: 'fragmentation', reason: 'exhausted', place: '', count: 1, share: 0.5 },
  ],
  unreadable: [],
  unreadableTotal: 0,
}
const look = { text: '', pattern: undefined, order: { column: 'given', descending: false } } as const
const shown = (part: Partial<Parameters<typeof shownRows>[1]>) => shownRows(failures, { ...look, ...part }).map(({ index }) => index)

describe('rows of failures', () => {
  it('stand as they were read until they are sorted: names by the numbers in them, what is not known least', () => {
    expect(shown({})).toEqual([10, 9, 2])
    expect(shown({ order: { column: 'name', descending: false } })).toEqual([2, 9, 10])
    expect(shown({ order: { column: 'requested', descending: true } })).toEqual([9, 10, 2])
  })

  it('pass by every word of the filter, wherever it stands, also in the place of their pattern', () => {
    expect(shown({ text: 'MODEL.py leak' })).toEqual([10])
    expect(shown({ text: 'grows', pattern: 1 })).toEqual([9])
    expect(shown({ text: 'grows nowhere' })).toEqual([])
  })

  it('are counted by what failed, also beyond those that are listed', () => {
    expect(countsOf(failures)).toEqual({ failures: 2, healthy: 1, unreadable: 0 })
    const patterns = failures.patterns.map((pattern) => ({ ...pattern, count: 40 }))
    const beyond = { ...failures, total: 100, patterns, unreadableTotal: 374 }
    expect(countsOf(beyond)).toEqual({ failures: 80, healthy: 20, unreadable: 374 })
  })

  it('become CSV with numbers, and Markdown whose cells do not break the table', () => {
    const named = [row(1, { name: 'a|b.log' })]
    expect(rowsAsCsv(named, failures.patterns).split('\n')[1]).toBe(
      'a|b.log,1,steady_leak,0.9,0,exhausted,1073741824,1,/project/model.py:37,Memory grows',
    )
    expect(rowsAsMarkdown(named).split('\n')[2]).toMatch(/^\| a\\\|b\.log \| .* \| Memory grows \|$/)
  })
})

it('a reason answers why the request failed, and a run that did not fail has none', () => {
  const reasons = (['exhausted', 'no_contiguous_block', 'segment_refused', 'outside_pytorch', 'unknown'] as const).map((reason) =>
    cellText(row(0, { reason }), 'reason'),
  )
  expect(reasons).toEqual([
    'memory was used up',
    'enough was free, but in pieces',
    'a new segment did not fit',
    'memory outside PyTorch',
    'not known',
  ])
  expect(cellText(row(0, { isFailure: false }), 'reason')).toBe('did not fail')
})

it('a row is copied as cells apart by tabs', () => {
  expect(rowAsText(row(1, {})).split('\t')).toHaveLength(6)
  expect(rowAsText(row(1, {}))).toMatch(/^run_1\/train\.log\t.*\tMemory grows\n$/)
})
