import { expect, it } from 'vitest'
import { wrapText } from './text-fit.ts'

const measure = (text: string) => text.length

it('breaks a text between words, and cuts it only where the last line is full', () => {
  expect(wrapText('a new segment would fit', 14, 3, measure)).toEqual(['a new segment', 'would fit'])
  expect(wrapText('a new segment would fit the device', 14, 2, measure)).toEqual(['a new segment', 'would fit the…'])
  expect(wrapText('', 14, 2, measure)).toEqual([])
})

it('breaks Chinese between any characters', () => {
  expect(wrapText('需要 950 MiB 的新段', 10, 2, measure)).toEqual(['需要 950 MiB', '的新段'])
})
