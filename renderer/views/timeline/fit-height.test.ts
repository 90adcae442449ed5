import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fittedTop } from './fit-height.ts'

const mebi = 2 ** 20
const device = 1000 * mebi

it('leaves room above the largest, in round steps', () => {
  const tops = [1, 9.4, 47, 201, 537].map((mebibytes) => Math.round((fittedTop(mebibytes * mebi, device) / mebi) * 10) / 10)
  expect(tops).toEqual([1.2, 10, 50, 250, 600])
})

it('keeps its top while the largest still fits and fills it', () => {
  const before = 220 * mebi
  expect(fittedTop(140 * mebi, device, before)).toBe(before)
  expect(fittedTop(207 * mebi, device, before)).toBe(before)
  expect(fittedTop(210 * mebi, device, before)).toBeGreaterThan(before)
  expect(fittedTop(100 * mebi, device, before)).toBeLessThan(before)
})

it('never exceeds what the device shows, and has a top where nothing is allocated', () => {
  expect(fittedTop(990 * mebi, device)).toBe(device)
  expect(fittedTop(0, device)).toBe(device)
  expect(fittedTop(0, device, 5 * mebi)).toBe(5 * mebi)
})

it('fills between three fifths and all of the height', () => {
  fc.assert(
    fc.property(fc.integer({ min: 512, max: 2 ** 45 }), (most) => {
      const top = fittedTop(most, Number.POSITIVE_INFINITY)
      expect(top).toBeGreaterThanOrEqual(most)
      expect(most / top).toBeGreaterThan(0.6)
    }),
  )
})
