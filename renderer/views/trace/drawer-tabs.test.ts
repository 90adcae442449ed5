// What the drawer shows of several things that are selected.
import { describe, expect, it } from 'vitest'
import { hasTraceDetails, tabsOf, tabToShow } from './drawer-tabs.ts'

const nothing = { selectedSlice: undefined, selectedRange: undefined, selectedAllocation: undefined }
const range = { x0: 0, x1: 10 }

describe('the drawer', () => {
  it('shows the slice before the range that was selected earlier', () => {
    const tabs = tabsOf({ ...nothing, selectedSlice: 0, selectedRange: range }, false)
    expect(tabs).toEqual(['slice', 'area'])
    expect(tabToShow(tabs, undefined)).toBe('slice')
    expect(tabToShow(tabs, 'area')).toBe('area')
  })

  it('leaves a tab whose selection is gone', () =>
    expect(tabToShow(tabsOf({ ...nothing, selectedRange: range }, false), 'slice')).toBe('area'))

  it('shows an instant before all else', () => expect(tabToShow(tabsOf({ ...nothing, selectedSlice: 3 }, true), undefined)).toBe('instant'))

  it('has nothing of its own to tell about an allocation alone', () => {
    expect(hasTraceDetails({ ...nothing, selectedAllocation: 5 })).toBe(false)
    expect(hasTraceDetails({ ...nothing, selectedSlice: 0 })).toBe(true)
    expect(tabToShow(tabsOf(nothing, false), undefined)).toBeUndefined()
  })
})
