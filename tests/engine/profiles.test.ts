// Flame graphs as files of other tools, read again with a reader of each format that shares nothing with the writer.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Profile } from 'pprof-format'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { categoryNames } from '../../preload/contract/categories.ts'
import type { EngineInput, FlameTree, ProfileFormat } from '../../preload/contract/queries.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { capturesIn, EngineClient } from './engine-client.ts'

const scratch = scratchFolder('profiles')
const deepPath = join(scratch.path, 'deep.json')
let engine: EngineClient
let capture: CaptureSummary

beforeAll(async () => {
  engine = new EngineClient(capturesIn(join(scratch.path, 'cache')), { lora: samplePath('ft_lora'), deep: deepPath })
  capture = await engine.open('lora')
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

const options = { direction: 'callees', merge: 'line', foldRecursion: false, hide: [], pivot: null, with: [], without: [] } as const
const question = (further: Partial<EngineInput<'flame.tree'>> = {}) => ({
  captureId: capture.captureId,
  device: 0,
  measure: 'alive' as const,
  unit: 'bytes' as const,
  fromEvent: 2500,
  toEvent: 2500,
  options: { ...options, hide: [], with: [], without: [] },
  root: 0,
  order: 'size' as const,
  ...further,
})

const treeOf = (asked: ReturnType<typeof question>) => engine.value('flame.tree', { ...asked, limit: 5000 })
async function written(format: ProfileFormat, asked = question()): Promise<Uint8Array> {
  const { limit: _limit, ...rest } = { limit: 0, ...asked }
  return (await engine.value('flame.profile', { ...rest, format, name: 'ft_lora: bytes alive' })).bytes
}
const text = async (format: ProfileFormat, asked = question()) => new TextDecoder().decode(await written(format, asked))

/** What ends at each stack, by its frames' texts from the root on. */
function selfByStack(tree: FlameTree, values: Float64Array): Map<string, number> {
  const paths: string[] = []
  const sums = new Map<string, number>()
  for (const row of tree.node.keys()) {
    const frame = tree.frames[tree.frame[row] ?? -1]
    const name = frame
      ? `${frame.name} (${frame.filename}${frame.line > 0 ? `:${frame.line}` : ''})`
      : `(no stack) ${categoryNames[(tree.bare[row] ?? 0) - 1]}`
    const parent = tree.parent[row] ?? -1
    const path = parent < 0 ? '' : paths[parent] === '' ? name : `${paths[parent]};${name}`
    paths.push(path)
    if ((values[row] ?? 0) !== 0) sums.set(path, values[row] ?? 0)
  }
  return sums
}

const sorted = (sums: Map<string, number>) => [...sums].sort(([a], [b]) => (a < b ? -1 : 1))

test('folded stacks: a line a stack, its weight behind the last space', async () => {
  const tree = await treeOf(question())
  const lines = (await text('folded')).split('\n').filter(Boolean)
  const read = new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))
  expect(sorted(read)).toEqual(sorted(selfByStack(tree, tree.self)))
})

test('folded stacks of two moments have a weight for each', async () => {
  const asked = question({ measure: 'diff', fromEvent: 100, toEvent: 2500 })
  const tree = await treeOf(asked)
  const lines = (await text('folded', asked)).split('\n').filter(Boolean)
  const pairs = lines.map((line) => /^(.*) (\d+) (\d+)$/.exec(line) as RegExpExecArray)
  expect(pairs.reduce((sum, pair) => sum + Number(pair[2]), 0)).toBe(tree.baseTotal[0])
  expect(pairs.reduce((sum, pair) => sum + Number(pair[3]), 0)).toBe(tree.total[0])
})

test('what is held over time is written in bytes × milliseconds, which the 64-bit numbers of other tools can hold', async () => {
  const asked = question({ measure: 'area', fromEvent: 0, toEvent: 2500 })
  const tree = await treeOf(asked)
  const lines = (await text('folded', asked)).split('\n').filter(Boolean)
  const weights = lines.map((line) => Number(/ (\d+)$/.exec(line)?.[1] ?? Number.NaN))
  const sum = weights.reduce((all, weight) => all + weight, 0)
  expect(Math.abs(sum - (tree.total[0] ?? 0) / 1e6)).toBeLessThan(tree.node.length)
  expect(Math.min(...weights)).toBeGreaterThan(0)
  const { sampleType, stringTable } = Profile.decode(gunzipSync(await written('pprof', asked)))
  expect(stringTable.strings[Number(sampleType[0]?.unit)]).toBe('byte-milliseconds')
})

test('one stack of tens of thousands of frames costs no more than its frames', async () => {
  const frames = Array.from({ length: 40_000 }, (_, line) => ({ name: 'recursive', filename: 'a.py', line }))
  const event = { action: 'alloc', addr: 4096, size: 512, stream: 0, frames }
  writeFileSync(deepPath, JSON.stringify({ segments: [], device_traces: [[event]] }))
  const { captureId } = await engine.open('deep')
  const line = await text('folded', question({ captureId, measure: 'allocated', fromEvent: 0, toEvent: 1 }))
  expect([line.split(';').length, line.trimEnd().split(' ').at(-1)]).toEqual([frames.length, '512'])
})

interface D3 {
  readonly name: string
  readonly value: number
  readonly delta?: number
  readonly children: readonly D3[]
}

test('d3-flame-graph: every node holds at least what its children hold, the root all of it', async () => {
  const tree = await treeOf(question())
  const root = JSON.parse(await text('d3')) as D3
  expect([root.name, root.value]).toEqual(['ft_lora: bytes alive', tree.total[0]])
  const nodes: D3[] = [root]
  for (const node of nodes) {
    nodes.push(...node.children)
    expect(node.children.reduce((sum, { value }) => sum + value, 0)).toBeLessThanOrEqual(node.value)
    expect(node.delta).toBeUndefined()
  }
  expect(nodes.length).toBe(tree.node.length)
})

test('d3-flame-graph of two moments says by how much a node grew', async () => {
  const asked = question({ measure: 'diff', fromEvent: 100, toEvent: 2500 })
  const tree = await treeOf(asked)
  const root = JSON.parse(await text('d3', asked)) as D3
  expect(root.delta).toBe((tree.total[0] ?? 0) - (tree.baseTotal[0] ?? 0))
})

test('speedscope: samples point into the list of frames and weigh all there is', async () => {
  const tree = await treeOf(question())
  const file = JSON.parse(await text('speedscope')) as {
    $schema: string
    shared: { frames: { name: string; file?: string; line?: number }[] }
    profiles: { type: string; unit: string; startValue: number; endValue: number; samples: number[][]; weights: number[] }[]
  }
  const [profile] = file.profiles as [(typeof file.profiles)[number]]
  expect([file.$schema, profile.type, profile.unit, profile.startValue, profile.endValue]).toEqual([
    'https://www.speedscope.app/file-format-schema.json',
    'sampled',
    'bytes',
    0,
    tree.total[0],
  ])
  expect(profile.samples.length).toBe(profile.weights.length)
  const read = new Map(
    profile.samples.map((stack, place) => {
      const names = stack.map((at) => file.shared.frames[at] as { name: string; file?: string; line?: number })
      const path = names.map(({ name, file: of, line }) => (of ? `${name} (${of}${line ? `:${line}` : ''})` : name)).join(';')
      return [path, profile.weights[place] ?? 0] as const
    }),
  )
  expect(sorted(read)).toEqual(sorted(selfByStack(tree, tree.self)))
})

describe('pprof', () => {
  const decoded = async (asked = question()) => Profile.decode(gunzipSync(await written('pprof', asked)))
  const stackOf = (profile: Profile, locations: readonly (number | bigint)[]) =>
    locations
      .map((id) => {
        const line = profile.location.find((location) => Number(location.id) === Number(id))?.line[0]
        const of = profile.function.find(({ id: functionId }) => Number(functionId) === Number(line?.functionId))
        const strings = profile.stringTable.strings
        const [name, file] = [strings[Number(of?.name)] ?? '', strings[Number(of?.filename)] ?? '']
        return file === '' ? name : `${name} (${file}${Number(line?.line) > 0 ? `:${line?.line}` : ''})`
      })
      .reverse()
      .join(';')

  test('names its locations leaf first and weighs all there is', async () => {
    const tree = await treeOf(question())
    const profile = await decoded()
    const { strings } = profile.stringTable
    const [type] = profile.sampleType
    expect([strings[Number(type?.type)], strings[Number(type?.unit)]]).toEqual(['inuse_space', 'bytes'])
    const read = new Map(profile.sample.map((sample) => [stackOf(profile, sample.locationId), Number(sample.value[0])]))
    expect(sorted(read)).toEqual(sorted(selfByStack(tree, tree.self)))
  })

  test('of what was made in a range is called so', async () => {
    const { stringTable, sampleType } = await decoded(question({ measure: 'allocated', fromEvent: 0, toEvent: 100 }))
    expect(stringTable.strings[Number(sampleType[0]?.type)]).toBe('alloc_space')
  })

  test('of two moments holds the differences, what shrank as a negative number', async () => {
    const asked = question({ measure: 'diff', fromEvent: 2500, toEvent: 100 })
    const tree = await treeOf(asked)
    const profile = await decoded(asked)
    const values = profile.sample.map((sample) => Number(BigInt.asIntN(64, BigInt(sample.value[0] ?? 0))))
    expect(Math.min(...values)).toBeLessThan(0)
    expect(values.reduce((sum, value) => sum + value, 0)).toBe((tree.total[0] ?? 0) - (tree.baseTotal[0] ?? 0))
  })

  test('a graph that begins with the innermost frames is written leaf first as well', async () => {
    const asked = question({ options: { ...options, direction: 'callers', hide: [], with: [], without: [] } })
    const [upright, inverted] = [await decoded(), await decoded(asked)]
    const stacks = (profile: Profile) => profile.sample.map((sample) => stackOf(profile, sample.locationId)).sort()
    expect(stacks(inverted)).toEqual(stacks(upright))
  })
})
