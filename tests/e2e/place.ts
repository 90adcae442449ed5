// Where an event lies on the screen, by the same arithmetic as the picture.
import type { Page } from '@playwright/test'
import { homeRange, pxToX, type Scales, xToPx } from '../../renderer/plot/scales.ts'
import { layoutTimeline } from '../../renderer/views/timeline/layout.ts'
import { canvasOf } from './steps.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

const abovePlotPx = 170 // overview, ruler and the tallest lane of annotations
const belowPlotPx = 12

async function scalesOn(
  page: Page,
  eventCount: number,
): Promise<{ readonly scales: Scales; readonly box: Point & { readonly height: number } }> {
  const box = await canvasOf(page).boundingBox()
  if (box === null) throw new Error('there is no canvas')
  const { plot } = layoutTimeline(box.width, box.height, 0)
  return { scales: { visible: homeRange({ x0: 0, x1: eventCount }, false), y1: 1, plot }, box }
}

/** A point of the plot at an event, while everything is visible on the event axis; height 0 is its bottom, 1 about its top. */
export async function pointOf(page: Page, eventCount: number, event: number, height: number): Promise<Point> {
  const { scales, box } = await scalesOn(page, eventCount)
  const y = box.y + box.height - belowPlotPx - height * (box.height - abovePlotPx - belowPlotPx)
  return { x: box.x + xToPx(scales, event + 0.5), y }
}

/** The event under a point of the page, under the same conditions. */
export async function eventUnder(page: Page, eventCount: number, point: Point): Promise<number> {
  const { scales, box } = await scalesOn(page, eventCount)
  return pxToX(scales, point.x - box.x)
}
