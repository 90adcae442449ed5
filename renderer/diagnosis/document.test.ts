import { afterEach, describe, expect, it } from 'vitest'
import { showLanguage } from '../i18n/language.ts'
import { capture } from '../report/test-input.ts'
import { shapeOf } from './curve-model.ts'
import { diagnosisHtml, withShortPaths } from './document-html.ts'
import { diagnosisMarkdown } from './markdown.ts'
import { mib, page } from './test-page.ts'
import { asSentence, confidenceText, headline, plainNumber, valueText } from './words.ts'

// The language is that of a page; Node has none.
Object.assign(globalThis, { document: { documentElement: {} } })
afterEach(() => showLanguage('en'))

const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const markdown = () => diagnosisMarkdown(page, capture, 'Made with Tidemark 1.0.')

describe('the page as Markdown', () => {
  it('tells verdict, sum, evidence, advice, stacks, error and file to who was not there', () => {
    const text = markdown()
    expect(text.split('\n')[0]).toBe('# Out of memory: run.pickle')
    for (const said of [
      '**400 MiB did not fit in one piece: 1.41 GiB were free, the largest block 54.0 MiB.**',
      'Cause: Fragmentation · Confidence: high, 95 %',
      '2,080.0 > 2,048.0 | 32.0 too much |',
      '| no block large enough | holds | No contiguous block |',
      '| 54.0 MiB (56,623,104 B) | The largest free block was 54.0 MiB |',
      'set_fraction(1.0)',
      '| keep (train.py:4) | Activation | 239 MiB | 100 % | 159 |',
      'step (/home/someone/project/train.py:9)',
      'train.log, line 12 · rank 1',
      '| expandable_segments | false |',
      capture.formatDetail,
    ])
      expect(text).toContain(said)
  })

  it('keeps a text of the program from ending its fence, and a name from ending its cell', () => {
    const text = markdown()
    expect(text).toContain('````\nTried to allocate 400.00 MiB\n``` <b>\n````')
    expect(text).toContain('step (a\\|b.py:1)')
    const [first] = page.growing
    const named = (title: string) => diagnosisMarkdown({ ...page, growing: first ? [{ ...first, title }] : [] }, undefined, '')
    expect(named('__init__ <lambda>')).toContain('| &#95;&#95;init&#95;&#95; &#60;lambda> |')
    expect(named('my_step')).toContain('| my_step |')
  })

  it('is told in the language shown', () => {
    showLanguage('zh-CN')
    expect(markdown()).toContain('# 显存不足：run.pickle')
    expect(markdown()).toContain('最大空闲块 54.0 MiB')
  })
})

describe('the page as HTML', () => {
  const options = { capture: undefined, sumSvg: '<svg/>', lead: 'lead', version: '1' }

  it('has no script and loads nothing, whatever names hold', () => {
    const text = diagnosisHtml({ ...page, name: '<script>alert(1)</script>' }, options)
    expect(text).toContain('default-src &#39;none&#39;')
    expect(text).not.toContain('<script')
    expect(text).toContain('&lt;script&gt;')
    expect(text).toContain('src="data:image/svg+xml;base64,')
  })

  it('shows the last two parts of paths where paths are to be short', () => {
    const short = withShortPaths({
      ...page,
      errorText: page.errorText && { ...page.errorText, text: 'File "/home/someone/project/train.py", line 9' },
    })
    expect(short.request?.frames).toEqual(['step (…/project/train.py:9)', 'main (run.py:1)'])
    expect(short.errorText?.text).toBe('File "…/project/train.py", line 9')
  })
})

describe('words of the page', () => {
  it('begin with the number, and say what a capture without failure held', () => {
    expect(plain(headline(page))).toBe('400 MiB did not fit in one piece: 1.41 GiB were free, the largest block 54.0 MiB')
    const healthy = { ...page, growing: [], situation: { ...page.situation, isFailure: false } }
    expect(plain(headline(healthy))).toBe('239 MiB at the peak, and no failure on record')
    expect(headline({ ...healthy, growing: page.growing })).toContain('memory grows')
    const exhausted = { ...page, situation: { ...page.situation, reason: 'exhausted' as const } }
    expect(plain(headline(exhausted))).toBe('400 MiB did not fit: 239 MiB of 2.00 GiB were in use')
  })

  it('say how sure they are', () => {
    expect([0.95, 0.6, 0.2].map((each) => plain(confidenceText(each)))).toEqual(['high, 95 %', 'medium, 60 %', 'low, 20 %'])
  })

  it('keep names of code as they are at the start of a sentence', () => {
    const of = (en: string) => asSentence({ en, 'zh-CN': en })
    expect(of('the largest')).toBe('The largest')
    expect(of('expandable_segments:True helps')).toBe('expandable_segments:True helps')
  })

  it('give numbers their unit and never more digits than they bear', () => {
    expect(plain(valueText({ value: 2 * mib, unit: 'bytes/step' }))).toBe('2.00 MiB a step')
    expect(plain(valueText({ value: 0.24, unit: 'share' }))).toBe('24 %')
    expect([1204, 0.123456, 1.8e15, 0].map(plainNumber)).toEqual(['1,204', '0.123', '1.80e+15', '0'])
  })
})

it('a curve of bytes begins at 0, one that never changes lies in the middle', () => {
  expect(
    shapeOf({
      unit: 'bytes',
      points: [
        [0, 50],
        [10, 100],
      ],
    })?.points,
  ).toBe('0.0,28.0 240.0,0.0')
  expect(
    shapeOf({
      unit: 'number',
      points: [
        [0, 5],
        [1, 5],
      ],
    })?.points,
  ).toBe('0.0,28.0 240.0,28.0')
  expect(shapeOf({ unit: 'number', points: [] })).toBeUndefined()
})
