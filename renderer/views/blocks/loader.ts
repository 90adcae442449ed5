// Asks the engine for what the block map shows. Questions follow the view state; segments and blocks of a moment are kept together, so that
// the picture never mixes two moments.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import type { SegmentOrder } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { later } from '../../data/later.ts'
import { Questions } from '../../data/questions.ts'
import { scrubberData } from '../../scrubber/scrubber-data.ts'
import { askFilter, isFiltering } from '../../state/filter.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { type ViewState, viewOf, viewStates } from '../../state/view-state.ts'
import { inputOf, scrollToSelected } from './actions.ts'
import { momentOf, requestBytes, viewportOf } from './assemble.ts'
import { type BlocksData, blocksData, type Moment, type Picture, sameMoment } from './blocks-data.ts'
import { type BlocksState, blocksState } from './blocks-state.ts'
import { rowsInSight } from './model-input.ts'
import { askFit, askGround, askPicture, type OrderedGround, type Place } from './questions.ts'

const mostScale = 2
const mostColumns = 4096
const spareRows = 8 // above and below what is in sight
const restMs = 120
const flashMs = 450
const topStackCount = 8

const firstOnly = { sort: 'size', limit: 1, offset: 0 } as const

/** All allocations, between an event and the next one. */
const instantAfter = (event: number) =>
  ({ axis: 'event', x0: event + 0.25, x1: event + 0.75, order: 'allocation', y0: 0, y1: Number.MAX_SAFE_INTEGER }) as const

class Loader {
  readonly #capture: CaptureSummary
  readonly #questions: Questions<BlocksData>
  readonly #stops: (() => void)[]
  #cancelRest = (): void => {}
  #cancelFlash = (): void => {}
  #cancelReport = (): void => {}
  #last: Moment | undefined
  #ground: { readonly key: string; readonly value: OrderedGround } | undefined

  constructor(capture: CaptureSummary) {
    this.#capture = capture
    const id = capture.captureId
    this.#questions = new Questions(blocksData(id))
    this.#stops = [
      viewStates.subscribe((state, old) => state.byCapture[id] !== old.byCapture[id] && this.#update()),
      blocksState(id).subscribe(() => this.#update()),
      blocksData(id).subscribe((data, old) => data.layout !== old.layout && this.#update()),
      scrubberData(id).subscribe((data, old) => data.isPlaying !== old.isPlaying && this.#hold(data.isPlaying)),
    ]
    this.#update()
  }

  stop(): void {
    this.#questions.stop()
    this.#cancelRest()
    this.#cancelFlash()
    this.#cancelReport()
    for (const stop of this.#stops) stop()
    blocksData(this.#capture.captureId).setState({ heldX: undefined })
  }

  /** The scale stands still while the history plays: a request that comes by is cut off rather than squeeze every row. */
  #hold(isPlaying: boolean): void {
    const heldX = isPlaying ? inputOf(this.#capture)?.home.x1 : undefined
    blocksData(this.#capture.captureId).setState({ heldX })
    this.#update()
  }

  #update(): void {
    const view = viewOf(this.#capture.captureId)
    const moment = view && momentOf(this.#capture, view)
    if (!view || !moment) return
    const state = blocksState(this.#capture.captureId).getState()
    this.#flash(moment)
    this.#askPicture(view, state, moment)
    this.#askFit(state, moment)
    this.#askChange(moment)
    this.#askSelected(view, moment)
    this.#askMatching(view, moment)
    this.#cancelRest()
    this.#cancelRest = later(restMs, () => this.#askStacks(moment))
  }

  /** What a step of one event changed stands out for a moment; not where motion is to be reduced. */
  #flash(moment: Moment): void {
    const last = this.#last
    this.#last = moment
    if (!last || sameMoment(last, moment) || last.device !== moment.device || Math.abs(last.event - moment.event) !== 1) return
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const store = blocksData(this.#capture.captureId)
    this.#cancelFlash()
    store.setState({ isFlashing: true })
    this.#cancelFlash = later(flashMs, () => store.setState({ isFlashing: false }))
  }

  #askPicture(view: ViewState, state: BlocksState, moment: Moment): void {
    const { captureId } = this.#capture
    const { layout, heldX } = blocksData(captureId).getState()
    if (!layout) return
    const { order, scaling, colorBy, visible, rowPx, scrollPx } = state
    const place = { captureId, ...moment, scaling }
    const bytes = requestBytes(this.#capture, moment, state)
    const scrolled = Math.floor(scrollPx / (spareRows * (rowPx ?? 16)))
    const key = [
      place,
      order,
      colorBy,
      visible,
      rowPx,
      scrolled,
      layout.rows.heightPx,
      layout.plot.widthPx,
      bytes,
      view.filter,
      heldX === undefined,
    ]
    this.#questions.push('picture', key, async () => {
      const filter = await askFilter(captureId)
      const ground = await this.#askGround(place, order)
      if (!filter.ok) return this.#questions.failed('picture', filter.error)
      if (!ground.ok) return this.#questions.failed('picture', ground.error)
      const { list } = ground.value
      const now = viewportOf(list, blocksState(captureId).getState(), layout, bytes, blocksData(captureId).getState().heldX)
      const [first, end] = rowsInSight(list.lines.length, now.rowPx, now.scrollPx, layout.rows)
      const columns = Math.min(layout.plot.widthPx * Math.min(window.devicePixelRatio, mostScale), mostColumns)
      const rows = { first: Math.max(0, first - spareRows), end: Math.min(list.lines.length, end + spareRows) }
      const picture = await askPicture({ ...place, order: ground.value.order }, ground.value, {
        range: now.visible,
        ...rows,
        columns,
        colorBy,
        filter: filter.value,
      })
      if (picture.ok) this.#keepPicture(picture.value)
      else this.#questions.failed('picture', picture.error)
    })
  }

  /** Lists made of the report follow once the moment rests. */
  #keepPicture(picture: Picture): void {
    const { device, event, report, list } = picture
    const { heldX, report: last } = blocksData(this.#capture.captureId).getState()
    this.#questions.keep('picture', { picture, heldX: heldX === undefined ? undefined : Math.max(heldX, list.longest) })
    this.#cancelReport()
    if (last?.value === report) return
    this.#cancelReport = later(restMs, () => this.#questions.keep('picture', { report: { device, event, value: report } }))
  }

  /** Segments stay while only the viewport changes. The order that suits the first picture stays, so that steps do not rearrange it. */
  async #askGround(place: Omit<Place, 'order'>, order: SegmentOrder | undefined): Promise<Result<OrderedGround>> {
    const known = this.#ground
    const wanted = order ?? known?.value.order
    const key = JSON.stringify([place, wanted])
    if (known?.key === key) return ok(known.value)
    const ground = await askGround(place, wanted)
    if (ground.ok) this.#ground = { key: JSON.stringify([place, ground.value.order]), value: ground.value }
    return ground
  }

  #askFit(state: BlocksState, moment: Moment): void {
    const sizeBytes = requestBytes(this.#capture, moment, state)
    const { stream, pool } = state
    this.#questions.push('fit', [moment, sizeBytes, stream, pool], async () => {
      if (sizeBytes === undefined) return this.#questions.keep('fit', { fit: undefined })
      const fit = await askFit(this.#capture, moment, sizeBytes, state)
      if (fit.ok) this.#questions.keep('fit', { fit: fit.value })
      else this.#questions.failed('fit', fit.error)
    })
  }

  #askChange(moment: Moment): void {
    const { captureId } = this.#capture
    this.#questions.push('change', moment, async () => {
      if (moment.event < 0) return this.#questions.keep('change', { change: undefined })
      await this.#questions.ask('change', 'event.row', { captureId, ...moment }, ({ row }) => ({
        change: row ? { ...moment, value: row } : undefined,
      }))
    })
  }

  #askSelected(view: ViewState, moment: Moment): void {
    const { captureId } = this.#capture
    const allocationId = view.selectedAllocation
    this.#questions.push('selected', [moment, allocationId], async () => {
      if (allocationId === undefined) return this.#questions.keep('selected', { selected: undefined, absent: undefined })
      const details = await engine.call('allocation.details', { captureId, allocationId })
      if (!details.ok) return this.#questions.failed('selected', details.error, { selected: undefined })
      const at = await engine.call('blocks.at', { captureId, ...moment, address: details.value.address })
      if (!at.ok) return this.#questions.failed('selected', at.error, { selected: undefined })
      const { block } = at.value
      const isThere = block?.allocationId === allocationId
      this.#questions.keep('selected', {
        selected: block && isThere ? { ...moment, block, details: details.value } : undefined,
        absent: isThere ? undefined : { ...moment, allocationId },
      })
      if (isThere) scrollToSelected(this.#capture)
    })
  }

  #askMatching({ filter }: ViewState, moment: Moment): void {
    const { captureId } = this.#capture
    this.#questions.push('matching', [moment, filter], async () => {
      if (!isFiltering(filter)) return this.#questions.keep('matching', { matching: undefined })
      const asked = await askFilter(captureId)
      if (!asked.ok) return this.#questions.failed('matching', asked.error)
      const input = { captureId, device: moment.device, ...instantAfter(moment.event), filter: asked.value, ...firstOnly }
      await this.#questions.ask('matching', 'lifetimes.list', input, ({ count, bytes }) => ({
        matching: { ...moment, filter, count, bytes },
      }))
    })
  }

  /** Numbers that need a pass over the history, once the moment rests. */
  #askStacks(moment: Moment): void {
    const { captureId } = this.#capture
    if (!deviceOf(this.#capture, moment.device)) return
    this.#questions.push('stacks', moment, () =>
      this.#questions.ask('stacks', 'stacks.top', { captureId, ...moment, limit: topStackCount }, ({ stacks }) => ({
        topStacks: { ...moment, value: stacks },
      })),
    )
  }
}

/** Starts loading for a capture; returns the stop. */
export function startLoader(capture: CaptureSummary): () => void {
  const loader = new Loader(capture)
  return () => loader.stop()
}
