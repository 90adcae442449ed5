import { describe, expect, it } from 'vitest'
import { type FilterContext, type FilterTerms, parseFilter } from './filter-language.ts'

const context: FilterContext = { streams: ['0', '94', '-1'], pools: ['(0, 0)', '(0, 1)'], hasTimes: true, hasFailures: true }

/** The terms of a text that asks something, without what it does not ask. */
function termsOf(text: string, of: FilterContext = context): Partial<FilterTerms> {
  const parsed = parseFilter(text, of)
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error.code}`)
  return Object.fromEntries(
    Object.entries(parsed.terms).filter(([, value]) => JSON.stringify(value) !== '{}' && JSON.stringify(value) !== '[]'),
  )
}
const errorOf = (text: string, of: FilterContext = context) => {
  const parsed = parseFilter(text, of)
  return parsed.ok ? undefined : parsed.error
}

describe('the filter language', () => {
  it.each<[string, Partial<FilterTerms>]>([
    ['size>10MiB', { size: { min: 10 * 2 ** 20 + 1 } }],
    ['size >= 1.5 KiB', { size: { min: 1536 } }],
    ['size<1kB', { size: { max: 999 } }],
    ['size:<=2MB requested:512', { size: { max: 2e6 }, requested: { min: 512, max: 512 } }],
    ['size:1MiB..2MiB', { size: { min: 2 ** 20, max: 2 ** 21 } }],
    ['size:..4 KiB', { size: { max: 4096 } }],
    ['size>1K size>=4K size<9K', { size: { min: 4096, max: 9 * 1024 - 1 } }],
    ['-size>10B', { size: { max: 10 } }],
    ['4 MiB', { size: { min: 2 ** 22 } }],
    ['≤ 4MiB', { size: { max: 2 ** 22 } }],
    ['life>40', { life: { min: 41 } }],
    ['life<1.5ms', { lifeNs: { max: 1_499_999 } }],
    ['life:2µs..3us', { lifeNs: { min: 2000, max: 3000 } }],
    [
      'made>=100 made<200',
      {
        made: [
          { from: { moment: { unit: 'events', value: 100 }, isInside: true } },
          { to: { moment: { unit: 'events', value: 200 }, isInside: false } },
        ],
      },
    ],
    ['-made>5ms', { made: [{ to: { moment: { unit: 'ns', value: 5e6 }, isInside: true } }] }],
    ['made>peak', { made: [{ from: { moment: { unit: 'named', value: 'peak' }, isInside: false } }] }],
    ['freed:peak..', { freed: [{ from: { moment: { unit: 'named', value: 'peak' }, isInside: true } }] }],
    [
      'alive_at:peak alive_at:2_480 ALIVE_AT:1.5 s',
      {
        aliveAt: [
          { unit: 'named', value: 'peak' },
          { unit: 'events', value: 2480 },
          { unit: 'ns', value: 1.5e9 },
        ],
      },
    ],
    [
      'stack:attention "two words" linear.py -stack:"a \\"b\\""',
      { stacks: ['attention', 'two words', 'linear.py'], withoutStacks: ['a "b"'] },
    ],
    ['at::native::foo vector<int> !warm', { stacks: ['at::native::foo', 'vector<int>'], withoutStacks: ['warm'] }],
    ['134 foo-bar', { stacks: ['134', 'foo-bar'] }],
    ['address:0x7F00_0000', { addresses: [{ from: '0x7f000000', to: '0x7f000001' }] }],
    [
      '0x10 address:0x20..0x2f',
      {
        addresses: [
          { from: '0x10', to: '0x11' },
          { from: '0x20', to: '0x30' },
        ],
      },
    ],
    ['stream:94,default', { streams: [['94', '0']] }],
    ['stream:0xffffffffffffffff', { streams: [['-1']] }],
    ['-stream:0', { streams: [['94', '-1']] }],
    ['pool:(0,1)', { pools: [['(0, 1)']] }],
    ['pool:"default,(0, 1)"', { pools: [['(0, 0)', '(0, 1)']] }],
    ['category:activation,KV_CACHE -category:input', { categories: [['activation', 'kv_cache']], withoutCategories: ['input'] }],
    [
      'is:short_lived -is:large is:temporary',
      {
        traits: [
          { trait: 'short_lived', isNegated: false },
          { trait: 'large', isNegated: true },
          { trait: 'short_lived', isNegated: false }, // as it was called once
        ],
      },
    ],
  ])('%s', (text, terms) => expect(termsOf(text)).toEqual(terms))

  it('asks nothing when it is blank', () => expect(termsOf('  ')).toEqual({}))

  it.each([
    ['size>10MiB sise>1', 'unknownTerm', 11, 17],
    ['color:red', 'unknownTerm', 0, 9],
    ['size>many', 'badValue', 0, 9],
    ['size:many', 'badValue', 0, 9],
    ['size:', 'badValue', 0, 5],
    ['life:1..2ms', 'badValue', 0, 11],
    ['life:0.5', 'badValue', 0, 8],
    ['alive_at>5', 'badValue', 0, 10],
    ['alive_at:noon', 'badValue', 0, 13],
    ['is:blue', 'badValue', 0, 7],
    ['category:blue', 'badValue', 0, 13],
    ['address:12', 'badValue', 0, 10],
    ['stream:7', 'notThere', 0, 8],
    ['pool:(7,7)', 'notThere', 0, 10],
    ['-life>5', 'noNegation', 0, 7],
    ['-is:short_lived', 'noNegation', 0, 15],
    ['-size:1..2', 'noNegation', 0, 10],
    ['x "open', 'openQuote', 2, 7],
  ])('%s is wrong: %s at %i to %i', (text, code, at, end) =>
    expect(errorOf(text)).toMatchObject({ code, at, end, term: text.slice(at, end) }),
  )

  it('says which streams there are', () => expect(errorOf('stream:7')?.known).toEqual(['0', '94', '-1']))
  it('knows that a capture has no times and no failures', () => {
    const without = { ...context, hasTimes: false, hasFailures: false }
    expect(['made>1ms', 'life<3s', 'alive_at:1ms', 'alive_at:oom', 'freed>oom'].map((text) => errorOf(text, without)?.code)).toEqual([
      'noTimes',
      'noTimes',
      'noTimes',
      'notThere',
      'notThere',
    ])
  })
})
