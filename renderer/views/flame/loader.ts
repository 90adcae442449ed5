// Asks the engine for what the flame graph shows. Questions follow view state and the view's own; of one kind the latest wins.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { engine } from '../../data/engine-client.ts'
import { later } from '../../data/later.ts'
import { Questions } from '../../data/questions.ts'
import { askFilter } from '../../state/filter.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { type ViewState, viewOf, viewStates } from '../../state/view-state.ts'
import { rootOf } from './assemble.ts'
import { type FlameData, flameData } from './flame-data.ts'
import { type FlameState, flameState, isOfRange, isUpsideDown, matchOptionsOf, optionsOf } from './flame-state.ts'
import { noTemplate } from './hot-spots.ts'
import { askSpots, askTree, askWeighed, questionOf } from './questions.ts'

const restMs = 150

class Loader {
  readonly #capture: CaptureSummary
  readonly #questions: Questions<FlameData>
  readonly #stops: (() => void)[]
  #cancelRest = (): void => {}

  constructor(capture: CaptureSummary) {
    this.#capture = capture
    const id = capture.captureId
    this.#questions = new Questions(flameData(id))
    this.#stops = [
      viewStates.subscribe((state, old) => state.byCapture[id] !== old.byCapture[id] && this.#update()),
      flameState(id).subscribe(() => this.#update()),
    ]
    this.#update()
  }

  stop(): void {
    this.#questions.stop()
    this.#cancelRest()
    for (const stop of this.#stops) stop()
  }

  #update(): void {
    const view = viewOf(this.#capture.captureId)
    if (!view || (!this.#capture.profile && !deviceOf(this.#capture, view.device))) return
    const state = flameState(this.#capture.captureId).getState()
    const key = this.#keyOf(view, state)
    this.#askTree('answer', key, rootOf(state), {})
    // A tree upside down does not add up to functions.
    if (view.showTable && isUpsideDown(state)) this.#askTree('functions', key, 0, { direction: 'callees' })
    this.#cancelRest()
    this.#cancelRest = later(restMs, () => {
      this.#askMatch(key, state)
      this.#askSpots(key, state)
    })
  }

  /** What every question depends on. */
  #keyOf(view: ViewState, state: FlameState): readonly unknown[] {
    const { device, axis, visible, selectedRange, cursorEvent, filter } = view
    const when = isOfRange(state.weight) ? [axis, selectedRange ?? visible, selectedRange !== undefined] : [cursorEvent]
    return [device, state.weight, state.unit, state.valueType, optionsOf(state, this.#capture.kind), filter, ...when]
  }

  #askTree(name: 'answer' | 'functions', key: readonly unknown[], root: number, other: Partial<FlameState>): void {
    const { order } = flameState(this.#capture.captureId).getState()
    this.#questions.push(name, [key, root, order], async () => {
      const asked = await this.#ask(root, other)
      if (asked?.ok) this.#questions.keep(name, { [name]: asked.value } as Pick<FlameData, typeof name>)
      else if (asked) this.#questions.failed(name, asked.error)
    })
  }

  async #ask(root: number, other: Partial<FlameState>) {
    const { captureId, kind } = this.#capture
    const view = viewOf(captureId)
    if (!view) return undefined
    const state = { ...flameState(captureId).getState(), ...other }
    const [weighed, filter] = await Promise.all([askWeighed(this.#capture, view, state), askFilter(captureId)])
    if (!weighed.ok) return weighed
    if (!filter.ok) return filter
    return askTree(captureId, weighed.value, optionsOf(state, kind), filter.value, root, state.order)
  }

  #askMatch(key: readonly unknown[], state: FlameState): void {
    const { captureId, kind } = this.#capture
    const text = state.search.trim()
    const root = rootOf(state)
    this.#questions.push('match', [key, root, text], async () => {
      const view = viewOf(captureId)
      if (text === '' || !view) return this.#questions.keep('match', { match: undefined })
      const [weighed, filter] = await Promise.all([askWeighed(this.#capture, view, state), askFilter(captureId)])
      if (!weighed.ok) return this.#questions.failed('match', weighed.error)
      if (!filter.ok) return this.#questions.failed('match', filter.error)
      const place = questionOf(captureId, weighed.value)
      const found = await engine.call('flame.match', { ...place, options: matchOptionsOf(state, kind), filter: filter.value, root, text })
      if (found.ok) this.#questions.keep('match', { match: { ...found.value, text } })
      else this.#questions.failed('match', found.error)
    })
  }

  #askSpots(key: readonly unknown[], state: FlameState): void {
    const device = deviceOf(this.#capture, viewOf(this.#capture.captureId)?.device ?? 0)
    if (state.template === noTemplate || !device) return
    this.#questions.push('spots', key, async () => {
      const found = await askSpots(this.#capture, device, state)
      if (found?.ok) this.#questions.keep('spots', { spots: found.value, spotsFailure: undefined })
      else if (found?.error.code === 'query/cancelled') this.#questions.forget('spots')
      else if (found) this.#questions.keep('spots', { spots: undefined, spotsFailure: found.error })
    })
  }
}

/** Starts loading for a capture; returns the stop. */
export function startLoader(capture: CaptureSummary): () => void {
  const loader = new Loader(capture)
  return () => loader.stop()
}
