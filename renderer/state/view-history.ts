// Back and forward through views. Continuous zooming is one entry: a view counts once it has rested for 400 ms.
import { sameFilter } from './filter.ts'
import { type ViewState, viewOf, viewStates } from './view-state.ts'

export const restMs = 400
const mostEntries = 200

interface History {
  readonly past: readonly ViewState[]
  readonly present: ViewState
  readonly future: readonly ViewState[]
}

/** Fields that are compared as they are; ranges and the filter are compared by what they hold. */
const recorded = ['view', 'device', 'axis', 'cursorEvent', 'selectedAllocation', 'colorBy'] as const satisfies readonly (keyof ViewState)[]

function sameRange(a: ViewState['selectedRange'], b: ViewState['selectedRange']): boolean {
  return a === b || (a !== undefined && b !== undefined && a.x0 === b.x0 && a.x1 === b.x1)
}

function sameView(a: ViewState, b: ViewState): boolean {
  if (!sameRange(a.visible, b.visible) || !sameRange(a.selectedRange, b.selectedRange)) return false
  return sameFilter(a.filter, b.filter) && recorded.every((field) => a[field] === b[field])
}

/** Remembers the views of every capture from now on. */
export class ViewHistory {
  readonly #histories = new Map<string, History>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #stop: () => void

  constructor() {
    this.#stop = viewStates.subscribe((state, old) => {
      for (const [captureId, view] of Object.entries(state.byCapture)) if (old.byCapture[captureId] !== view) this.#changed(captureId, view)
      for (const captureId of this.#histories.keys()) if (!state.byCapture[captureId]) this.#forget(captureId)
    })
  }

  /** Stops remembering. */
  dispose(): void {
    this.#stop()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  canGo(captureId: string, direction: 'back' | 'forward'): boolean {
    const history = this.#histories.get(captureId)
    const view = viewOf(captureId)
    if (!history || !view) return false
    if (direction === 'forward') return history.future.length > 0 && sameView(view, history.present)
    return history.past.length > 0 || !sameView(view, history.present)
  }

  /** Shows the view before or after the present one. Panels stay as they are: they are not part of the view. */
  go(captureId: string, direction: 'back' | 'forward'): void {
    this.#commit(captureId)
    const history = this.#histories.get(captureId)
    const view = viewOf(captureId)
    const target = direction === 'back' ? history?.past.at(-1) : history?.future[0]
    if (!history || !view || !target) return
    const next: History =
      direction === 'back'
        ? { past: history.past.slice(0, -1), present: target, future: [history.present, ...history.future] }
        : { past: [...history.past, history.present], present: target, future: history.future.slice(1) }
    this.#histories.set(captureId, next)
    const { showLegend, showTable, showDetails, showEmptyDetails } = view
    const shown: ViewState = { ...target, showLegend, showTable, showDetails, showEmptyDetails }
    viewStates.setState((state) => ({ byCapture: { ...state.byCapture, [captureId]: shown } }))
  }

  #changed(captureId: string, view: ViewState): void {
    const history = this.#histories.get(captureId)
    if (!history) {
      this.#histories.set(captureId, { past: [], present: view, future: [] })
      return
    }
    clearTimeout(this.#timers.get(captureId))
    if (!sameView(view, history.present))
      this.#timers.set(
        captureId,
        setTimeout(() => this.#commit(captureId), restMs),
      )
  }

  #commit(captureId: string): void {
    clearTimeout(this.#timers.get(captureId))
    this.#timers.delete(captureId)
    const history = this.#histories.get(captureId)
    const view = viewOf(captureId)
    if (!history || !view || sameView(view, history.present)) return
    this.#histories.set(captureId, { past: [...history.past, history.present].slice(-mostEntries), present: view, future: [] })
  }

  #forget(captureId: string): void {
    clearTimeout(this.#timers.get(captureId))
    this.#timers.delete(captureId)
    this.#histories.delete(captureId)
  }
}

export const viewHistory = new ViewHistory()
