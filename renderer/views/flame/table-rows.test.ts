import { expect, it } from 'vitest'
import { nodesOf } from './nodes.ts'
import { functionCells, functionRows, sortFunctions } from './table-rows.ts'
import { sample, treeOf } from './test-answers.ts'

const nodes = nodesOf(treeOf(sample))
const named = (name: string) => functionRows(nodes, 0).find(({ frame }) => frame?.name === name)

it('counts a function that calls itself once, and its own bytes wherever they are', () => {
  expect(named('main')).toMatchObject({ total: 750, self: 140, largest: 1 })
  expect(named('forward')).toMatchObject({ total: 500, self: 500 })
})

it('lists what has no stack, and holds together what the answer holds', () => {
  const rows = functionRows(nodes, 0)
  expect(rows.find(({ frame }) => frame === undefined)).toMatchObject({ total: 250, self: 250 })
  expect(rows.reduce((all, { self }) => all + self, 0)).toBe(993) // seven bytes were left out
})

it('lists only what lies below the node that is zoomed to', () => {
  expect(functionRows(nodes, 3).map(({ frame, total }) => [frame?.name, total])).toEqual([
    ['backward', 150],
    ['main', 50],
  ])
})

it('sorts amounts down and names up as asked', () => {
  const rows = functionRows(nodes, 0)
  expect(sortFunctions(rows, { column: 'self', descending: true })[0]?.frame?.name).toBe('forward')
  expect(sortFunctions(rows, { column: 'function', descending: false }).map(({ frame }) => frame?.name)).toEqual([
    undefined,
    'backward',
    'forward',
    'main',
    'tinier',
    'tiny',
  ])
})

it('writes all digits into the file, of both moments where two are compared', () => {
  const rows = functionRows(nodes, 0).slice(0, 1)
  expect(functionCells(rows, 1000, false, true)).toEqual([
    ['function', 'file', 'line', 'self', 'total', 'share', 'allocations', 'category', 'category_share'],
    ['main', '/home/user/app/train.py', 7, 140, 750, 0.75, 75, 'unknown', 1],
  ])
  expect(functionCells(rows, 1000, true, true)[0]).toContain('total_before')
})

it('sorts by how much functions changed, either way, where two moments are compared', () => {
  const changed = nodesOf(
    treeOf({
      name: '',
      self: 0,
      children: [
        { name: 'same', self: 900, base: 900 },
        { name: 'grew', self: 20, base: 0 },
        { name: 'went', self: 0, base: 300 },
      ],
    }),
  )
  const sorted = sortFunctions(functionRows(changed, 0), { column: 'total', descending: true })
  expect(sorted.map(({ frame }) => frame?.name)).toEqual(['went', 'grew', 'same'])
})

it('tells the line of a function only where all its frames are of one', () => {
  const deeper = { name: 'forward', self: 1, line: 9 }
  const lines = functionRows(
    nodesOf(
      treeOf({
        name: '',
        self: 0,
        children: [
          { name: 'forward', self: 1, line: 8, children: [deeper] },
          { name: 'loss', self: 1, line: 5 },
        ],
      }),
    ),
    0,
  )
  expect(lines.map(({ frame, line }) => [frame?.name, line])).toEqual(
    expect.arrayContaining([
      ['forward', 0],
      ['loss', 5],
    ]),
  )
})
