import { describe, expect, test } from 'vitest'
import { parseReport } from './report-options.ts'

const parse = (...words: string[]) => parseReport(['a.pickle', '-o', 'out.html', ...words])

describe('the options of report', () => {
  test('have defaults: every view, light pictures, short paths, now', () => {
    expect(parse()).toMatchObject({
      format: 'html',
      views: null,
      theme: 'light',
      device: null,
      shortPaths: true,
      notes: [],
      madeAtMs: null,
    })
    expect(parseReport(['a', '-o', 'X.PDF']).format).toBe('pdf')
  })

  test('take views, notes in their order, whole paths and a device', () => {
    expect(parse('--views', 'flame,timeline', '--note', 'one', '--note', 'two', '--full-paths', '--device=-1')).toMatchObject({
      views: ['flame', 'timeline'],
      notes: ['one', 'two'],
      shortPaths: false,
      device: -1,
    })
  })

  test('read a date as UTC unless it says otherwise', () => {
    expect(['2026-11-30', '2026-11-30T00:00', '2026-11-30T01:00+01:00'].map((date) => parse('--date', date).madeAtMs)).toEqual(
      Array(3).fill(Date.UTC(2026, 10, 30)),
    )
    for (const date of ['11/30/2026', '2026-13-01', 'now']) expect(() => parse('--date', date)).toThrow('--date')
  })

  test('name views that there are, and a file of a known kind', () => {
    expect(() => parse('--views', 'timeline,pie')).toThrow('each of --views')
    expect(() => parseReport(['a', '-o', 'x.doc'])).toThrow('the extension of OUT')
    expect(() => parseReport(['-o', 'x.html'])).toThrow('report wants one FILE')
  })
})
