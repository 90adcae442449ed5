import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { captureStores } from '../data/capture-stores.ts'
import { lookOf } from './own-look.ts'
import { restMs, ViewHistory } from './view-history.ts'
import { noFilter, patchView, setView, type ViewState, viewOf } from './view-state.ts'

const view: ViewState = {
  view: 'timeline',
  device: 0,
  axis: 'event',
  full: { x0: 0, x1: 100 },
  visible: { x0: 0, x1: 100 },
  cursorEvent: undefined,
  selectedRange: undefined,
  selectedAllocation: undefined,
  selectedSlice: undefined,
  selectedNode: undefined,
  colorBy: 'stack',
  filter: noFilter,
  showLegend: true,
  showTable: false,
  showDetails: true,
  showEmptyDetails: false,
}

describe('view history', () => {
  let history: ViewHistory
  beforeEach(() => {
    vi.useFakeTimers()
    history = new ViewHistory()
    setView('c', view)
  })
  afterEach(() => {
    setView('c', undefined)
    history.dispose()
    vi.useRealTimers()
  })

  it('makes one entry of a continuous zoom', () => {
    for (let x1 = 90; x1 > 10; x1 -= 10) {
      patchView('c', { visible: { x0: 0, x1 } })
      vi.advanceTimersByTime(restMs / 4)
    }
    vi.advanceTimersByTime(restMs)
    history.go('c', 'back')
    expect(viewOf('c')?.visible).toEqual({ x0: 0, x1: 100 })
    expect(history.canGo('c', 'back')).toBe(false)
    history.go('c', 'forward')
    expect(viewOf('c')?.visible).toEqual({ x0: 0, x1: 20 })
  })

  it('goes back from a view that has not rested yet', () => {
    patchView('c', { cursorEvent: 5 })
    expect(history.canGo('c', 'back')).toBe(true)
    history.go('c', 'back')
    expect(viewOf('c')?.cursorEvent).toBeUndefined()
  })

  it('goes back to the view that was shown before, with its filter', () => {
    patchView('c', { view: 'blocks' })
    vi.advanceTimersByTime(restMs)
    patchView('c', { filter: { ...noFilter, minBytes: 1024 } })
    vi.advanceTimersByTime(restMs)
    history.go('c', 'back')
    expect(viewOf('c')).toMatchObject({ view: 'blocks', filter: noFilter })
    history.go('c', 'back')
    expect(viewOf('c')?.view).toBe('timeline')
  })

  it('goes back to what a jump led away from, however short that was shown', () => {
    patchView('c', { view: 'blocks' })
    vi.advanceTimersByTime(restMs)
    patchView('c', { view: 'diagnosis' })
    history.settle('c')
    patchView('c', { view: 'flame' })
    vi.advanceTimersByTime(restMs)
    history.go('c', 'back')
    expect(viewOf('c')?.view).toBe('diagnosis')
  })

  it('makes no entry of an equal filter', () => {
    patchView('c', { filter: { text: '' } })
    vi.advanceTimersByTime(restMs)
    expect(history.canGo('c', 'back')).toBe(false)
  })

  it('drops the future when a new view is chosen, and leaves panels alone', () => {
    patchView('c', { cursorEvent: 5 })
    vi.advanceTimersByTime(restMs)
    patchView('c', { showTable: true })
    history.go('c', 'back')
    expect(viewOf('c')?.showTable).toBe(true)
    patchView('c', { cursorEvent: 9 })
    vi.advanceTimersByTime(restMs)
    expect(history.canGo('c', 'forward')).toBe(false)
  })

  it('brings back what a view alone knows: its zoom, one entry once it has rested, and nothing else of its store', () => {
    const mapOf = captureStores<{ readonly zoom: number | undefined; readonly hover: number }>({ zoom: undefined, hover: 0 })
    setView('d', undefined)
    history.remember([lookOf(mapOf, ['zoom'])])
    setView('d', view)
    for (const zoom of [2, 4, 8]) {
      mapOf('d').setState({ zoom })
      vi.advanceTimersByTime(restMs / 4)
    }
    mapOf('d').setState({ hover: 7 })
    vi.advanceTimersByTime(restMs)
    patchView('d', { view: 'blocks' })
    vi.advanceTimersByTime(restMs)
    history.go('d', 'back')
    expect(mapOf('d').getState().zoom).toBe(8)
    history.go('d', 'back')
    expect(mapOf('d').getState()).toEqual({ zoom: undefined, hover: 7 })
    vi.advanceTimersByTime(restMs)
    expect(history.canGo('d', 'back')).toBe(false)
    history.go('d', 'forward')
    expect(mapOf('d').getState().zoom).toBe(8)
    history.go('d', 'forward')
    expect(viewOf('d')?.view).toBe('blocks')
    setView('d', undefined)
    mapOf('d').setState({ zoom: 3 })
    vi.advanceTimersByTime(restMs)
    expect(history.canGo('d', 'back')).toBe(false)
  })
})
