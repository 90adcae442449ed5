import { expect, test } from 'vitest'
import { tableLine, tableRule, widthsOf } from './terminal-table.ts'

test('cells stand under each other, numbers by their ends, and no line ends in blanks', () => {
  const lines = [
    ['name', 'bytes', ''],
    ['a', '1,024', 'last'],
    ['longer', '7', ''],
  ]
  const widths = widthsOf(lines)
  expect(widths).toEqual([6, 5, 4])
  expect([...lines.map((line) => tableLine(line, widths, (column) => column === 1)), tableRule(widths)]).toEqual([
    'name    bytes',
    'a       1,024  last',
    'longer      7',
    '──────  ─────  ────',
  ])
})

test('a wide sign takes two columns', () => {
  const lines = [
    ['显存', '1'],
    ['abc', '23'],
  ]
  const widths = widthsOf(lines)
  expect(widths).toEqual([4, 2])
  expect(lines.map((line) => tableLine(line, widths, (column) => column === 1))).toEqual(['显存   1', 'abc   23'])
})
