// Scrolling by rows: which row is the first in sight, and where the scroll bar stands then. Browsers cap the height of an element
// (Chromium at 33.5 million pixels), so that of a longer list several rows share a pixel of the bar. Pure.

const mostPx = 16_000_000

export const rowPx = 24

export interface ScrollMap {
  readonly lastFirst: number // the first row in sight at the end of the list
  readonly heightPx: number // what the bar scrolls through, beside what is in sight
  readonly isScaled: boolean // a pixel of the bar is more than one of the list
}

/** Of a list of `count` rows of which `shown` are in sight. */
export function scrollMap(count: number, shown: number): ScrollMap {
  const lastFirst = Math.max(0, count - shown)
  const heightPx = Math.min(lastFirst * rowPx, mostPx)
  return { lastFirst, heightPx, isScaled: heightPx < lastFirst * rowPx }
}

/** The first row in sight where the bar stands. */
export function firstAt({ lastFirst, heightPx }: ScrollMap, scrollTop: number): number {
  if (heightPx <= 0) return 0
  return clampFirst({ lastFirst }, Math.round((scrollTop / heightPx) * lastFirst))
}

/** Where the bar stands for a first row. */
export const topOf = ({ lastFirst, heightPx }: ScrollMap, first: number): number => (lastFirst === 0 ? 0 : (first / lastFirst) * heightPx)

export const clampFirst = ({ lastFirst }: Pick<ScrollMap, 'lastFirst'>, first: number): number => Math.max(0, Math.min(first, lastFirst))

/** The first row so that a row is in sight; moves no more than it must. */
export function firstShowing(first: number, shown: number, row: number): number {
  if (row < first) return row
  return row >= first + shown ? row - shown + 1 : first
}
