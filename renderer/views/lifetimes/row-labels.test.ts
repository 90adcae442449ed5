import { expect, test } from 'vitest'
import { rowWords } from './row-labels.ts'
import { lifetimesText } from './texts.ts'

const row = { y0: 0, y1: 1, address: '0x7f8656000000', bytes: 2 ** 20 } as Parameters<typeof rowWords>[0]

test('a row of addresses is called by its first address', () => {
  expect(rowWords(row, 'address', lifetimesText)[0]).toBe('0x7f86_5600_0000')
})

test('what was held before a trace, whose address nobody recorded, is called so', () => {
  expect(rowWords({ ...row, address: '0x0' }, 'address', lifetimesText)[0]).toBe('held before')
})
