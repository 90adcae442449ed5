import { expect, test } from 'vitest'
import { byTitle, sumOf } from './by-title.ts'

test('rows of one title and key are one group, in order of first sight', () => {
  const rows = [
    { title: 'step', kind: 'kept', bytes: 5 },
    { title: 'copy', kind: 'kept', bytes: 1 },
    { title: 'step', kind: 'kept', bytes: 7 },
    { title: 'step', kind: 'larger', bytes: 2 },
  ]
  expect(byTitle(rows, ({ kind }) => kind).map((group) => sumOf(group, ({ bytes }) => bytes))).toEqual([12, 1, 2])
  expect(byTitle(rows).map((group) => group.length)).toEqual([3, 1])
})
