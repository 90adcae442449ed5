import { expect, it } from 'vitest'
import { unitOf } from './amounts.ts'
import { arithmeticOf } from './arithmetic.ts'
import { mib, page } from './test-page.ts'

const gib = 1024 * mib

/** The unit of a sum that goes up to `most`, and how it writes that. */
function written(most: number, precisionBytes: number): string {
  const sum = arithmeticOf(page.situation)
  if (!sum) throw new Error('no sum')
  const unit = unitOf({ ...sum, most }, precisionBytes)
  return `${unit.text(most)} ${unit.name}`
}

it('writes a sum in the unit of its largest number, with no more digits than are known', () => {
  expect(written(139.8 * gib, 0)).toBe('139.80 GiB')
  expect(written(139.8 * gib, 50 * mib)).toBe('139.8 GiB')
  expect(written(139.8 * gib, gib)).toBe('140 GiB')
  expect(written(2048 * mib, 0)).toBe('2,048.0 MiB')
  expect(written(2048 * mib, mib)).toBe('2,048 MiB')
  expect(written(mib, 0)).toBe('1,024.0 KiB')
})
