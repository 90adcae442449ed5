import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { placeWindow } from './window-state.ts'

const screen = { x: 0, y: 25, width: 1920, height: 1055 }

describe('a new window', () => {
  test('comes back where it was', () => {
    const bounds = { x: 100, y: 60, width: 1300, height: 900 }
    expect(placeWindow(bounds, [screen])).toEqual(bounds)
  })

  test('comes back on the second screen while there is one, else on the first in its default size', () => {
    const second = { x: 1920, y: 0, width: 1280, height: 1024 }
    const bounds = { x: 2000, y: 10, width: 1100, height: 800 }
    expect(placeWindow(bounds, [screen, second])).toEqual(bounds)
    expect(placeWindow(bounds, [screen])).toEqual({ width: 1280, height: 800 })
  })

  test('is not put where its title bar cannot be grabbed', () => {
    for (const place of [
      { x: 100, y: -300 },
      { x: 1900, y: 60 },
      { x: -1290, y: 60 },
      { x: 100, y: 1070 },
    ])
      expect(placeWindow({ ...place, width: 1300, height: 900 }, [screen])).toEqual({ width: 1280, height: 800 })
  })

  test('is never larger than the screen and never without one', () => {
    const number = fc.integer({ min: -5000, max: 5000 })
    const bounds = fc.record({ x: number, y: number, width: number, height: number })
    fc.assert(
      fc.property(bounds, (remembered) => {
        const placed = placeWindow(remembered, [screen])
        return placed.width <= screen.width && placed.height <= screen.height && placed.width >= 1024 && placed.height >= 640
      }),
    )
    expect(placeWindow(undefined, [])).toEqual({ width: 1280, height: 800 })
    expect(placeWindow(undefined, [{ x: 0, y: 0, width: 800, height: 600 }])).toEqual({ width: 800, height: 600 })
  })
})
