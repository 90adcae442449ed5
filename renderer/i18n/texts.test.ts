// Languages say the same things, nothing is missing and nothing is left over.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { labelText } from '../../main/engine/diagnosis/words/labels.ts'
import { commands } from '../../preload/contract/commands.ts'
import { verdictLabelSchema } from '../../preload/contract/diagnosis.ts'
import { errorCodes } from '../../preload/contract/errors.ts'
import { chinese, english, translate } from './language.ts'
import { failureText, findingText } from './texts.ts'

type Tree = { readonly [key: string]: string | Tree }

function leaves(tree: Tree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) => {
    const path = prefix === '' ? key : `${prefix}.${key}`
    return typeof value === 'string' ? [[path, value] satisfies [string, string]] : leaves(value, path)
  })
}

const withoutPlural = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '')
const keys = (tree: Tree) => [...new Set(leaves(tree).map(([key]) => withoutPlural(key)))].sort()
const placeholders = (text: string) => [...new Set(text.match(/\{\{\s*\w+/g) ?? [])].sort()

const root = join(import.meta.dirname, '..')
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n')

describe.each(Object.keys(english) as (keyof typeof english)[])('%s', (namespace) => {
  const en: Tree = english[namespace]
  const zh: Tree = chinese[namespace]

  it('has the same keys in every language', () => expect(keys(zh)).toEqual(keys(en)))

  it('uses the same placeholders and has no empty text', () => {
    const chineseTexts = new Map(leaves(zh).map(([key, text]) => [withoutPlural(key), text]))
    for (const [key, text] of leaves(en)) {
      const other = chineseTexts.get(withoutPlural(key)) ?? ''
      expect(text.trim(), key).not.toBe('')
      expect(other.trim(), key).not.toBe('')
      // English singulars may spell the number out; the Chinese text then has one placeholder more.
      if (!key.endsWith('_one')) expect(placeholders(other), key).toEqual(placeholders(text))
    }
  })

  it('writes no noun in the plural that may be one: the number chooses the form', () => {
    const several = /_(one|other)$|^(steps|spans)Joined$/ // joined are two and more
    const fixed = leaves(en).filter(([key, text]) => !several.test(key) && /^\{\{formatted\}\}\s(?:more )?[a-z]+s\b/.test(text))
    expect(fixed.map(([key]) => key)).toEqual([])
  })

  it('has the plural forms that each language needs', () => {
    const one = leaves(en).filter(([key]) => key.endsWith('_one'))
    for (const [key] of one) expect(leaves(en).map(([each]) => each)).toContain(key.replace(/_one$/, '_other'))
    expect(leaves(zh).filter(([key]) => /_(zero|one|two|few|many)$/.test(key))).toEqual([])
  })
})

describe('unused texts', () => {
  // A key counts as used when it stands in a source, or a template there makes it (its last part chosen at run time).
  const isUsed = (key: string) => {
    if (sources.includes(`'${key}'`) || sources.includes(`:${key}'`)) return true
    const parts = key.split('.')
    return parts.some((_, at) => {
      const head = parts.slice(0, at + 1).join('.')
      return sources.includes(`\`${head}.\${`) || sources.includes(`:${head}.\${`) || sources.includes(`'${head}.'`)
    })
  }
  const byCode: readonly string[] = ['errors', 'findings']
  const parts = (Object.keys(english) as (keyof typeof english)[]).filter((part) => !byCode.includes(part))
  it.each(parts)('%s has none', (namespace) => expect(keys(english[namespace]).filter((key) => !isUsed(key))).toEqual([]))
})

describe('codes', () => {
  const readme = readFileSync(join(root, '..', 'native', 'README.md'), 'utf8')
  const traces = readFileSync(join(root, '..', 'native', 'TRACES.md'), 'utf8')
  const codesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')
  const findingCodes = [
    ...codesIn(readme.split('Findings:')[1] ?? '', /`((?:snapshot|replay|profile)\/\w+)`/g),
    ...codesIn(traces.split('## Findings')[1]?.split('\nErrors:')[0] ?? '', /`(trace\/\w+)`/g),
  ]

  it.each(errorCodes)('%s has title, cause and next step', (code) => {
    for (const text of Object.values(failureText({ code, message: '' }))) expect(text).not.toContain('/')
  })

  it('covers every finding that the reader can report', () => {
    expect(findingCodes.length).toBeGreaterThan(15)
    expect(Object.keys(english.findings).sort()).toEqual([...findingCodes].sort())
  })

  it('falls back to the message of a finding that it does not know', () => {
    expect(findingText({ code: 'snapshot/new', message: 'what happened' })).toEqual({
      title: 'snapshot/new',
      cause: 'what happened',
      next: '',
    })
  })

  it('has no error text without a code', () => expect(Object.keys(english.errors).sort()).toEqual([...errorCodes].sort()))
})

describe('Chinese terms', () => {
  const words = join(root, '..', 'main', 'engine', 'diagnosis', 'words')
  const engine = readdirSync(words).map((name) => readFileSync(join(words, name), 'utf8'))
  const texts = [...Object.values(chinese).map((part) => JSON.stringify(part)), ...engine].join('\n')

  it.each([
    ['reserved memory is 预留', /(?<!笔记)已保留|(?:可|再|曾|峰值|占|全部)保留(?!为笔记)/],
    ['confidence is 置信度', /把握/],
    ['device memory is 设备显存', /设备内存/],
    ['a segment is not named in English', /(?:large|small) ?段/],
  ])('%s', (_, other) => expect(texts.match(new RegExp(other, 'g'))).toBeNull())

  it('names causes alike in the window and on the command line', () => {
    for (const label of verdictLabelSchema.options)
      expect(labelText(label)).toEqual({ en: english.diagnosis.label[label], 'zh-CN': chinese.diagnosis.label[label] })
  })
})

describe('translate', () => {
  it('chooses plural forms', () => {
    expect(translate('drop.open', { count: 1 })).toBe('Open 1 file')
    expect(translate('drop.open', { count: 3 })).toBe('Open 3 files')
    expect(translate('drop.open', { count: 1, lng: 'zh-CN' })).toBe('打开 1 个文件')
  })
})

describe('commands', () => {
  it('are registered by the window or a view, and only declared ones are', () => {
    for (const { id } of commands) expect(sources, id).toContain(`'${id}'`)
  })
})
