import { afterEach, describe, expect, it } from 'vitest'
import type { DiagnosisPage, DiagnosisSituation } from '../../preload/contract/diagnosis.ts'
import { showLanguage } from '../i18n/language.ts'
import { capture } from '../report/test-input.ts'
import { shapeOf } from './curve-model.ts'
import { diagnosisHtml, withShortPaths } from './document-html.ts'
import { diagnosisMarkdown } from './markdown.ts'
import { mib, page } from './test-page.ts'
import { asSentence, confidenceText, explanation, headline, plainNumber, sufficiencyText, valueText } from './words.ts'

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
      '**Backward pass: capped at 2.00 GiB although the device had 4.00 GiB free, 400 MiB did not fit in one piece: 1.41 GiB were free, the largest block 54.0 MiB.**',
      'Cause: Fragmentation · Confidence: high, 95 %',
      '2,080.0 > 2,048.0 | 32.0 too much |',
      '| Was enough free, but in pieces? | yes | No contiguous block |',
      '| Did memory outside PyTorch cause it? | unknown | Not known |',
      '| 54.0 MiB (56,623,104 B) | The largest free block was 54.0 MiB |',
      'set_fraction(1.0)',
      '| keep (train.py:4) | Activation | 239 MiB | 100 % | 159 |',
      'step (/home/someone/project/train.py:9)',
      'train.log, line 12 · rank 1',
      '| expandable_segments | false |',
      'of what was made then and is still held, most is by keep (train.py:4): 150 MiB (what was given back meanwhile is not taken off).',
      'Also recorded, with last values: time_s 12.9',
      'The last step noted before the failure is step 2: batch 4 · sequence length 512. What the failing step had is not noted.',
      '| GPU and PyTorch version | not recorded in a snapshot; see the metrics or the log of the run |',
      'confidences do not add up to 100 %',
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

  it('says of a request without frames that the backward pass made it, where that is so', () => {
    const bare = { ...page, request: page.request && { ...page.request, frames: [] } }
    expect(diagnosisMarkdown(bare, undefined, '')).toContain('so asks the backward pass, whose threads run no Python.')
    expect(diagnosisMarkdown({ ...bare, work: { step: null, stepNumber: null, phase: null } }, undefined, '')).toContain(
      'The call stack of the request was not recorded',
    )
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
  const withSituation = (
    change: Partial<DiagnosisSituation>,
    work: DiagnosisPage['work'] = { step: null, stepNumber: null, phase: null },
  ) => ({
    ...page,
    work,
    situation: { ...page.situation, facts: [], ...change },
  })

  it('say what did not fit, and what a capture without failure held', () => {
    expect(plain(headline(withSituation({})))).toBe('400 MiB did not fit in one piece: 1.41 GiB were free, the largest block 54.0 MiB')
    const healthy = { ...page, growing: [], situation: { ...page.situation, isFailure: false } }
    expect(plain(headline(healthy))).toBe('239 MiB at the peak, and no failure on record')
    expect(headline({ ...healthy, growing: page.growing })).toContain('memory grows')
    expect(plain(headline(withSituation({ reason: 'exhausted' })))).toBe('400 MiB did not fit: 239 MiB of 2.00 GiB were allocated')
  })

  const isCapped: DiagnosisSituation['facts'] = [{ code: 'cap_below_device', holds: true, text: { en: '', 'zh-CN': '' } }]
  const bracket = { isLimitKnown: false, allowedBytes: null, limitAtLeastBytes: 4042 * mib, limitBelowBytes: 4784 * mib }

  it('begin with step and phase, and with the cap where the device had room', () => {
    const change = { ...bracket, reason: 'exhausted', deviceFreeBytes: 2 ** 40, facts: isCapped } as const
    expect(plain(headline(withSituation(change, { step: 7, stepNumber: 6, phase: 'backward' })))).toBe(
      'Step 6, backward pass: capped at 3.95–4.67 GiB although the device had 1.00 TiB free, 400 MiB did not fit: 239 MiB were allocated, 1.41 GiB more were reserved, but of no use for it, and a new segment of 400 MiB was refused',
    )
    // A device that was full itself is not said to have had room.
    expect(plain(headline(withSituation({ ...change, deviceFreeBytes: mib })))).toBe(
      '400 MiB did not fit: 239 MiB were allocated, 1.41 GiB more were reserved, but of no use for it, and a new segment of 400 MiB was refused',
    )
    // What is as much as was refused needs no more words.
    const beyond = { ...change, allocatedBytes: 4500 * mib }
    expect(plain(headline(withSituation(beyond)))).toContain('400 MiB did not fit beside the 4.39 GiB allocated')
    expect(plain(headline(withSituation({ ...change, allocatedBytes: 1680 * mib })))).toContain(
      'all 1.64 GiB that were reserved were allocated',
    )
  })

  it('say that a new segment was refused where enough was there but for it, or where the limit leaves it open', () => {
    for (const reason of ['segment_refused', 'unknown'] as const)
      expect(plain(headline(withSituation({ reason })))).toContain(
        '1.41 GiB more were reserved, but of no use for it, and a new segment of 400 MiB was refused',
      )
  })

  it('number a step as the metrics do, and else say which it is', () => {
    expect(headline(withSituation({}, { step: 8, stepNumber: 7, phase: null }))).toMatch(/^Step 7: /)
    expect(headline(withSituation({}, { step: 22, stepNumber: null, phase: null }))).toMatch(/^22nd step: /)
    expect(headline(withSituation({}, { step: 8, stepNumber: null, phase: 'backward' }))).toMatch(/^8th step, backward pass: /)
  })

  it('tell what was needed and what was free, what the loss held, and that nothing leaked', () => {
    const text = (change: Partial<DiagnosisPage>) => plain(explanation({ ...page, candidates: [], ...change }))
    expect(text({})).toContain('It needed one free block of 400 MiB, or room to reserve 400 MiB more.')
    expect(text({})).toContain('1.41 GiB in all, which is enough, but the largest block was 54.0 MiB, 346 MiB too small.')
    expect(text(withSituation({ freeBytes: 100 * mib }))).toContain('100 MiB in all, 300 MiB too little; the largest block was 54.0 MiB.')
    expect(text(withSituation({ freeBytes: 54 * mib }))).toContain('Free for it were 54.0 MiB in all, 346 MiB too little.')
    expect(text(withSituation({ freeBytes: 0, largestFreeBytes: 0 }))).toContain('Nothing that was free could be used for it.')
    expect(text(withSituation({ largestFreeBytes: null }))).toContain('which is enough, but not in one block.')
    expect(text(withSituation({ largestFreeBytes: 500 * mib }))).toContain('a block of 500 MiB was large enough, but not used')
    expect(text({ held: page.held && { ...page.held, lossBytes: 100 * mib } })).toContain('their gradients held 100 MiB, 42 % of what was')
    expect(text({})).not.toContain('No leak')
    expect(text({ growing: [] })).toContain('No leak was found')
    expect(text({ growing: [], isGrowthSought: false })).not.toContain('No leak')
    expect(text({ growing: [], candidates: [{ label: 'steady_leak', confidence: 0.6, evidence: [] }] })).not.toContain('No leak')
  })

  it('say of each advice whether it alone would do', () => {
    const [, cap] = page.advice
    if (!cap) throw new Error('no advice')
    const of = (isEnough: boolean | null, neededAfterBytes: number | null, change: Partial<DiagnosisSituation> = bracket) =>
      plain(sufficiencyText({ ...cap, avoidsFailure: null, isEnough, neededAfterBytes }, withSituation(change).situation) ?? '')
    expect(of(true, null)).toBe('This request would then have fitted.')
    expect(of(null, null)).toBe('')
    expect(of(true, 2048 * mib)).toBe(
      'Enough alone, unless what is free is in pieces: 2.00 GiB would then be held and asked for, where 3.95–4.67 GiB could be reserved.',
    )
    expect(of(null, 4300 * mib)).toContain('May or may not be enough alone: 4.20 GiB')
    // An upper bound is never called enough.
    const most = { ...cap, avoidsFailure: null, isEnough: null, neededAfterBytes: 600 * mib, basis: 'most' } as const
    expect(plain(sufficiencyText(most, withSituation(bracket).situation) ?? '')).toContain(
      'May be enough alone: at the most, 600 MiB would',
    )
    const full = { allowedBytes: null, deviceFreeBytes: 20 * mib, limitBytes: 9000 * mib }
    expect(of(false, 5000 * mib, full)).toBe(
      'Not enough alone: 4.88 GiB would then be held and asked for, where 1.66 GiB could be reserved.',
    )
    // 238.5 are held and 400 asked for: less than both, with nothing gained, is a smaller request.
    expect(of(true, 500 * mib)).toContain('The request is smaller then too.')
    // The simulation says it in words of its own.
    expect(sufficiencyText(cap, page.situation)).toBeNull()
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
    expect(valueText({ value: 1, unit: 'correlation' })).toBe('1.00')
    expect([1204, 0.123456, 1.8e15, 0].map(plainNumber)).toEqual(['1,204', '0.123', '1.80e+15', '0'])
  })
})

describe('what is saved', () => {
  const told = (text: string): DiagnosisPage => ({
    ...page,
    errorText: { text, name: 'train.log', line: 1, rank: null, time: null },
    metrics: page.metrics && { ...page.metrics, others: [{ field: 'log_dir', value: '/home/someone/project/runs/a' }] },
  })

  it('tells nobody’s folders: paths are cut in frames, tracebacks, warnings and notes, and addresses are left', () => {
    const text =
      'File "/home/someone/project/train.py", line 9\n/home/someone/lib/warn.py:3: UserWarning\nsee https://pytorch.org/docs/stable/notes/cuda.html'
    const short = withShortPaths(told(text))
    const saved = diagnosisMarkdown(short, undefined, '')
    expect(saved).not.toContain('someone')
    expect(saved).toContain('File "…/project/train.py"')
    expect(saved).toContain('…/lib/warn.py:3: UserWarning')
    expect(saved).toContain('https://pytorch.org/docs/stable/notes/cuda.html')
  })

  it('names the files it was made from, and says why PyTorch’s message has another size', () => {
    const { situation } = page
    const saved = plain(diagnosisMarkdown({ ...page, situation: { ...situation, segmentBytes: 402 * mib } }, undefined, ''))
    expect(saved).toContain('train.log: text of this failure')
    expect(saved).toContain(
      'In PyTorch’s own message this request reads as 402 MiB: not what the program asked for, 400 MiB, but the segment',
    )
    expect(diagnosisMarkdown(page, undefined, '')).not.toContain('own message')
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
