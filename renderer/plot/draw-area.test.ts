import { expect, it } from 'vitest'
import type { TimelineCurves } from '../../preload/contract/queries.ts'
import { drawArea } from './draw-area.ts'
import type { Placed } from './placed.ts'

const f64 = (...values: number[]) => new Float64Array(values)
const curve = (values: Float64Array) => ({ min: values, max: values, rep: values })

it('fills the area without seams or overlaps, whatever the width of a column', () => {
  const allocated = f64(1, 2, 2, 3, 0, 4, 1)
  const data = { repEvent: f64(0, 1, 2, 3, 4, 5, 6), allocated: curve(allocated), reserved: curve(f64(4, 4, 4, 4, 4, 4, 4)) }
  const placed = {
    range: { x0: 0, x1: 7 },
    axis: 'event',
    device: 0,
    data: data as unknown as TimelineCurves,
  } satisfies Placed<TimelineCurves>
  const plot = { xPx: 10, yPx: 0, widthPx: 101, heightPx: 40 }
  const boxes = drawArea(placed, { visible: placed.range, y1: 4, plot }, { mark: [0, 0, 0], curve2: [9, 9, 9] }).filter(
    (item) => item.kind === 'box',
  )
  const area = boxes.filter(({ color }) => color[0] === 0)
  expect(area.map(({ heightPx }) => heightPx)).toEqual([10, 20, 30, 0, 40, 10])
  for (const [index, box] of area.entries()) {
    const next = area[index + 1]?.xPx ?? 111
    expect([box.xPx, box.xPx + box.widthPx]).toEqual([Math.round(box.xPx), next])
  }
  expect(boxes.filter(({ color }) => color[0] === 9)).toEqual([expect.objectContaining({ xPx: 10, widthPx: 101, yPx: 0, heightPx: 1 })])
})
