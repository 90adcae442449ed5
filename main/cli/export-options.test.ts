import { describe, expect, test } from 'vitest'
import { viewIdSchema } from '../../preload/contract/shell.ts'
import { parseExport } from './export-options.ts'
import { usageText } from './usage.ts'

const parse = (...words: string[]) => parseExport(['a.pickle', '--view', 'timeline', '-o', 'out.png', ...words])

describe('the options of export', () => {
  test('have defaults: the whole capture, 1600 × 900, light', () => {
    expect(parse()).toMatchObject({
      format: 'png',
      width: 1600,
      height: 900,
      theme: 'light',
      device: null,
      at: null,
      axis: null,
      range: null,
    })
  })

  test('read a plain range as events and one with units as nanoseconds', () => {
    expect(parse('--range', '100:2000')).toMatchObject({ range: [100, 2000], axis: 'event' })
    expect(parse('--range', '1.5ms:2s')).toMatchObject({ range: [1.5e6, 2e9], axis: 'time' })
    expect(parse('--range', '0us:7µs')).toMatchObject({ range: [0, 7000], axis: 'time' })
    expect(() => parse('--range', '1:2', '--axis', 'time')).toThrow('--range and --axis differ')
  })

  test('read where the cursor is', () => {
    expect(['peak', 'oom', 'end', 'event:12', 'time:3ms', 'time:40'].map((at) => parse('--at', at).at)).toEqual([
      'peak',
      'oom',
      'end',
      { event: 12 },
      { timeNs: 3e6 },
      { timeNs: 40 },
    ])
    for (const at of ['event:1.5', 'event:-2', 'time:', 'event:1x']) expect(() => parse('--at', at)).toThrow('--at')
  })

  test('take the format from the name of OUT, whatever its case', () => {
    expect(parseExport(['a', '--view', 'timeline', '-o', 'X.SVG']).format).toBe('svg')
    expect(() => parseExport(['a', '--view', 'timeline', '-o', 'x'])).toThrow('extension of OUT')
  })

  test('that a view does not take are refused, and so are those of pictures for a table', () => {
    const of =
      (view: string, out: string, ...words: string[]) =>
      () =>
        parseExport(['a', '--view', view, '-o', out, ...words])
    expect(of('fragmentation', 'x.png', '--color-by', 'age')).toThrow('--view fragmentation takes no --color-by')
    expect(of('lifetimes', 'x.png', '--color-by', 'age')).toThrow('--color-by is one of stack, category')
    expect(of('flame', 'x.png', '--color-by', 'category')()).toMatchObject({ colorBy: 'category' })
    expect(of('flame', 'x.folded', '--color-by', 'category')).toThrow('a profile takes no --color-by')
    for (const words of [
      ['--range', '1:5'],
      ['--axis', 'time'],
    ])
      expect(of('blocks', 'x.svg', ...words)).toThrow(`--view blocks takes no ${words[0]}`)
    expect(of('flame', 'x.png', '--axis', 'time')).toThrow('--view flame takes no --axis')
    expect(of('blocks', 'x.png', '--color-by', 'age')()).toMatchObject({ colorBy: 'age' })
    expect(of('timeline', 'x.png', '--color-by', 'age', '--range', '1:5')()).toMatchObject({ colorBy: 'age', range: [1, 5] })
    expect(of('fragmentation', 'x.png', '--range', '1:5')()).toMatchObject({ range: [1, 5] })
    expect(of('timeline', 'x.csv', '--range', '1:5')).toThrow('the CSV of timeline takes no --range')
    expect(of('lifetimes', 'x.csv', '--at', 'peak')).toThrow('takes no --at')
  })

  const flame = (out: string, ...words: string[]) => parseExport(['a', '--view', 'flame', '-o', out, ...words])

  test('of a flame graph choose what it weighs, from which end, in which order and which way up', () => {
    expect(flame('x.svg').flame).toEqual({
      weight: 'alive',
      unit: 'bytes',
      order: 'size',
      root: 'callees',
      direction: 'icicle',
      isPlain: true,
    })
    const words = ['--weight', 'growth', '--unit', 'count', '--order', 'time', '--root', 'bottom-up']
    expect(flame('x.svg', ...words, '--direction', 'flame', '--range', '1ms:2ms')).toMatchObject({
      flame: { weight: 'growth', unit: 'count', order: 'time', root: 'callers', direction: 'flame', isPlain: false },
      range: [1e6, 2e6],
      axis: 'time',
    })
    for (const out of ['x.csv', 'x.folded']) {
      expect(flame(out, ...words).flame).toMatchObject({ weight: 'growth', root: 'callers' })
      expect(() => flame(out, '--direction', 'flame')).toThrow('takes no --direction')
    }
  })

  test('of a flame graph that make no sense together are refused with the reason', () => {
    expect(() => flame('x.png', '--range', '1:5')).toThrow('--range goes with --weight allocated, growth, diff, area')
    expect(() => flame('x.png', '--weight', 'alive', '--range', '1:5')).toThrow('--range goes with')
    expect(() => flame('x.csv', '--weight', 'area', '--at', 'peak')).toThrow('--weight area is of a --range and takes no --at')
    expect(() => flame('x.png', '--weight', 'diff', '--color-by', 'category')).toThrow('takes no --color-by')
    expect(() => flame('x.png', '--weight', 'peak')).toThrow('--weight is one of alive, allocated, growth, diff, area')
    expect(() => parse('--unit', 'count')).toThrow('--view timeline takes no --unit')
  })

  test('hold a filter, whose first mistake is marked in the text and told', () => {
    expect(parse('--filter', 'size>1MiB stack:attention').filter).toBe('size>1MiB stack:attention')
    expect(parse('--filter', 'stream:7').filter, 'only the capture can tell').toBe('stream:7')
    expect(() => parse('--filter', 'is:large sise>1MiB')).toThrow('--filter: is:large »sise>1MiB« (from character 10): the term is no term')
    expect(() => parse('--filter', 'size>much')).toThrow('right would be size>10MiB')
    expect(() => parse('--filter', '"open')).toThrow('lacks the quote at its end')
    expect(() => parse('--filter', '0x7f00_0000')).toThrow('write address:0x7f000000')
    expect(() => parseExport(['a', '--view', 'fragmentation', '-o', 'x.png', '--filter', 'is:large'])).toThrow('takes no --filter')
    expect(() => parseExport(['a', '--view', 'trace', '-o', 'x.csv', '--filter', 'is:large'])).toThrow('takes no --filter')
  })

  test('name the view, one that there is', () => {
    expect(parseExport(['a', '--view', 'blocks', '-o', 'x.png']).view).toBe('blocks')
    expect(() => parseExport(['a', '-o', 'x.png'])).toThrow('--view is one of timeline, lifetimes, blocks, fragmentation')
    expect(() => parseExport(['a', '--view', 'stacks', '-o', 'x.png'])).toThrow('--view')
  })

  test('refuse a side of no pixels or too many', () => {
    expect(parse('--size', '16384x64')).toMatchObject({ width: 16384, height: 64 })
    for (const size of ['0x100', '100', '16385x100', '100x-5']) expect(() => parse('--size', size)).toThrow('--size')
  })
})

describe('the help of export', () => {
  test.each(viewIdSchema.exclude(['sql', 'diagnosis']).options)('names the view %s with the options that its picture takes', (view) => {
    const line = new RegExp(`^  ${view} .*(?:\n {10}.*)*`, 'm').exec(usageText)?.[0] ?? ''
    const ofFlame = { '--weight': 'alive', '--unit': 'count', '--order': 'time', '--direction': 'flame', '--root': 'bottom-up' }
    const words = { '--range': '1ms:2ms', '--axis': 'time', '--color-by': 'category', '--filter': 'is:large', ...ofFlame }
    const taken = Object.entries(words).filter(([option, value]) => {
      try {
        // A range is taken by some weights only.
        const weight = view === 'flame' && option === '--range' ? ['--weight', 'area'] : []
        return parseExport(['a', '--view', view, '-o', 'x.png', option, value, ...weight]).view === view
      } catch {
        return false
      }
    })
    expect(line.match(/--[a-z]+(?:-by)?/g)?.filter((each) => each !== '--at') ?? []).toEqual(taken.map(([option]) => option))
    expect(line).not.toBe('')
  })

  test('name the commands that write what export does not', () => {
    expect(() => parseExport(['a.pickle', '--view', 'diagnosis', '-o', 'x.svg'])).toThrow(/tidemark report .*tidemark diagnose/)
    expect(() => parseExport(['a.pickle', '--view', 'sql', '-o', 'x.csv'])).toThrow(/tidemark query/)
  })

  test('tell a profile for another tool by the end of its name, of the flame graph only', () => {
    const of = (view: string, out: string) => parseExport(['a.pickle', '--view', view, '-o', out]).format
    expect(['x.folded', 'x.d3.json', 'x.speedscope.json', 'x.PB.GZ', 'x.svg'].map((out) => of('flame', out))).toEqual([
      'folded',
      'd3',
      'speedscope',
      'pprof',
      'svg',
    ])
    expect(() => of('timeline', 'x.folded')).toThrow('only --view flame is written as .folded')
    expect(() => of('flame', 'x.json')).toThrow('the extension of OUT')
  })
})
