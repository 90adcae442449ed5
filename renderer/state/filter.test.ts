import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { filterJson, hasChip, isFiltering, sizeInText, stackText, toggleChip, withoutStacks } from './filter.ts'
import { initialView } from './initial-view.ts'
import { noFilter, setView, viewOf } from './view-state.ts'

describe('the filter for the engine', () => {
  it('is empty when everything passes', () => expect(filterJson(noFilter, undefined)).toBe(''))
  it('has the native names of its parts', () =>
    expect(JSON.parse(filterJson({ minBytes: 1024, mostEvents: 40, text: 'forward' }, [3, -1]))).toEqual({
      min_bytes: 1024,
      most_events: 40,
      stacks: [3, -1],
    }))
  it('asks for the stacks of a function, and of these for those that hold the text', () => {
    const within = { stacks: [1, 3, -1], title: 'train' }
    expect(filterJson({ text: '', within }, undefined)).toBe('{"stacks":[1,3,-1]}')
    expect(filterJson({ text: 'forward', within }, [3, 4])).toBe('{"stacks":[3]}')
    expect([isFiltering({ text: '', within }), isFiltering(withoutStacks({ text: '', within }))]).toEqual([true, false])
  })
  it('lets nothing pass when no stack holds the text', () => expect(filterJson({ text: 'xyz' }, [])).toBe('{"stacks":[]}'))
  it('takes the larger of a typed size and the chip', () => {
    expect(JSON.parse(filterJson({ minBytes: 2 ** 20, text: '4 MiB' }, undefined))).toEqual({ min_bytes: 2 ** 22 })
    expect(JSON.parse(filterJson({ minBytes: 2 ** 20, text: '1 KiB' }, undefined))).toEqual({ min_bytes: 2 ** 20 })
  })
})

describe('a size in the text', () => {
  it('needs a unit and may say "at least"', () => {
    expect(['4 MiB', '>=512kib', '≥ 1.5 GiB', '100b'].map(sizeInText)).toEqual([2 ** 22, 2 ** 19, 1.5 * 2 ** 30, 100])
    expect(['134', 'linear.py:134', 'mib', '0x7f00'].map(sizeInText)).toEqual([undefined, undefined, undefined, undefined])
  })
})

describe('the text looked for in stacks', () => {
  it('is what is neither a size nor an address', () => {
    expect(stackText({ text: ' linear.py:134 ' })).toBe('linear.py:134')
    for (const text of ['', '  ', '4 MiB', '0x7f5402000000', 'b7f543e000000_2']) expect(stackText({ text })).toBeUndefined()
  })
})

describe('chips', () => {
  beforeEach(() => setView('c', initialView({ captureId: 'c', devices: [] } as unknown as CaptureSummary)))
  afterEach(() => setView('c', undefined))
  const filter = () => viewOf('c')?.filter ?? noFilter

  it('switch on and off', () => {
    toggleChip('c', 'large')
    expect(filter()).toEqual({ minBytes: 2 ** 20, text: '' })
    expect(hasChip(filter(), 'large')).toBe(true)
    toggleChip('c', 'large')
    expect(filter()).toEqual(noFilter)
  })
  it('of temporary and never freed exclude each other, since both would leave nothing', () => {
    toggleChip('c', 'large')
    toggleChip('c', 'temporary')
    toggleChip('c', 'neverFreed')
    expect(filter()).toEqual({ minBytes: 2 ** 20, neverFreed: true, text: '' })
  })
  it('of blanks alone filters nothing', () => expect(isFiltering({ text: '  ' })).toBe(false))
})
