// From a heat map that cannot dissolve to the nearest place where it can.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { engine } from '../../data/engine-client.ts'
import { shownRange } from '../../focus/home.ts'
import { showRange } from '../../focus/range-actions.ts'
import { spanOf } from '../../plot/scales.ts'
import { askFilter } from '../../state/filter.ts'
import { viewOf } from '../../state/view-state.ts'
import { isStill, showY } from './actions.ts'
import { areHighEnough, notFine, shownY } from './assemble.ts'
import { type LifetimesData, lifetimesData } from './lifetimes-data.ts'
import { askBars, askHeat, type Grid, gridOf, type Place, placeOf, rectangleOf } from './questions.ts'
import { heightOf, sharesRows, type YRange } from './y-axis.ts'

const mostSteps = 40
const leastUnits = 1 // of y, where rows are shared: one row
const leastSpan = { event: 8, time: 40 }

const halvesOf = ([from, to]: readonly [number, number]): readonly (readonly [number, number])[] => {
  const middle = (from + to) / 2
  return [
    [from, middle],
    [middle, to],
  ]
}

const xHalves = (place: Place): Place[] => halvesOf([place.range.x0, place.range.x1]).map(([x0, x1]) => ({ ...place, range: { x0, x1 } }))

function yHalves(place: Place): Place[] {
  if (!sharesRows(place.order)) return halvesOf([place.y.y0, place.y.y1]).map(([y0, y1]) => ({ ...place, y: { y0, y1 } }))
  const middle = Math.round((place.y.y0 + place.y.y1) / 2) // rows stay whole
  const parts: YRange[] = [
    { y0: Math.floor(place.y.y0), y1: middle },
    { y0: middle, y1: Math.ceil(place.y.y1) },
  ]
  return parts.filter((y) => heightOf(y) >= leastUnits && heightOf(y) < heightOf(place.y)).map((y) => ({ ...place, y }))
}

interface Counted {
  readonly place: Place
  readonly count: number
}

/** The fuller of two halves; undefined when neither holds anything. */
async function fullest(halves: readonly Place[], filter: string): Promise<Counted | undefined> {
  const counted = await Promise.all(
    halves.map(async (place): Promise<Counted> => {
      const answer = await engine.call('lifetimes.bars', { ...rectangleOf(place), filter, limit: 1 })
      return { place, count: answer.ok ? answer.value.count : 0 }
    }),
  )
  return counted.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)[0]
}

type Wants = 'nothing' | 'width' | 'height' | 'fewer'

/** What a place lacks for single lifetimes. */
async function lacks(place: Place, grid: Grid, look: LifetimesData, filter: string): Promise<Wants | undefined> {
  const heat = await askHeat(place, grid, { measure: 'bytes', scale: 'linear' }, filter)
  if (!heat.ok) return undefined
  const reason = notFine(heat.value)
  if (reason === 'narrow') return 'width'
  if (reason === 'tooMany') return 'fewer'
  if (!sharesRows(place.order)) return 'nothing'
  const bars = await askBars(place, filter, look.colorBy)
  return bars.ok && areHighEnough({ bars: bars.value, layout: look.layout }) ? 'nothing' : 'height'
}

/** The next place, half as large: where most lies, cut in the direction that leaves fewer when both would do. */
async function closer(place: Place, wants: Wants, filter: string): Promise<Place | undefined> {
  const isNarrowest = spanOf(place.range) <= leastSpan[place.axis]
  const inX = isNarrowest ? undefined : await fullest(xHalves(place), filter)
  if (wants === 'width') return inX?.place
  const inY = await fullest(yHalves(place), filter)
  if (wants === 'height' && inY) return inY.place
  if (!inX || !inY) return (inX ?? inY)?.place
  return inX.count <= inY.count ? inX.place : inY.place
}

/** Zooms to the fullest part where lifetimes can be told apart; stays where it is when there is none. */
export async function zoomToSingle(capture: CaptureSummary): Promise<void> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const look = lifetimesData(captureId).getState()
  const y = view && shownY(view, look)
  const filter = await askFilter(captureId)
  if (!view || !y || !look.layout || !filter.ok) return
  const grid = gridOf(look.layout.plot, 1, Number.MAX_SAFE_INTEGER)
  let place: Place | undefined = placeOf(capture, view, shownRange(capture, view), y, look)
  for (let step = 0; step < mostSteps && place; step++) {
    const wants = await lacks(place, grid, look, filter.value)
    if (wants === undefined || !isStill(capture, view, look.order)) return
    if (wants === 'nothing') {
      lifetimesData(captureId).setState({ level: 'single' })
      if (place.y !== y) showY(capture, place.y)
      return step > 0 ? showRange(capture, place.range) : undefined
    }
    place = await closer(place, wants, filter.value)
  }
}
