import { expect, it } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { dark } from '../theme/tokens.ts'
import { allocationTitle, legendOf, poolTitle, streamTitle } from './legend.ts'

const held = { title: '', allocEvent: null, stream: '' }

it('names what a trace held before it began, and nothing else, so', () => {
  expect(allocationTitle(held)).toBe('(held before the profile)')
  expect(allocationTitle({ ...held, allocEvent: 3 })).toBe('(no Python frames)')
  expect(allocationTitle({ ...held, stream: '0' })).toBe('(no Python frames)') // of a snapshot
  expect(allocationTitle({ ...held, title: 'forward' })).toBe('forward')
})

it('says of a trace’s stackless memory that it may have been held before', () => {
  const stack = { stackId: -1, slot: 25, count: 2, bytes: 512, title: '', place: '' }
  const titles = (trace: object | null) => {
    const capture = { trace } as CaptureSummary
    const legend = legendOf({ capture, colorBy: 'stack', tokens: dark, top: { stacks: [stack], totalBytes: 512 }, largestBytes: 512 })
    return legend.kind === 'swatches' && legend.swatches.map(({ title }) => title)
  }
  expect(titles({})).toEqual(['(held before the profile, or no frames)'])
  expect(titles(null)).toEqual(['(no Python frames)'])
})

it('says in words that no stream and no pool is recorded', () => {
  expect([streamTitle(''), poolTitle('')]).toEqual(['not recorded', 'not recorded'])
  expect([streamTitle('0x7f'), poolTitle('(0, 3)')]).toEqual(['0x7f', '(0, 3)'])
})

it('lists the categories that hold memory or are in the picture, and no others', () => {
  const sums = { requestedBytes: 5, count: 1, rules: [] }
  const held = [{ category: 'activation' as const, bytes: 5, ...sums }]
  const listed = (categories: Parameters<typeof legendOf>[0]['categories']) => {
    const capture = { trace: null } as CaptureSummary
    const legend = legendOf({
      capture,
      colorBy: 'category',
      tokens: dark,
      top: undefined,
      largestBytes: 512,
      ...(categories && { categories }),
    })
    return legend.kind === 'swatches' ? legend.swatches.map(({ title, bytes, slots }) => [title, bytes, ...slots]) : []
  }
  expect(listed({ held, present: new Set([0, 2, 4, 63]) })).toEqual([
    ['Gradient', 0, 2],
    ['Activation', 5, 4],
  ])
  expect(listed({ held: undefined, present: new Set([10]) })).toEqual([['Unknown', undefined, 10]])
  expect(listed(undefined)).toHaveLength(10)
})
