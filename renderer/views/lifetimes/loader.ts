// Asks the engine for what the view shows and keeps the answers. Questions follow the view state.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { maxSidePx } from '../../../preload/contract/queries.ts'
import { Questions } from '../../data/questions.ts'
import { homeOf, shownRange } from '../../focus/home.ts'
import { askFilter } from '../../state/filter.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { type ViewState, viewOf, viewStates } from '../../state/view-state.ts'
import { bringIntoSight } from './actions.ts'
import { isFine, shownY, spaceNow } from './assemble.ts'
import { naturalScale } from './heat.ts'
import { type LifetimesData, lifetimesData } from './lifetimes-data.ts'
import { askBars, askHeat, askLife, askSpace, gridOf, type Place, placeOf } from './questions.ts'
import { sameFold } from './row-fold.ts'
import { sharesRows } from './y-axis.ts'

const mostCells = 1_000_000
const mostScale = 2

class Loader {
  readonly #capture: CaptureSummary
  readonly #questions: Questions<LifetimesData>
  readonly #stops: readonly (() => void)[]

  constructor(capture: CaptureSummary) {
    this.#capture = capture
    const id = capture.captureId
    this.#questions = new Questions(lifetimesData(id))
    this.#stops = [
      viewStates.subscribe((state, old) => state.byCapture[id] !== old.byCapture[id] && this.#update()),
      lifetimesData(id).subscribe((data, old) => this.#isAsking(data, old) && this.#update()),
    ]
    this.#update()
  }

  stop(): void {
    this.#questions.stop()
    for (const stop of this.#stops) stop()
  }

  #isAsking(data: LifetimesData, old: LifetimesData): boolean {
    const asking = ['layout', 'order', 'colorBy', 'measure', 'scale', 'level', 'shownY', 'space', 'raster'] as const
    return asking.some((field) => data[field] !== old[field])
  }

  #update(): void {
    const { captureId } = this.#capture
    const view = viewOf(captureId)
    if (!view || !deviceOf(this.#capture, view.device)) return
    const data = lifetimesData(captureId).getState()
    this.#askSpace(view, data)
    this.#askOverview(view, data)
    this.#askLife(view, data)
    const y = shownY(view, data)
    if (!y || !data.layout) return
    const place = placeOf(this.#capture, view, shownRange(this.#capture, view), y, data)
    this.#askCurves(place, data)
    this.#askHeat(place, view, data)
    this.#askBars(place, view, data)
  }

  #askSpace({ device, filter }: ViewState, { order }: LifetimesData): void {
    this.#questions.push('space', [device, order, sharesRows(order) ? filter : undefined], async () => {
      const answer = await askSpace(this.#capture, { device }, order)
      if (!answer.ok) return this.#questions.failed('space', answer.error)
      const { space, shownY: shown, band } = lifetimesData(this.#capture.captureId).getState()
      const { fold } = answer.value
      // Parts of y name rows: with other rows they would name others. The part in sight may have come back with its filter.
      const isBandOver = space?.order === order && !sameFold(space.fold, fold)
      const isShownOver = shown?.order === order && !sameFold(shown.fold, fold)
      this.#questions.keep('space', {
        space: answer.value,
        band: isBandOver ? undefined : band,
        shownY: isShownOver ? undefined : shown,
      })
    })
  }

  #askCurves({ captureId, device, axis, range }: Place, { layout }: LifetimesData): void {
    const columns = Math.min(layout?.plot.widthPx ?? 1, maxSidePx)
    const input = { captureId, device, axis, ...range, columns }
    this.#questions.push('curves', input, () =>
      this.#questions.ask('curves', 'timeline.curves', input, (data) => ({ curves: { range, axis, device, data } })),
    )
  }

  #askOverview(view: ViewState, { layout }: LifetimesData): void {
    if (!layout) return
    const range = homeOf(this.#capture, view)
    const { device, axis } = view
    const columns = Math.min(layout.overview.widthPx, maxSidePx)
    const input = { captureId: this.#capture.captureId, device, axis, ...range, columns }
    this.#questions.push('overview', input, () =>
      this.#questions.ask('overview', 'timeline.curves', input, (data) => ({ overview: { range, axis, device, data } })),
    )
  }

  #askHeat(place: Place, { filter }: ViewState, { layout, measure, scale: chosen, order }: LifetimesData): void {
    if (!layout) return
    const scale = chosen ?? naturalScale(measure, order)
    const grid = gridOf(layout.plot, Math.min(window.devicePixelRatio, mostScale), mostCells)
    this.#questions.push('raster', [place, grid, measure, scale, filter], async () => {
      const asked = await askFilter(place.captureId)
      const answer = asked.ok ? await askHeat(place, grid, { measure, scale }, asked.value) : asked
      if (answer.ok) this.#questions.keep('raster', { raster: answer.value })
      else this.#questions.failed('raster', answer.error)
    })
  }

  /** Single lifetimes, once the heat map has told that they can be told apart. */
  #askBars(place: Place, { filter }: ViewState, { raster, level, colorBy }: LifetimesData): void {
    const isOfPlace = raster?.device === place.device && raster.axis === place.axis && raster.order === place.order
    if (!isOfPlace || !isFine({ raster, level })) return
    this.#questions.push('bars', [place, filter, colorBy], async () => {
      const asked = await askFilter(place.captureId)
      const answer = asked.ok ? await askBars(place, asked.value, colorBy) : asked
      if (answer.ok) this.#questions.keep('bars', { bars: answer.value })
      else this.#questions.failed('bars', answer.error)
    })
  }

  #askLife(view: ViewState, data: LifetimesData): void {
    const { device, axis, selectedAllocation: allocationId } = view
    const { order } = data
    const fold = spaceNow(view, data)?.fold
    this.#questions.push('place', [device, axis, order, allocationId ?? null, fold], async () => {
      if (allocationId === undefined) return this.#questions.keep('place', { place: undefined })
      const answer = await askLife(this.#capture.captureId, { device, axis, order, allocationId }, fold)
      if (answer.ok) {
        this.#questions.keep('place', { place: answer.value })
        if (answer.value) bringIntoSight(this.#capture, answer.value.y)
      } else this.#questions.failed('place', answer.error, { place: undefined })
    })
  }
}

/** Starts loading for a capture; returns the stop. */
export function startLoader(capture: CaptureSummary): () => void {
  const loader = new Loader(capture)
  return () => loader.stop()
}
