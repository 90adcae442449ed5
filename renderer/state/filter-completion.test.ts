import { describe, expect, it } from 'vitest'
import { filterKeys } from '../../preload/contract/filter/filter-language.ts'
import { completionsOf } from './filter-completion.ts'

const context = { streams: ['0', '94'], pools: ['(0, 0)'], hasTimes: true, hasFailures: false }
const inserts = (text: string, caret = text.length) => completionsOf(text, caret, context).items.map(({ insert }) => insert)

describe('completions of a filter', () => {
  it('are all keys on an empty place', () => {
    expect(inserts('')).toHaveLength(filterKeys.length)
    expect(inserts('size>1 ')).toHaveLength(filterKeys.length)
  })
  it('are the keys that begin as the term does, and keep its sign', () => {
    expect(inserts('st')).toEqual(['stack:', 'stack_id:', 'stream:'])
    expect(inserts('size>1 -str')).toEqual(['-stream:'])
    expect(completionsOf('size>1 -str', 11, context)).toMatchObject({ from: 7, to: 11 })
  })
  it('are the values that a key has, quoted where they must be', () => {
    expect(inserts('alive_at:')).toEqual(['alive_at:peak ', 'alive_at:end ', 'alive_at:cursor ', 'alive_at:start '])
    expect(inserts('is:n')).toEqual(['is:never_freed ', 'is:no_stack '])
    expect(inserts('pool:')).toEqual(['pool:"(0, 0)" '])
    expect(inserts('stream:9')).toEqual(['stream:94 '])
  })
  it('are of the term at the caret', () => expect(inserts('st size>1', 2)).toEqual(['stack:', 'stack_id:', 'stream:']))
  it('are none where anything may follow, or all is said', () => {
    for (const text of ['size>1', 'stack:att', 'zebra', '"st', 'is:large', '4 MiB']) expect(inserts(text), text).toEqual([])
  })
})
