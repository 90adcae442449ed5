import { describe, expect, it } from 'vitest'
import { clampRange, endsOf, homeRange, panRange, pxToX, type Scales, xToPx, zoomRange } from './scales.ts'

const home = homeRange({ x0: 0, x1: 1000 }, false)
const scales: Scales = { visible: { x0: 200, x1: 400 }, y1: 100, plot: { xPx: 72, yPx: 0, widthPx: 800, heightPx: 400 } }

describe('ranges', () => {
  it('maps pixels and axis units both ways', () => {
    for (const x of [200, 250, 399.5]) expect(pxToX(scales, xToPx(scales, x))).toBeCloseTo(x, 9)
  })

  it('keeps the point under the pointer when zooming', () => {
    const zoomed = zoomRange(scales.visible, 2, 250)
    expect(xToPx({ ...scales, visible: zoomed }, 250)).toBeCloseTo(xToPx(scales, 250), 9)
    expect(zoomed).toEqual({ x0: 225, x1: 325 })
  })

  it('never leaves what there is by more than a margin, nor zooms past an event', () => {
    expect(clampRange({ x0: -500, x1: 5000 }, home, 'event')).toEqual(home)
    expect(clampRange(panRange({ x0: 900, x1: 1000 }, 5), home, 'event')).toEqual({ x0: 908, x1: 1008 })
    const deep = clampRange({ x0: 10, x1: 10.001 }, home, 'event')
    expect(deep.x1 - deep.x0).toBeCloseTo(4, 9)
  })

  it('names the first and the last event inside, and never one behind the last', () => {
    expect(endsOf(1000, { x0: 2.5, x1: 7 })).toEqual([3, 6])
    expect(endsOf(1000, { x0: 2.2, x1: 2.8 })).toEqual([3, 3])
    expect(endsOf(1000, { x0: 999.2, x1: 1003.2 })).toEqual([999, 999])
    expect(endsOf(1000, home)).toEqual([0, 999])
  })

  it('leaves room for the hatch where the history starts late', () => {
    expect([homeRange({ x0: 0, x1: 1000 }, true).x0, home.x0]).toEqual([-20, -4])
  })
})
