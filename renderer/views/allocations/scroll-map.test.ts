import { describe, expect, it } from 'vitest'
import { clampFirst, firstAt, firstShowing, rowPx, scrollMap, topOf } from './scroll-map.ts'

describe('the scroll bar of a list', () => {
  it('moves by whole rows where the list is short enough', () => {
    const map = scrollMap(1000, 20)
    expect(map).toEqual({ lastFirst: 980, heightPx: 980 * rowPx, isScaled: false })
    expect([0, rowPx, 980 * rowPx, 1e9].map((px) => firstAt(map, px))).toEqual([0, 1, 980, 980])
    expect(topOf(map, 7)).toBe(7 * rowPx)
  })
  it('reaches the last row of a hundred million, below the height that browsers allow', () => {
    const map = scrollMap(100_000_000, 30)
    expect(map.isScaled).toBe(true)
    expect(map.heightPx).toBeLessThan(33_000_000)
    expect(firstAt(map, map.heightPx)).toBe(100_000_000 - 30)
    expect(firstAt(map, topOf(map, 54_321_987))).toBe(54_321_987)
  })
  it('stands still where all rows are in sight', () => {
    const map = scrollMap(5, 20)
    expect([map.heightPx, firstAt(map, 0), topOf(map, 0), clampFirst(map, 3)]).toEqual([0, 0, 0, 0])
  })
  it('follows a row no further than it must', () => {
    expect([firstShowing(10, 5, 3), firstShowing(10, 5, 12), firstShowing(10, 5, 15)]).toEqual([3, 10, 11])
  })
})
