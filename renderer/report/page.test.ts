import { afterEach, describe, expect, it } from 'vitest'
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { page as diagnosis } from '../diagnosis/test-page.ts'
import { currentLanguage, showLanguage } from '../i18n/language.ts'
import { html, sentence } from '../sheet/html.ts'
import { svgAddress } from '../sheet/svg-address.ts'
import { shortPath } from '../sheet/words.ts'
import type { ReportInput } from './input.ts'
import { reportPage } from './page.ts'
import { capture, device, facts, input, moment, stack, totals } from './test-input.ts'

// The language is that of a page; Node has none.
Object.assign(globalThis, { document: { documentElement: {} } })
afterEach(() => showLanguage('en'))

interface Tag {
  readonly name: string
  readonly attributes: readonly (readonly [name: string, value: string])[]
}

/** Every tag of a page in which no value holds an unescaped "<" or ">". */
function tagsOf(page: string): Tag[] {
  const body = page.replace(/<style>[^<]*<\/style>/, '').replace('<!doctype html>', '')
  return [...body.matchAll(/<(\/?[a-z0-9]+)((?:\s+[^<>]*)?)>/g)].map(([, name = '', rest = '']) => ({
    name,
    attributes: [...rest.matchAll(/([^\s=]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value] as const),
  }))
}

const plain = (page: string): string =>
  page
    .replace(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ')

const markup = '"><script src="http://evil.example/x.js">alert(1)</script><img src=x onerror="alert(1)">\' $1 {{bytes}} \u202egnp'
const said = { en: markup, 'zh-CN': markup }
const hostilePage: DiagnosisPage = {
  ...diagnosis,
  name: markup,
  candidates: [
    { label: 'steady_leak', confidence: 1, evidence: [{ measure: markup, value: markup, unit: 'text', text: said, place: null }] },
  ],
  request: diagnosis.request && { ...diagnosis.request, title: markup, frames: [markup] },
  errorText: { text: markup, name: markup, line: 1, rank: null, time: markup },
  advice: diagnosis.advice.map((each) => ({ ...each, text: said, code: markup })),
  needs: [said],
}
const hostile: ReportInput = {
  ...input,
  capture: {
    ...capture,
    sourceName: markup,
    formatDetail: markup,
    fingerprint: markup,
    settings: { [markup]: markup },
    findings: [{ code: markup, severity: 'warning', count: 1, firstAt: null, message: markup }],
  },
  facts: {
    ...facts,
    annotations: [{ name: markup, count: 2 }],
    failure: facts.failure && {
      ...facts.failure,

      place: markup,
      stack: { frames: [{ name: markup, filename: markup, line: 1, kind: 'own' }], leftOut: 1 },
      moment: moment(99, {
        stacks: [{ ...stack(markup, 5), place: markup }],
        space: { totals, groups: [{ pool: markup, stream: markup, segmentType: 'small', ...totals }], pins: [] },
      }),
    },
  },
  categories: [{ category: markup, title: markup, bytes: 1, count: 1, why: [markup] }],
  pictures: [{ view: 'flame', svg: `<svg><desc>${markup}</desc></svg>`, isAsInWindow: true }],
  notes: [markup],
  diagnosis: { page: hostilePage, sumSvg: `<svg><desc>${markup}</desc></svg>` },
}

describe('the page of a report', () => {
  it('takes no name from a file for markup, and holds no script, no handler and no address but its own', () => {
    const page = reportPage(hostile)
    const tags = tagsOf(page)
    expect(tags.length).toBeGreaterThan(100)
    // Every "<" of the page begins one of these tags: none is left over.
    expect(page.replace(/<style>[^<]*<\/style>/, '').match(/</g)).toHaveLength(tags.length + 1)
    for (const { name, attributes } of tags) {
      expect(['script', 'iframe', 'object', 'embed', 'link', 'base', 'form']).not.toContain(name)
      for (const [key, value] of attributes) {
        expect(key).not.toMatch(/^on/)
        if (key === 'src') expect(value).toMatch(/^data:image\/svg\+xml;base64,[\w+/=]+$/)
        if (key === 'href') expect(value).toMatch(/^#[a-z]+$/)
      }
    }
    const style = /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? ''
    expect(style).toContain('@media print')
    expect(style).not.toMatch(/url\(|@import|http/)
    expect(page).toContain('content="default-src &#39;none&#39;; img-src data:; style-src &#39;unsafe-inline&#39;"')
    expect(page).not.toContain('\u202e')
    expect(plain(page)).toContain('{{bytes}}')
  })

  it('begins with the diagnosis of a failure, whose paths are as short as the others', () => {
    const page = reportPage({ ...input, diagnosis: { page: diagnosis, sumSvg: undefined }, shortPaths: true })
    expect(/<section id="(\w+)"/.exec(page)?.[1]).toBe('diagnosis')
    expect(plain(page)).toContain('400 MiB did not fit in one piece')
    expect(page).toContain('…/project/train.py:9')
    expect(page).not.toContain('/home/someone')
  })

  it('tells a diagnosed failure once: verdict and arithmetic, what held the memory, evidence, what to try, then the pictures', () => {
    const picture = { view: 'timeline' as const, svg: '<svg></svg>', isAsInWindow: false }
    const page = reportPage({
      ...input,
      diagnosis: { page: { ...diagnosis, event: 99 }, sumSvg: '<svg></svg>' },
      pictures: [picture, { ...picture, isLastStretch: true }, { ...picture, view: 'flame' }],
    })
    const headings = [...page.matchAll(/<section id="(\w+)"/g)].map((match) => match[1])
    expect(headings.slice(0, 8)).toEqual(['diagnosis', 'notes', 'held', 'evidence', 'advice', 'request', 'time', 'flame'])
    expect(headings).not.toContain('summary')
    const text = plain(page)
    expect(text.match(/What held the memory at the failure/g)).toHaveLength(2) // in the contents, and as the heading
    expect(text).toContain('the three largest parts were made by forward')
    expect(text).not.toContain('Joined to a single block') // the arithmetic says it
    expect(text.match(/What to try/g)).toHaveLength(2)
    expect(text).toContain('The same, of the last stretch alone')
  })

  it('says in the same words, at the failure and at its request, that a request without frames is of the backward pass', () => {
    const bare = { ...diagnosis, device: 0, event: 99, request: diagnosis.request && { ...diagnosis.request, frames: [] } }
    const failure = facts.failure && { ...facts.failure, title: '' }
    const text = plain(reportPage({ ...input, facts: { ...facts, failure }, diagnosis: { page: bare, sumSvg: undefined } }))
    expect(text.split('so asks the backward pass, whose threads run no Python.').length - 1).toBe(2)
    expect(text).not.toContain('none were recorded')
  })

  it('tells of the peak only where it was higher than the failure by a hundredth', () => {
    const withPeak = (allocatedBytes: number) => plain(reportPage({ ...input, facts: { ...facts, peak: moment(70, { allocatedBytes }) } }))
    expect(withPeak(80 * 2 ** 20 + 122 * 1024)).not.toContain('The peak is another moment')
    expect(withPeak(90 * 2 ** 20)).toContain('The peak is another moment')
  })

  it('has the numbers of the arithmetic in the text of its picture, and their table folded under it', () => {
    const page = reportPage({ ...input, diagnosis: { page: { ...diagnosis, event: 99 }, sumSvg: '<svg></svg>' } })
    expect(plain(/alt="(The arithmetic[^"]*)"/.exec(page)?.[1] ?? '')).toContain('largest free block: 54.0 &lt; 400.0, 346.0 short')
    expect(page).toMatch(/<details><summary>[^<]+<\/summary><div class="scroll"><table>/)
    expect(page.match(/346\.0 short/g)).toHaveLength(2)
  })

  it('is the same, byte for byte, for the same input', () => {
    expect(reportPage(input)).toBe(reportPage(structuredClone(input)))
    expect(reportPage(input)).toContain('2026-11-30 00:00 UTC')
  })

  it('says what was asked for in vain, what was free, and that one block of it all would have held it', () => {
    const text = plain(reportPage(input))
    expect(text).toContain(
      'at event 99, backward loss.py:3 asked for 16.0 MiB, and the allocator could not give it. That is the last event of the file.',
    )
    expect(text).toContain(
      '20.0 MiB was reserved but free, in 4 blocks; the largest was 12.0 MiB. Joined to a single block, that free memory would have been enough',
    )
    expect(text).toContain('the three largest parts were made by forward model.py:7 (50.0 MiB, 62.5 %), attention')
  })

  it('says how much was missing where all free memory together is less than the request', () => {
    const failure = facts.failure && { ...facts.failure, sizeBytes: 30 * 2 ** 20 }
    const text = plain(reportPage({ ...input, facts: { ...facts, failure } }))
    expect(text).toContain('Even joined to a single block, that free memory would have been 10.0 MiB too small')
    expect(text).not.toContain('Joined to a single block, that free memory would have been enough')
  })

  it('counts only the free memory that the request may take', () => {
    const none = { count: 0, bytes: 0, largestBytes: 0, largestAddress: null, fittingCount: 0 }
    const free = { ...none, count: 1, bytes: 2 ** 20, largestBytes: 2 ** 20 }
    const fit = {
      ...{
        requested: 16 * 2 ** 20,
        rounded: 16 * 2 ** 20,
        segmentBytes: 20 * 2 ** 20,
        stream: '0',
        pool: '(0,0)',
        fits: false,
        block: null,
      },
      ...{ segmentType: 'large' as const, fittingCount: 0, free, oversize: none, otherStreams: none, otherPools: none, otherClass: none },
      ...{ pending: none, returnableBytes: 0, reservedBytes: 100 * 2 ** 20, deviceFreeBytes: 4 * 2 ** 20 },
    }
    const text = plain(reportPage({ ...input, facts: { ...facts, failure: facts.failure && { ...facts.failure, fit } } }))
    expect(text).toContain('But only 1.00 MiB of it lies in the request&#39;s own stream, pool and size class')
    expect(text).toContain('The device itself reported 4.00 MiB free, less than the 20.0 MiB that PyTorch would have had to reserve')
  })

  it('has every heading in its contents, and leaves out what the capture does not have', () => {
    const headings = (page: string) => [...page.matchAll(/<section id="(\w+)"/g)].map((match) => match[1])
    const links = (page: string) => [...page.matchAll(/href="#(\w+)"/g)].map((match) => match[1])
    const whole = reportPage(input)
    expect(headings(whole)).toEqual(['summary', 'notes', 'time', 'held', 'space', 'lives', 'findings', 'settings', 'method', 'glossary'])
    expect(links(whole)).toEqual(headings(whole))
    const trace = { processCount: 1, trackCount: 1, sliceCount: 9, instantCount: 0, seriesCount: 0 }
    const without = { ...input, notes: [], pictures: [], capture: { ...capture, kind: 'chrome_trace' as const, trace, hasBlocks: false } }
    expect(headings(reportPage({ ...without, device: undefined, facts: undefined }))).toEqual(['summary', 'findings', 'method', 'glossary'])
  })

  it('shows categories only where they are known', () => {
    expect(plain(reportPage(input))).not.toContain('By category')
    const categories = [
      { category: 'activation', title: 'Activations', bytes: 60 * 2 ** 20, count: 9, why: ['made in forward'] },
      { category: 'input', title: 'Inputs', bytes: 0, count: 0, why: [] },
    ]
    const text = plain(reportPage({ ...input, categories }))
    expect(text).toMatch(/By category.*Activations ?60\.0 MiB ?75\.0 % ?9 ?made in forward/)
    expect(text).not.toContain('Inputs')
  })

  it('says plainly that no category is known, and why, instead of a table', () => {
    const unknown = { category: 'unknown', title: 'Unknown', bytes: 80 * 2 ** 20, count: 40, why: [] }
    const pageOf = (noStackCount: number) => plain(reportPage({ ...input, device: { ...device, noStackCount }, categories: [unknown] }))
    expect(pageOf(40)).toMatch(/By category, when memory ran out \(event 99\) ?Not known: the file has no stacks/)
    expect(pageOf(39)).toMatch(/By category, when memory ran out \(event 99\) ?Not known: no rule matched/)
    expect(pageOf(40)).not.toContain('Unknown')
  })

  it('gives the size of the file in the units of everything else', () => {
    const text = plain(reportPage({ ...input, capture: { ...capture, sourceBytes: 345_000_000 } }))
    expect(text).toMatch(/Size of the file ?329 MiB/)
  })

  it('cuts paths to their last two parts unless they are asked for', () => {
    expect(reportPage(input)).not.toContain('somebody')
    expect(plain(reportPage(input))).toContain('…/project/train.py:12')
    expect(reportPage({ ...input, shortPaths: false })).toContain('/home/somebody/secret/project/train.py:12')
    expect(shortPath('C:\\Users\\me\\run\\train.py')).toBe('…/run/train.py')
    expect(shortPath('train.py')).toBe('train.py')
  })

  it('speaks the language shown, all of it', () => {
    showLanguage('zh-CN')
    expect(currentLanguage()).toBe('zh-CN')
    const page = reportPage(input)
    expect(page).toContain('<html lang="zh-CN">')
    expect(plain(page)).toContain('程序显存不足 (OOM)：在事件 99')
    expect(plain(page)).not.toMatch(/\b(?:the|was|were|of)\b/)
  })
})

describe('markup as a value', () => {
  it('escapes text and keeps markup', () => {
    expect(html`<p title="${'"'}">${['<b>', html`<i>${1}</i>`]}${null}</p>`.text).toBe('<p title="&quot;">&lt;b&gt;<i>1</i></p>')
  })

  it('puts values into a sentence without reading them', () => {
    const said = sentence(({ a, b }) => `${b} & ${a}`, { a: html`<b>1</b>`, b: '\ue0000\ue001<' })
    expect(said.text).toBe('\ue0000\ue001&lt; &amp; <b>1</b>')
  })

  it('carries an SVG with any character', () => {
    const address = svgAddress('<svg>é显</svg>')
    const binary = atob(address.split(',')[1] ?? '')
    expect(new TextDecoder().decode(Uint8Array.from(binary, (each) => each.charCodeAt(0)))).toBe('<svg>é显</svg>')
  })
})
