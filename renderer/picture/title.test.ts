import { describe, expect, it } from 'vitest'
import { deviceWords, factLines, filterWords } from './title.ts'

it('says with the device that its numbers are approximate, only where they are', () => {
  expect(deviceWords({ device: 1, deviceType: 'cuda', exact: true })).toEqual(['GPU\u00a01'])
  expect(deviceWords({ device: 1, deviceType: 'cuda', exact: false })).toEqual(['GPU\u00a01', '≈ approximate'])
})

describe('the filter as a fact of a picture', () => {
  it('says nothing when every allocation passes, nor for an address, which filters nothing', () => {
    expect(filterWords({ text: ' ' })).toEqual([])
    expect(filterWords({ text: '0x7f0000000000' })).toEqual([])
  })

  it('names the text, the size and the life that are asked for', () => {
    expect(filterWords({ text: 'linear', minBytes: 2 ** 20, neverFreed: true })).toEqual(['only “linear”, ≥ 1.00\u00a0MiB, Never freed'])
    expect(filterWords({ text: '', mostEvents: 40 })).toEqual(['only Short-lived'])
    expect(filterWords({ text: '', within: { stacks: [1], title: 'train' } })).toEqual(['only train'])
  })

  it('names the terms of the text as they were typed', () => {
    expect(filterWords({ text: ' size>4MiB stack:linear ', minBytes: 2 ** 20 })).toEqual(['only “size>4MiB stack:linear”, ≥ 1.00\u00a0MiB'])
  })
})

describe('facts of a picture', () => {
  const measure = (text: string) => text.length

  it('go on in a second line, and are left out whole where that is full', () => {
    expect(factLines(['GPU 0', 'event 12'], 16, measure)).toEqual(['GPU 0 · event 12'])
    expect(factLines(['GPU 0', 'event 12', 'peak', 'a long one at last'], 16, measure)).toEqual(['GPU 0 · event 12', 'peak'])
    expect(factLines(['much too long a fact'], 9, measure)).toEqual(['much too…'])
  })
})
