// Flame graphs that were written for other tools, opened again: the same tree and the same sums.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Profile } from 'pprof-format'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noStack } from '../../main/engine/profiles/stack-profile.ts'
import { classifyFrame } from '../../main/engine/queries/frames.ts'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import {
  categoryNames,
  type EngineInput,
  type FlameTree,
  type ProfileFormat,
  profileExtensions,
  profileFormatSchema,
} from '../../preload/contract/queries.ts'
import { foldedText, pprof, speedscope } from '../fixtures/profiles.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { capturesIn, EngineClient } from './engine-client.ts'

const scratch = scratchFolder('profile-import')
const names = [
  'lora',
  'pprof',
  'speedscope',
  'folded',
  ...profileFormatSchema.options.map((format) => `again.${profileExtensions[format]}`),
]
const pathOf = (name: string) => (name === 'lora' ? samplePath('ft_lora') : join(scratch.path, name))
let engine: EngineClient
let lora: CaptureSummary

beforeAll(async () => {
  writeFileSync(pathOf('pprof'), pprof())
  writeFileSync(pathOf('speedscope'), JSON.stringify(speedscope))
  writeFileSync(pathOf('folded'), foldedText)
  engine = new EngineClient(capturesIn(join(scratch.path, 'cache')), Object.fromEntries(names.map((name) => [name, pathOf(name)])))
  lora = await engine.open('lora')
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

const options = { direction: 'callees', merge: 'function', foldRecursion: false, hide: [], pivot: null, with: [], without: [] } as const
type Question = Omit<EngineInput<'flame.profile'>, 'format' | 'name'>
const question = (captureId: string, measure: Question['measure'], fromEvent: number, further: Partial<Question> = {}): Question => ({
  ...{ captureId, device: 0, measure, unit: 'bytes', fromEvent, toEvent: fromEvent, filter: '', root: 0, order: 'size' },
  options: { ...options, hide: [], with: [], without: [] },
  ...further,
})
const treeOf = (asked: Question) => engine.value('flame.tree', { ...asked, limit: 5000 })

/** Writes what is asked for, and opens that. */
async function again(format: ProfileFormat, asked: Question): Promise<CaptureSummary> {
  const { bytes } = await engine.value('flame.profile', { ...asked, format, name: 'again' })
  const name = `again.${profileExtensions[format]}`
  writeFileSync(pathOf(name), bytes)
  return engine.open(name)
}

/** Total, self and what was there before, by the names and files from the root on. */
function sumsOf(tree: FlameTree): Record<string, readonly number[]> {
  const paths: string[] = []
  return Object.fromEntries(
    [...tree.node.keys()].map((row) => {
      const frame = tree.frames[tree.frame[row] ?? -1]
      const parent = tree.parent[row] ?? -1
      // Writers name what has no stack.
      const name = frame ? `${frame.name}@${frame.filename}` : `${noStack(categoryNames[(tree.bare[row] ?? 0) - 1]).name}@`
      const path = parent < 0 ? '' : `${paths[parent] ?? ''}\n${name}`
      paths.push(path)
      return [path, [tree.total, tree.self, tree.baseTotal, tree.baseSelf].map((column) => column[row] ?? 0)]
    }),
  )
}

describe.each(profileFormatSchema.options)('%s', (format) => {
  test('a graph that is opened again has the same tree and the same sums', async () => {
    const asked = question(lora.captureId, 'alive', 2500)
    const tree = await treeOf(asked)
    const opened = await again(format, asked)
    expect([opened.kind, opened.devices, opened.findings]).toEqual(['stack_profile', [], []])
    expect(opened.formatDetail).toBe(format === 'pprof' ? 'pprof, gzip' : format)
    expect(opened.profile?.valueTypes.length).toBe(1)
    expect(tree.node.length).toBeGreaterThan(50)
    expect(sumsOf(await treeOf(question(opened.captureId, 'profile', 0)))).toEqual(sumsOf(tree))
  })

  test.each(['pprof', 'speedscope', 'folded'])('a profile in %s that is written and opened again says the same', async (from) => {
    const first = await engine.open(from)
    for (const { valueType } of first.profile?.valueTypes ?? []) {
      const asked = question(first.captureId, 'profile', valueType)
      const tree = await treeOf(asked)
      const opened = await again(format, asked)
      const found = sumsOf(await treeOf(question(opened.captureId, 'profile', 0)))
      const unit = first.profile?.valueTypes[valueType]?.unit === 'milliseconds' ? 1e6 : 1 // written as nanoseconds
      const whole = format === 'pprof' ? Math.round : (value: number) => value // of a fraction, pprof has no more
      const wanted = Object.entries(sumsOf(tree)).map(([path, sums]) => [path, sums.map((value) => value * unit)])
      expect(Object.keys(found).sort()).toEqual(wanted.map(([path]) => path).sort())
      for (const [path, sums] of wanted as [string, number[]][]) {
        expect(found[path]?.[1], path).toBe(whole(sums[1] ?? 0))
      }
    }
  })
})

test('a comparison keeps both directions as far as its format has them', async () => {
  const asked = question(lora.captureId, 'growth', 1000, { toEvent: 2500 })
  const [wanted] = Object.values(sumsOf(await treeOf(asked)))
  const folded = await again('folded', asked)
  expect(folded.profile?.valueTypes.map(({ name, isSigned }) => [name, isSigned])).toEqual([
    ['before', false],
    ['after', false],
    ['change', true],
  ])
  const pprofAgain = await again('pprof', asked)
  for (const [captureId, type] of [
    [folded.captureId, 2],
    [pprofAgain.captureId, 0],
  ] as const) {
    const tree = await treeOf(question(captureId, 'profile', type))
    expect([tree.total[0], tree.baseTotal[0]]).toEqual([wanted?.[0], wanted?.[2]])
  }
})

test('a value of a profile is written to pprof under its own name and unit', async () => {
  const first = await engine.open('pprof')
  const { bytes } = await engine.value('flame.profile', { ...question(first.captureId, 'profile', 2), format: 'pprof', name: 'x' })
  const { sampleType, stringTable } = Profile.decode(gunzipSync(bytes))
  expect(sampleType.map(({ type, unit }) => [stringTable.strings[Number(type)], stringTable.strings[Number(unit)]])).toEqual([
    ['inuse_objects', 'count'],
  ])
})

test('the libraries of other languages are no own code', () => {
  const kindOf = (filename: string) => classifyFrame({ name: 'f', filename, line: 1 }, 'stack_profile')
  const libraries = [
    'node:internal/fs',
    '/app/node_modules/x/i.js',
    '/usr/lib/libc.so',
    '/usr/local/go/src/runtime/proc.go',
    '/x/site-packages/y.py',
  ]
  expect(libraries.map(kindOf)).toEqual(libraries.map(() => 'library'))
  expect(['/home/me/train.py', 'main.go', 'file:///app/index.js'].map(kindOf)).toEqual(['own', 'own', 'own'])
})

test('a profile says what it holds, and joins nothing', async () => {
  const opened = await engine.open('pprof')
  expect(opened.profile).toEqual({
    stackCount: 3,
    frameCount: expect.any(Number),
    valueTypes: [
      { valueType: 0, name: 'alloc_objects', unit: 'count', isDefault: false, stackCount: 3, isSigned: false },
      { valueType: 1, name: 'alloc_space', unit: 'bytes', isDefault: false, stackCount: 3, isSigned: false },
      { valueType: 2, name: 'inuse_objects', unit: 'count', isDefault: false, stackCount: 2, isSigned: false },
      { valueType: 3, name: 'inuse_space', unit: 'bytes', isDefault: true, stackCount: 2, isSigned: false },
    ],
  })
  expect(await engine.value('join.candidates', { captureId: opened.captureId })).toEqual({ candidates: [] })
})
