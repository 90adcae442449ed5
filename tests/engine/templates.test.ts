// Templates of hot spots: what ships, on real captures and against sums that do not come from them, and files of one's own.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CacheFolder } from '../../main/engine/cache-folder.ts'
import { Captures } from '../../main/engine/captures.ts'
import { CategoryRuleFiles } from '../../main/engine/category-rules.ts'
import { endsLike } from '../../main/engine/templates/frame-patterns.ts'
import { TemplateFiles } from '../../main/engine/templates/template-files.ts'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { EngineInput, HotSpot, HotSpotTemplate } from '../../preload/contract/queries.ts'
import { adamStates, loraParameters, smallLlama, sumOf } from '../golden/model-sizes.ts'
import { corpusFile } from '../support/corpus.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { codeOf, EngineClient, nativeLibrary } from './engine-client.ts'

const scratch = scratchFolder('engine-templates')
const folder = join(scratch.path, 'templates')
const lora = samplePath('ft_lora')
const generate = corpusFile('healthy/generate_kv_cache/snapshot.pickle')
const cpuTrace = corpusFile('healthy/trace_cpu_only/trace.json')
const paths = { lora, ...(generate && { generate }), ...(cpuTrace && { cpuTrace }) }
let engine: EngineClient

beforeAll(() => {
  const cache = new CacheFolder(join(scratch.path, 'cache'), Number.MAX_SAFE_INTEGER)
  engine = new EngineClient(new Captures(nativeLibrary(), cache, new CategoryRuleFiles(), new TemplateFiles(folder)), paths)
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

const options = {
  direction: 'callees' as const,
  merge: 'function' as const,
  foldRecursion: false,
  hide: [],
  pivot: null,
  with: [],
  without: [],
}
type Asked = EngineInput<'flame.spots'>
const at = ({ captureId }: CaptureSummary, device: number, event: number, more: Partial<Asked> = {}): Asked => ({
  captureId,
  device,
  measure: 'alive',
  unit: 'bytes',
  fromEvent: event,
  toEvent: event,
  options,
  filter: '',
  ...more,
})
const spotsOf = async (asked: Asked) => (await engine.value('flame.spots', asked)).templates
const spotIn = (templates: readonly HotSpotTemplate[], template: string, id: string): HotSpot => {
  const found = templates.find((each) => each.id === template)?.spots.find((each) => each.id === id)
  if (!found) throw new Error(`there is no spot ${template}/${id}`)
  return found
}
const fittingOf = (templates: readonly HotSpotTemplate[]) => templates.find(({ applies }) => applies)?.id
const peakOf = (capture: CaptureSummary, device: number) => capture.devices.find((each) => each.device === device)?.peakEvent ?? -1

describe('the template for LoRA on ft_lora', () => {
  const adapters = sumOf(loraParameters(smallLlama, 8))
  const secondStep = 3470 // gradients live, the optimizer has its states
  let capture: CaptureSummary
  beforeAll(async () => {
    capture = await engine.open('lora')
  })

  test('suits it best, though full fine-tuning applies as well', async () => {
    const templates = await spotsOf(at(capture, 0, peakOf(capture, 0)))
    expect(fittingOf(templates)).toBe('lora')
    expect(templates.filter(({ applies }) => applies).map(({ id }) => id)).toEqual(['lora', 'full-fine-tuning'])
  })

  test('finds A and B, their gradients and their optimizer states: rank × (inputs + outputs) × 4 bytes, and twice that', async () => {
    const templates = await spotsOf(at(capture, 0, secondStep))
    expect(spotIn(templates, 'lora', 'adapter-weights')).toMatchObject({ value: adapters, count: 16 })
    expect(spotIn(templates, 'lora', 'adapter-gradients')).toMatchObject({ value: adapters, count: 16 })
    expect(spotIn(templates, 'lora', 'adapter-states').value).toBe(sumOf(adamStates(loraParameters(smallLlama, 8))))
  })

  test('no allocation is in two spots of a template, and shares are of the whole', async () => {
    const event = peakOf(capture, 0)
    for (const { id, spots } of await spotsOf(at(capture, 0, event))) {
      const total = capture.devices[0]?.peakAllocatedBytes ?? 0
      expect(sumOf(spots.map(({ value }) => value)), id).toBeLessThanOrEqual(total)
      for (const { value, share } of spots) expect(share).toBeCloseTo(value / total, 12)
      for (const [place, { within }] of spots.entries()) {
        const of = { ...options, with: [], without: [] }
        const filter = JSON.stringify({ ...within, min_bytes: within.minBytes ?? 0, minBytes: undefined })
        const again = (await spotsOf(at(capture, 0, event, { options: of, filter }))).find((each) => each.id === id)
        expect(again?.spots.map(({ value }) => value)).toEqual(spots.map(({ value }, other) => (other === place ? value : 0)))
      }
    }
  })

  test('marks nodes that hold what the spot weighs', async () => {
    const event = secondStep
    const templates = await spotsOf(at(capture, 0, event))
    const tree = await engine.value('flame.tree', { ...at(capture, 0, event), root: 0, order: 'size', limit: 5000 })
    const rows = (spot: HotSpot) => spot.nodes.map((node) => tree.node.indexOf(node))
    const titles = (spot: HotSpot) => rows(spot).map((row) => tree.frames[tree.frame[row] ?? -1]?.name ?? `bare ${tree.bare[row]}`)
    expect(titles(spotIn(templates, 'lora', 'adapter-weights'))).toEqual(['cast_adapter_dtype'])
    expect(titles(spotIn(templates, 'lora', 'adapter-gradients'))).toEqual(['bare 2'])
    const weights = spotIn(templates, 'lora', 'base-weights')
    expect(rows(weights).reduce((sum, row) => sum + (tree.total[row] ?? 0), 0)).toBeGreaterThan(0.9 * weights.value)
  })

  test('what the filter of the view leaves out weighs nothing', async () => {
    const templates = await spotsOf(at(capture, 0, secondStep, { filter: '{"categories":["parameter"],"min_bytes":8192}' }))
    expect(spotIn(templates, 'lora', 'adapter-gradients')).toMatchObject({ value: 0, nodes: [] })
    const small = loraParameters(smallLlama, 8).filter((bytes) => bytes < 8192)
    expect(small).not.toEqual([])
    expect(spotIn(templates, 'lora', 'adapter-weights').value).toBe(adapters - sumOf(small))
  })
})

test.skipIf(!generate)('generate_kv_cache: the cache is layers × 2 × batch × tokens × width of keys × 2 bytes', async () => {
  const capture = await engine.open('generate')
  const templates = await spotsOf(at(capture, 0, peakOf(capture, 0)))
  expect(fittingOf(templates)).toBe('kv-cache')
  const [batch, tokens] = [8, 159]
  const cache = smallLlama.layers * 2 * batch * tokens * smallLlama.keyValue * smallLlama.bytesEach
  expect(spotIn(templates, 'kv-cache', 'cache')).toMatchObject({ value: cache, count: 2 * smallLlama.layers })
  expect(spotIn(templates, 'generation', 'cache').value).toBe(cache)
})

test.skipIf(!generate)('generate_kv_cache: attention’s workspaces are the results of SDPA of every layer and token', async () => {
  const capture = await engine.open('generate')
  const events = capture.devices[0]?.eventCount ?? 0
  const [made] = (await spotsOf(at(capture, 0, 0, { measure: 'allocated', fromEvent: 0, toEvent: events, unit: 'count' }))).flatMap(
    ({ id, spots }) => (id === 'kv-cache' ? spots.filter((spot) => spot.id === 'attention') : []),
  )
  expect(made?.value).toBeGreaterThanOrEqual(smallLlama.layers * 96)
})

test.skipIf(!cpuTrace)('trace_cpu_only: host memory of batches, summed from the trace itself', async () => {
  const capture = await engine.open('cpuTrace')
  const events = capture.devices.find(({ device }) => device === -1)?.eventCount ?? 0
  const templates = await spotsOf(at(capture, -1, 0, { measure: 'allocated', fromEvent: 0, toEvent: events }))
  expect(fittingOf(templates)).toBe('data-loading')
  expect(spotIn(templates, 'data-loading', 'generated').value).toBe(randomBytes(cpuTrace ?? ''))
  expect(spotIn(templates, 'data-loading', 'loader').value).toBe(0)
})

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly ts: number
  readonly dur?: number
  readonly tid: unknown
  readonly args?: { readonly Bytes?: number }
}

/** Bytes made while aten::randn was running on the same thread. */
function randomBytes(path: string): number {
  const { traceEvents } = JSON.parse(readFileSync(path, 'utf8')) as { traceEvents: TraceEvent[] }
  const calls = traceEvents.filter(({ name, ph }) => ph === 'X' && name === 'aten::randn')
  const made = traceEvents.filter(({ name, args }) => name === '[memory]' && (args?.Bytes ?? 0) > 0)
  const within = made.filter(({ ts, tid }) => calls.some((call) => call.tid === tid && ts >= call.ts && ts <= call.ts + (call.dur ?? 0)))
  expect(within.length).toBe(calls.length)
  return sumOf(within.map(({ args }) => args?.Bytes ?? 0))
}

describe('templates of one’s own', () => {
  const own = {
    id: 'mine',
    title: 'Losses',
    explanation: { en: 'All of it.', 'zh-CN': '全部。' },
    applies: {},
    spots: [{ id: 'loss', label: 'Loss', explanation: '', match: { frames: ['functional.py:cross_entropy'], min_bytes: 1024 } }],
  }
  const ask = async (text: string) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'mine.json'), text)
    const capture = await engine.open('lora')
    return engine.ask('flame.spots', at(capture, 0, peakOf(capture, 0))).answer
  }
  afterAll(() => writeFileSync(join(folder, 'mine.json'), JSON.stringify(own)))

  test('stand before ours, and take the place of one with the same id', async () => {
    const answer = await ask(JSON.stringify(own))
    expect(answer).toMatchObject({
      ok: true,
      value: { templates: [{ id: 'mine', title: { 'zh-CN': 'Losses' }, applies: true }, {}, {}, {}, {}, {}] },
    })
    const replaced = await ask(`\ufeff${JSON.stringify({ ...own, id: 'lora' })}`) // as some editors begin a file
    expect(replaced).toMatchObject({ ok: true, value: { templates: [{ id: 'lora', title: { en: 'Losses' } }, {}, {}, {}, {}] } })
  })

  test.each([
    ['{', /mine\.json: /],
    [JSON.stringify({ ...own, spots: [] }), /mine\.json: spots: /],
    [JSON.stringify({ ...own, spots: [{ ...own.spots[0], match: { frame: ['x'] } }] }), /mine\.json: spots\[0\]\.match: /],
    [JSON.stringify({ ...own, applies: { categories: ['memory'] } }), /mine\.json: applies\.categories\[0\]: /],
  ])('that are broken are a failure which says what and where: %s', async (text, message) => {
    const answer = await ask(text)
    expect(codeOf(answer)).toBe('templates/broken_template')
    expect(answer).toMatchObject({ error: { message: expect.stringMatching(message) } })
  })
})

test('a folder that is named must be there, the usual one need not', async () => {
  const missing = join(scratch.path, 'none')
  expect(await new TemplateFiles(missing).read()).toMatchObject({ ok: true, value: { length: 5 } })
  expect(await TemplateFiles.fromEnvironment({ TIDEMARK_TEMPLATES: missing }).read()).toMatchObject({
    ok: false,
    error: { code: 'templates/broken_template', message: expect.stringContaining(missing) },
  })
})

test('a pattern matches the end of a frame as the same regular expression does', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', '/', '\\', ':', '*'), { maxLength: 8 }).map((all) => all.join(''))
  fc.assert(
    fc.property(letters, letters, (pattern, text) => {
      const quoted = pattern
        .replaceAll('\\', '/')
        .split('*')
        .map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      const wanted = new RegExp(`${quoted.join('.*')}$`, 's').test(text.replaceAll('\\', '/'))
      expect(endsLike(pattern)(text)).toBe(wanted)
    }),
    { numRuns: 2000 },
  )
})
