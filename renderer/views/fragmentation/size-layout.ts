// Where the parts of the histogram lie, in CSS pixels.
import type { Frame } from '../../scene/display-list.ts'

export interface SizeLayout {
  readonly up: Frame // requests
  readonly axis: Frame // sizes
  readonly down: Frame // free blocks
}

const leftPx = 84
const rightPx = 16
const topPx = 24 // room for the words of a failed request
const bottomPx = 20
const axisPx = 20

/** Requests above the axis, free blocks below it, in equal halves of a frame; without requests all of it is for the free blocks. */
export function layoutSizes({ xPx, yPx, widthPx, heightPx }: Frame, hasRequests: boolean): SizeLayout {
  const inner = { xPx: xPx + leftPx, widthPx: Math.max(16, widthPx - leftPx - rightPx) }
  const roomPx = Math.max(16, heightPx - topPx - bottomPx - axisPx)
  const upPx = hasRequests ? Math.floor(roomPx / 2) : 0
  const axisY = yPx + topPx + upPx
  return {
    up: { ...inner, yPx: yPx + topPx, heightPx: upPx },
    axis: { ...inner, yPx: axisY, heightPx: axisPx },
    down: { ...inner, yPx: axisY + axisPx, heightPx: hasRequests ? upPx : roomPx },
  }
}
