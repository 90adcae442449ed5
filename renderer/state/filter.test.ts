import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { filterJson, nothingResolved, type Resolved } from '../../preload/contract/filter/filter-json.ts'
import { parseFilter } from '../../preload/contract/filter/filter-language.ts'
import type { Category } from '../../preload/contract/queries.ts'
import { addressInText, hasChip, isFiltering, isOfCategory, toggleCategory, toggleChip, withoutStacks } from './filter.ts'
import { initialView } from './initial-view.ts'
import { type AllocationFilter, noFilter, patchView, readFilter, setView, viewOf } from './view-state.ts'

const jsonOf = (filter: AllocationFilter, resolved: Partial<Resolved> = {}) => {
  const parsed = parseFilter(filter.text)
  if (!parsed.ok) throw new Error(`${parsed.error.code}: ${parsed.error.term}`)
  return filterJson(filter, parsed.terms, { ...nothingResolved, ...resolved })
}
const asked = (filter: AllocationFilter, resolved: Partial<Resolved> = {}) => JSON.parse(jsonOf(filter, resolved))

describe('the filter for the engine', () => {
  it('is empty when everything passes', () => expect([jsonOf(noFilter), jsonOf({ text: ' size>=0 ' })]).toEqual(['', '']))
  it('has the native names of its parts', () =>
    expect(asked({ minBytes: 1024, mostEvents: 40, text: 'forward' }, { stacks: [3, -1] })).toEqual({
      min_bytes: 1024,
      most_events: 40,
      stacks: [3, -1],
    }))
  it('asks for the stacks of a function, and of these for those that hold the text', () => {
    const within = { stacks: [1, 3, -1], title: 'train' }
    expect(asked({ text: '', within })).toEqual({ stacks: [1, 3, -1] })
    expect(asked({ text: 'forward', within }, { stacks: [3, 4] })).toEqual({ stacks: [3] })
    const spot = { stacks: [1, 3], categories: ['gradient' as const], minBytes: 512, title: 'spot' }
    expect(asked({ text: 'forward', minBytes: 100, within: spot }, { stacks: [3] })).toEqual({
      min_bytes: 512,
      stacks: [3],
      categories: ['gradient'],
    })
    expect(asked({ text: '', within: { categories: ['input'], title: 'spot' } })).toEqual({ categories: ['input'] })
    expect(isFiltering({ text: '', within: { categories: ['input'], title: 'spot' } })).toBe(true)
    expect([isFiltering({ text: '', within }), isFiltering(withoutStacks({ text: '', within }))]).toEqual([true, false])
  })
  it('lets nothing pass when no stack holds the text', () => expect(asked({ text: 'xyz' }, { stacks: [] })).toEqual({ stacks: [] }))
  it('takes the larger of a typed size and the chip', () => {
    expect(asked({ minBytes: 2 ** 20, text: '4 MiB' })).toEqual({ min_bytes: 2 ** 22 })
    expect(asked({ minBytes: 2 ** 20, text: '1 KiB' })).toEqual({ min_bytes: 2 ** 20 })
  })
  it('takes stacks that are left out away from those that are kept, and names them alone where all are', () => {
    expect(asked({ text: 'a -b' }, { stacks: [1, 2, 3], withoutStacks: [2] })).toEqual({ stacks: [1, 3] })
    expect(asked({ text: '-b -is:no_stack' }, { withoutStacks: [2] })).toEqual({ without_stacks: [2, -1] })
    expect(asked({ text: 'stack_id:1,2,-1 stack_id:2,3' })).toEqual({ stacks: [2] })
    expect(asked({ text: 'a -stack_id:2' }, { stacks: [1, 2] })).toEqual({ stacks: [1] })
    expect(['stack_id:x', 'stack_id>3', 'stack_id:-2', 'stack_id:1,'].map((text) => parseFilter(text).ok)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
  it('asks for what is allocated at several moments by the latest of them and what was made by the first', () =>
    expect(asked({ text: 'alive_at:5 alive_at:9' }, { aliveAt: [9, 5] })).toEqual({ alive_at: 9, made_to: 6 }))
  it('says what makes an allocation short-lived, large, freed or older than the history, and what the contrary is', () => {
    expect(asked({ text: 'is:short_lived is:large is:before_history' })).toEqual({ most_events: 40, min_bytes: 2 ** 20, made_to: 0 })
    expect(asked({ text: '-is:never_freed -is:large -is:before_history' })).toEqual({
      freed_from: -1,
      max_bytes: 2 ** 20 - 1,
      made_from: 0,
    })
    expect(asked({ text: '-is:freed is:no_stack' })).toEqual({ never_freed: true, stacks: [-1] })
  })
  it('lets nothing pass that is smaller than nothing', () =>
    expect(asked({ text: 'size<0' })).toEqual({ min_bytes: Number.MAX_SAFE_INTEGER }))
  it('meets ranges of addresses, lives and categories', () =>
    expect(asked({ text: 'address:0x10..0x2f address:0x20.. life:3..9 life<7 category:activation,gradient -category:input' })).toEqual({
      min_life: 3,
      max_life: 6,
      address_from: '0x20',
      address_to: '0x30',
      categories: ['activation', 'gradient'],
      without_categories: ['input'],
    }))
})

describe('an address as the whole text', () => {
  it('is something to go to', () => {
    for (const text of ['0x7f5402000000', 'b7f543e000000_2', '#7']) expect(addressInText(text), text).toBeDefined()
    for (const text of ['linear', '0x7f5402000000 size>1', '4 MiB']) expect(addressInText(text), text).toBeUndefined()
  })
})

describe('a text that names the cursor', () => {
  afterEach(() => setView('c', undefined))
  it('is another filter wherever the cursor is, so that views ask anew', () => {
    setView('c', initialView({ captureId: 'c', devices: [] } as unknown as CaptureSummary))
    patchView('c', { filter: { text: 'alive_at:cursor' }, cursorEvent: 7 })
    expect(viewOf('c')?.filter).toEqual({ text: 'alive_at:cursor', cursor: 7 })
    patchView('c', { cursorEvent: 8 })
    expect(viewOf('c')?.filter).toEqual({ text: 'alive_at:cursor', cursor: 8 })
    patchView('c', { filter: { text: 'alive_at:peak' } })
    expect(viewOf('c')?.filter).toEqual({ text: 'alive_at:peak' })
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
  it('of short-lived and never freed exclude each other, since both would leave nothing', () => {
    toggleChip('c', 'large')
    toggleChip('c', 'temporary')
    toggleChip('c', 'neverFreed')
    expect(filter()).toEqual({ minBytes: 2 ** 20, neverFreed: true, text: '' })
  })
  it('of blanks alone filters nothing', () => expect(isFiltering({ text: '  ' })).toBe(false))
})

describe('a category chosen in a panel', () => {
  beforeEach(() => setView('c', initialView({ captureId: 'c', devices: [] } as unknown as CaptureSummary)))
  afterEach(() => setView('c', undefined))
  const afterToggle = (text: string, category: Category): string => {
    patchView('c', { filter: { text } })
    toggleCategory('c', category)
    return viewOf('c')?.filter.text ?? ''
  }

  it('is a term of the text, gives way to another, and lets all pass when chosen again', () => {
    expect(afterToggle('size>1MiB', 'activation')).toBe('category:activation size>1MiB')
    expect(afterToggle('category:activation size>1MiB', 'gradient')).toBe('category:gradient size>1MiB')
    expect(afterToggle('size>1MiB category:Gradient is:freed', 'gradient')).toBe('size>1MiB is:freed')
    expect(afterToggle('category:gradient', 'gradient')).toBe('')
  })
  it('takes the place of a list, leaves what is excluded and what is quoted, and of an address nothing', () => {
    expect(afterToggle('category:gradient,activation -category:input', 'gradient')).toBe('category:gradient -category:input')
    expect(afterToggle('stack:"a  category:b"', 'input')).toBe('category:input stack:"a  category:b"')
    expect(afterToggle('0x7f0000000000', 'input')).toBe('category:input')
  })
  it('is on where the text asks for it alone', () => {
    expect(isOfCategory('stack:x category:"INPUT"', 'input')).toBe(true)
    for (const text of ['', '-category:input', 'category:input,gradient', 'category:input category:gradient', 'stack:input'])
      expect(isOfCategory(text, 'input')).toBe(false)
  })
})

it('comes back from a session with a text as long as its field takes', () => {
  const kept = { text: 'x'.repeat(2000) }
  expect(readFilter(kept)).toEqual(kept)
  expect(readFilter({ text: 'x'.repeat(2001), category: 'nonsense' })).toEqual(noFilter)
})

it('of an older version, with a category beside its text, comes back with that as a term', () => {
  expect(readFilter({ text: 'size>1MiB', category: 'activation', minBytes: 512 })).toEqual({
    text: 'category:activation size>1MiB',
    minBytes: 512,
  })
})
