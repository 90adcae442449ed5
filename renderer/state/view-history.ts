// Back and forward through views. Continuous zooming is one entry: a view counts once it has rested for 400 ms.
import { sameFilter } from './filter.ts'
import type { Look, OwnLook } from './own-look.ts'
import { type ViewState, viewOf, viewStates } from './view-state.ts'

export const restMs = 400
const mostEntries = 200

interface Entry {
  readonly view: ViewState
  readonly looks: readonly Look[] // of each view that has one of its own
}

interface History {
  readonly past: readonly Entry[]
  readonly present: Entry
  readonly future: readonly Entry[]
}

/** Fields that are compared as they are; ranges and the filter are compared by what they hold. */
const recorded = [
  'view',
  'device',
  'axis',
  'cursorEvent',
  'selectedAllocation',
  'selectedSlice',
  'selectedNode',
  'colorBy',
] as const satisfies readonly (keyof ViewState)[]

function sameRange(a: ViewState['selectedRange'], b: ViewState['selectedRange']): boolean {
  return a === b || (a !== undefined && b !== undefined && a.x0 === b.x0 && a.x1 === b.x1)
}

function sameView(a: ViewState, b: ViewState): boolean {
  if (!sameRange(a.visible, b.visible) || !sameRange(a.selectedRange, b.selectedRange)) return false
  return sameFilter(a.filter, b.filter) && recorded.every((field) => a[field] === b[field])
}

const sameEntry = (a: Entry, b: Entry): boolean =>
  sameView(a.view, b.view) && a.looks.every(({ key }, index) => key === b.looks[index]?.key)

/** Remembers the views of every capture from now on. */
export class ViewHistory {
  #ownLooks: readonly OwnLook[] = []
  readonly #histories = new Map<string, History>()
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #unfollow = new Map<string, () => void>()
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
    for (const stop of this.#unfollow.values()) stop()
    this.#unfollow.clear()
  }

  /** Which views have a look of their own; said once, before there is a capture. */
  remember(ownLooks: readonly OwnLook[]): void {
    this.#ownLooks = ownLooks
  }

  /** What is shown counts from now, however short it was: a jump leads away from it, and back is to lead here. */
  settle(captureId: string): void {
    this.#commit(captureId)
  }

  canGo(captureId: string, direction: 'back' | 'forward'): boolean {
    const history = this.#histories.get(captureId)
    const view = viewOf(captureId)
    if (!history || !view) return false
    const isPresent = sameEntry(this.#entryOf(captureId, view), history.present)
    return direction === 'forward' ? history.future.length > 0 && isPresent : history.past.length > 0 || !isPresent
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
    const shown: ViewState = { ...target.view, showLegend, showTable, showDetails, showEmptyDetails }
    for (const look of target.looks) look.show()
    viewStates.setState((state) => ({ byCapture: { ...state.byCapture, [captureId]: shown } }))
  }

  #changed(captureId: string, view: ViewState): void {
    const history = this.#histories.get(captureId)
    if (!history) {
      this.#histories.set(captureId, { past: [], present: this.#entryOf(captureId, view), future: [] })
      this.#follow(captureId)
      return
    }
    clearTimeout(this.#timers.get(captureId))
    if (!sameEntry(this.#entryOf(captureId, view), history.present))
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
    if (!history || !view) return
    const present = this.#entryOf(captureId, view)
    if (sameEntry(present, history.present)) return
    this.#histories.set(captureId, { past: [...history.past, history.present].slice(-mostEntries), present, future: [] })
  }

  #entryOf(captureId: string, view: ViewState): Entry {
    return { view, looks: this.#ownLooks.map((own) => own.now(captureId)) }
  }

  #follow(captureId: string): void {
    const changed = () => {
      const view = viewOf(captureId)
      if (view) this.#changed(captureId, view)
    }
    const stops = this.#ownLooks.map((own) => own.follow(captureId, changed))
    this.#unfollow.set(captureId, () => {
      for (const stop of stops) stop()
    })
  }

  #forget(captureId: string): void {
    clearTimeout(this.#timers.get(captureId))
    this.#timers.delete(captureId)
    this.#histories.delete(captureId)
    this.#unfollow.get(captureId)?.()
    this.#unfollow.delete(captureId)
  }
}

export const viewHistory = new ViewHistory()
