// Ties the scroll bar of the table to its first row in sight.
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { scrollTo } from './actions.ts'
import { allocationsData, useAllocations } from './allocations-data.ts'
import { firstAt, rowPx, scrollMap, topOf } from './scroll-map.ts'

export const headPx = 32

/** Follows bar and wheel, and moves the bar when rows come into sight by other ways. Answers the height of what scrolls, in pixels. */
export function useBar(capture: CaptureSummary, scroller: RefObject<HTMLDivElement | null>): number {
  const { captureId } = capture
  const [heightPx, setHeight] = useState(0)
  const first = useAllocations(captureId, (data) => data.first)
  const count = useAllocations(captureId, (data) => data.count)
  const shown = useAllocations(captureId, (data) => data.shown)
  const ofBar = useRef({ first: 0, topPx: 0 }) // what the bar itself asked for, or was set to
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      setHeight(element.clientHeight)
      allocationsData(captureId).setState({ shown: Math.max(1, Math.floor((element.clientHeight - headPx) / rowPx)) })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [captureId, scroller])
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || ofBar.current.first === first) return
    element.scrollTop = topOf(scrollMap(count, shown), first)
    ofBar.current = { first, topPx: element.scrollTop }
  }, [first, count, shown, scroller])
  useEffect(() => {
    const element = scroller.current
    return element ? listen(capture, element, ofBar) : undefined
  }, [capture, scroller])
  return heightPx
}

function listen(capture: CaptureSummary, element: HTMLElement, ofBar: RefObject<{ first: number; topPx: number }>): () => void {
  const mapNow = () => {
    const { count, shown } = allocationsData(capture.captureId).getState()
    return scrollMap(count, shown)
  }
  const onScroll = () => {
    // Where it was set to: there a pixel may be many rows, of which it cannot tell the one that was meant.
    if (Math.abs(element.scrollTop - ofBar.current.topPx) < 1) return
    const first = firstAt(mapNow(), element.scrollTop)
    ofBar.current = { first, topPx: element.scrollTop }
    scrollTo(capture, first)
  }
  let restPx = 0
  /** Where a pixel of the bar is many rows, the wheel moves rows, not the bar. */
  const onWheel = (event: WheelEvent) => {
    if (!mapNow().isScaled || event.ctrlKey) return
    event.preventDefault()
    restPx += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * rowPx
    const rows = Math.trunc(restPx / rowPx)
    restPx -= rows * rowPx
    if (rows !== 0) scrollTo(capture, allocationsData(capture.captureId).getState().first + rows)
  }
  element.addEventListener('scroll', onScroll, { passive: true })
  element.addEventListener('wheel', onWheel, { passive: false })
  return () => {
    element.removeEventListener('scroll', onScroll)
    element.removeEventListener('wheel', onWheel)
  }
}
