import { expect, test } from 'vitest'
import type { TimelineRaster } from '../../../preload/contract/queries.ts'
import type { Placed } from '../../plot/placed.ts'
import { leftOutSlot } from '../../theme/palette.ts'
import { largeSlots } from './elsewhere.ts'

const shade = 64
const separator = 128

/** A picture of four rows; a string of slots a column, from the bottom. */
function raster(...columns: (readonly number[])[]): Placed<TimelineRaster> {
  const cells = Uint8Array.from(columns.flatMap((column) => [...column, 0, 0, 0, 0].slice(0, 4)))
  const data = { columns: columns.length, rows: 4, cells, labels: [], shown: 0, folded: 0, foldedBytes: 0 }
  return { range: { x0: 100, x1: 100 + 10 * columns.length }, axis: 'event', device: 0, data }
}

test('large colors that the legend does not know come with the moment when they take most, largest first', () => {
  const picture = raster([1, 2, 13], [1, 13, 13 + shade, 13 + separator], [1, 7, 7], [1])
  expect(largeSlots(picture, new Set([1]))).toEqual([
    { slot: 13, x: 115 },
    { slot: 7, x: 125 },
    { slot: 2, x: 105 },
  ])
  expect(largeSlots(picture, new Set([1, 2, 7, 13]))).toEqual([])
})

test('what is hardly there, empty or left out by the filter is no large color', () => {
  const many = Array.from({ length: 100 }, () => [1, 1, 1, leftOutSlot])
  expect(largeSlots(raster(...many, [5]), new Set([1]))).toEqual([])
  expect(largeSlots(raster([]), new Set())).toEqual([])
})
