import { describe, expect, it } from 'vitest'
import { addressAt, clampY, pxToY, rowAt, rowsIn, yToPx, zoomY } from './y-axis.ts'

const rows = [
  { y0: 0, y1: 10, address: '0x7f0000000000', bytes: 100 },
  { y0: 10, y1: 30, address: '0x7fffffffff00', bytes: 400 },
]
const plot = { xPx: 0, yPx: 100, widthPx: 10, heightPx: 300 }

describe('y', () => {
  it('grows downwards and comes back from pixels', () => {
    const scale = { y: { y0: 0, y1: 30 }, plot }
    expect(yToPx(scale, 0)).toBe(100)
    expect(yToPx(scale, 30)).toBe(400)
    expect(pxToY(scale, yToPx(scale, 12.5))).toBeCloseTo(12.5)
  })

  it('keeps the place under the pointer while zooming', () => {
    const zoomed = zoomY({ y0: 0, y1: 30 }, 3, 12)
    expect(zoomed).toEqual({ y0: 8, y1: 18 })
    expect((12 - zoomed.y0) / 10).toBeCloseTo(12 / 30)
  })

  it('stays inside what there is, no closer than is useful', () => {
    expect(clampY({ y0: -5, y1: 5 }, 'allocation', 100)).toEqual({ y0: 0, y1: 10 })
    expect(clampY({ y0: 95, y1: 115 }, 'allocation', 100)).toEqual({ y0: 80, y1: 100 })
    expect(clampY({ y0: 50, y1: 50.5 }, 'allocation', 100)).toEqual({ y0: 46.25, y1: 54.25 })
    expect(clampY({ y0: -50, y1: 500 }, 'stack', 3)).toEqual({ y0: 0, y1: 3 })
  })
})

describe('rows', () => {
  it('are found by y, and those in sight by a range', () => {
    expect(rowAt(rows, 9.99)).toBe(rows[0])
    expect(rowAt(rows, 10)).toBe(rows[1])
    expect(rowAt(rows, 30)).toBeUndefined()
    expect(rowsIn(rows, { y0: 5, y1: 10 })).toEqual([rows[0]])
    expect(rowsIn(rows, { y0: 5, y1: 10.1 })).toEqual(rows)
  })

  it('tell the address at y with all its digits', () => {
    const [first, second] = rows
    expect(first && addressAt(first, 5)).toBe('0x7f0000000032')
    expect(second && addressAt(second, 30)).toBe('0x800000000090')
  })
})
