// The page of one failure: its numbers are those that the views tell of the same moment, its places are filters that the views read.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { namesTerm, stackTerm } from '../../main/engine/diagnosis/places.ts'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { filterJson, nothingResolved } from '../../preload/contract/filter/filter-json.ts'
import { parseFilter } from '../../preload/contract/filter/filter-language.ts'
import { type DiagnosisPage, type EvidencePlace, sourceOfText } from '../../preload/contract/queries.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import type { Value } from '../fixtures/values.ts'
import { corpusFolder } from '../support/corpus.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { failures, hostileFailure, leakingRun } from './diagnosis-programs.ts'
import { capturesIn, codeOf, EngineClient } from './engine-client.ts'

const scratch = scratchFolder('diagnosis-page')
const captures = capturesIn(join(scratch.path, 'cache'))
const files: Record<string, string> = {}
const client = new EngineClient(captures, files)
afterAll(async () => {
  await client.close()
  scratch.remove()
})

interface Opened {
  readonly capture: CaptureSummary
  readonly page: DiagnosisPage
}

async function opened(path: string, sources: readonly string[] = []): Promise<Opened> {
  files[path] = path
  const capture = await client.open(path)
  return { capture, page: await client.value('diagnosis.capture', { captureId: capture.captureId, sources: [...sources] }) }
}

/** A folder of its own with the snapshot, and with metrics beside it. */
function written(name: string, value: Value, metrics?: string): string {
  const folder = join(scratch.path, name.replaceAll(/\W+/g, '_'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'snapshot.pickle'), writePickle(value, { protocol: 4 }))
  if (metrics !== undefined) writeFileSync(join(folder, 'metrics.jsonl'), metrics)
  return join(folder, 'snapshot.pickle')
}

function placesOf(page: DiagnosisPage): EvidencePlace[] {
  const all = [
    ...page.candidates.flatMap(({ evidence }) => evidence),
    ...(page.held?.categories ?? []),
    ...(page.held?.stacks ?? []),
    ...page.growing,
    ...page.advice,
    ...(page.lastGrowth ? [page.lastGrowth] : []),
  ]
  return all.flatMap(({ place }) => place ?? [])
}

/** Everything that the page says in numbers, asked again as a view asks it. */
async function expectNumbersOfViews({ capture, page }: Opened): Promise<void> {
  const { captureId, streams, pools, hasTimes } = capture
  const [device, event] = [page.device ?? -1, page.event ?? -1]
  const totals = await client.value('categories.totals', { captureId, device, event })
  expect(page.held?.categories.map(({ category, bytes, count }) => [category, bytes, count])).toEqual(
    totals.categories.map(({ category, bytes, count }) => [category, bytes, count]),
  )
  for (const { category, bytes, count } of page.held?.categories ?? []) {
    const filter = JSON.stringify({ categories: [category], alive_at: event })
    const list = await client.value('allocation.list', { captureId, device, filter, sort: 'id', descending: false, limit: 1, offset: 0 })
    expect([list.bytes, list.count]).toEqual([bytes, count])
  }
  for (const { bytes, count, place } of page.held?.stacks ?? []) {
    const parsed = parseFilter(place?.filter ?? '')
    const filter = parsed.ok ? filterJson({}, parsed.terms, { ...nothingResolved, aliveAt: [event] }) : ''
    const list = await client.value('allocation.list', { captureId, device, filter, sort: 'id', descending: false, limit: 1, offset: 0 })
    expect([place?.filter, list.bytes, list.count]).toEqual([place?.filter, bytes, count])
  }
  const space = await client.value('space.report', { captureId, device, event })
  expect([page.situation.reservedBytes, page.situation.allocatedBytes]).toEqual([space.totals.reservedBytes, space.totals.activeBytes])
  const of = (age: string): number => page.held?.ages.find((each) => each.age === age)?.bytes ?? Number.NaN
  expect(of('before_history') + of('older_half') + of('newer_half')).toBe(space.totals.allocatedBytes)
  const allocatedAt = async (at: number): Promise<number> =>
    (await client.value('space.report', { captureId, device, event: at })).totals.allocatedBytes
  const { lastGrowth } = page
  if (lastGrowth) {
    const { fromEvent, toEvent, bytes } = lastGrowth
    // The range starts with the state after `toEvent`: from there up to the moment the rise is never given back.
    const after =
      toEvent < event ? await client.value('timeline.range', { captureId, device, fromEvent: toEvent + 1, toEvent: event + 1 }) : null
    const least = Math.min(await allocatedAt(toEvent), after?.curves.allocated.min ?? Number.POSITIVE_INFINITY)
    expect(least - (await allocatedAt(fromEvent))).toBe(bytes)
  }
  for (const { filter } of placesOf(page)) {
    const parsed = parseFilter(filter, { streams, pools, hasTimes, hasFailures: page.situation.isFailure })
    expect([filter, parsed.ok]).toEqual([filter, true])
  }
}

describe('the page of a failure', () => {
  test('tells the numbers of the views, the request with its frames, and every fact with its state', async () => {
    const shown = await opened(samplePath('oom'))
    await expectNumbersOfViews(shown)
    const { page } = shown
    expect(page).toMatchObject({ name: 'oom.pickle', verdict: { label: 'fragmentation' }, event: 664, errorText: null, metrics: null })
    expect(page.request).toMatchObject({ stream: '0', pool: '(0,0)', segmentType: 'large', title: 'frag_interleave (cases.py:467)' })
    expect(page.request?.frames[0]).toMatch(/^frag_interleave \(.*cases\.py:467\)$/)
    expect(page.situation.facts.map(({ code, holds }) => [code, holds])).toEqual([
      ['exhausted', false],
      ['no_contiguous_block', true],
      ['segment_refused', false],
      ['outside_pytorch', false],
      ['pending_frees', false],
      ['other_stream', false],
      ['other_pool', false],
      ['cap_below_device', true],
      ['retried', false],
      ['history_too_short', false],
    ])
    for (const { text } of page.situation.facts) for (const words of Object.values(text)) expect(words).not.toMatch(/\{\w+\}|—/)
    expect(page.neededBytes).toBe(419430400 - 56623104)
    expect(page.settings).toContainEqual({ name: 'expandable_segments', value: 'false' })
  })

  test('does not advise expandable segments where the recorded requests fail under them too, and says so', async () => {
    const { page } = await opened(samplePath('oom'))
    const ids = page.advice.map(({ id }) => id)
    expect(ids).not.toContain('expandable_segments')
    expect(page.advice.find(({ id }) => id === 'expandable_segments_disproved')).toMatchObject({
      basis: 'simulated',
      avoidsFailure: false,
      code: null,
    })
    expect(ids).not.toContain('roundup_power2')
  })

  test.each(Object.keys(failures))('agrees with the views where %s', async (name) => {
    const shown = await opened(written(name, failures[name]?.snapshot() as Value))
    await expectNumbersOfViews(shown)
    expect(shown.page.verdict.label).toBe(failures[name]?.label)
    for (const { text, code, gainBytes, basis } of shown.page.advice) {
      expect(Object.values(text).join()).not.toMatch(/\{\w+\}/)
      expect(code).not.toBe('')
      expect(gainBytes !== null && basis === 'none').toBe(false)
    }
  })

  const real = [
    'oom/oom_act_loss_graph_0',
    'oom/oom_frag_replay_1',
    'oom/oom_steady_leak_0',
    'extra/oom_late_dump',
    'extra/oom_short_history',
  ]
  const isHere = existsSync(join(corpusFolder, 'oom'))
  test.skipIf(!isHere).each(real)('agrees with the views in the real failure %s', async (name) => {
    const path = join(corpusFolder, name, 'snapshot.pickle')
    await expectNumbersOfViews(await opened(path))
  })

  test.skipIf(!isHere).each([
    ['oom_act_loss_graph_0', 'forward_bytes', ['activation', 'workspace']],
    ['oom_opt_state_1', 'optimizer_state_bytes', ['optimizer_state']],
    ['oom_kv_growth_0', 'cache_bytes', ['kv_cache']],
  ])('leads from its evidence to a view with the same number: %s, %s', async (name, measure, categories) => {
    const { page, capture } = await opened(join(corpusFolder, 'oom', name, 'snapshot.pickle'))
    const proof = page.candidates.flatMap(({ evidence }) => evidence).find((each) => each.measure === measure)
    const parsed = parseFilter(proof?.place?.filter ?? '')
    expect(parsed.ok && parsed.terms.categories).toEqual([categories])
    const filter = JSON.stringify({ categories, alive_at: page.event })
    const order = { sort: 'id', descending: false, limit: 1, offset: 0 } as const
    const list = await client.value('allocation.list', { captureId: capture.captureId, device: page.device ?? 0, filter, ...order })
    expect(proof?.value).toBe(list.bytes)
  })

  test.skipIf(!isHere)('advises the setting that the simulation proves, with what it saves', async () => {
    const { page } = await opened(join(corpusFolder, 'oom', 'oom_frag_replay_2', 'snapshot.pickle'))
    const [cap, first] = page.advice
    expect(cap).toMatchObject({ id: 'raise_cap', isEnough: true })
    expect(first).toMatchObject({ id: 'expandable_segments', basis: 'simulated', avoidsFailure: true })
    expect(first?.code).toBe('PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True')
    expect(first?.gainBytes).toBeGreaterThan(2 ** 20)
  })

  test.skipIf(!isHere)('advises what stops the growth before a higher cap, which only gives time', async () => {
    const { page } = await opened(join(corpusFolder, 'oom', 'oom_act_loss_graph_0', 'snapshot.pickle'))
    expect(page.advice.map(({ id }) => id)).toEqual(['detach_kept', 'raise_cap_growing'])
    const exhausted = page.situation.facts.find(({ code }) => code === 'exhausted')
    expect([exhausted?.holds, exhausted?.text.en]).toEqual([
      null,
      expect.stringContaining('the limit, which no source names, lies between'),
    ])
  })

  test.skipIf(!isHere)('proves no setting by a history that does not reach back to the start', async () => {
    const { page } = await opened(join(corpusFolder, 'extra', 'oom_short_history', 'snapshot.pickle'))
    expect(page.situation.facts.find(({ code }) => code === 'history_too_short')?.holds).toBe(true)
    expect(page.advice.filter(({ basis, avoidsFailure }) => basis === 'simulated' || avoidsFailure !== null)).toEqual([])
  })

  test('reads metrics beside the file and a log that is given with it', async () => {
    const path = written('with sources', failures['one tensor a step is remembered']?.snapshot() as Value, metricsOf(900))
    const log = join(scratch.path, 'rank0.log')
    const text = 'CUDA out of memory. Tried to allocate 24.00 MiB. GPU 0 has a total capacity of 2.00 GiB of which 1.00 MiB is free.'
    writeFileSync(log, `start\n${text}\n`)
    files.log = log
    const { page } = await opened(path, ['log'])
    expect(page.errorText).toMatchObject({ name: 'rank0.log', line: 2, text })
    expect(page.situation.deviceTotalBytes).toBe(2 * 2 ** 30)
    expect(page.metrics).toMatchObject({ name: 'metrics.jsonl', steps: 900 })
    const allocated = page.metrics?.curves.find(({ field }) => field === 'allocated')
    expect(allocated).toMatchObject({ unit: 'bytes', isGrowing: true })
    expect(allocated?.points.length).toBeLessThanOrEqual(500)
    // One step of 900 is far above its neighbours: thinning keeps it.
    expect(Math.max(...(allocated?.points ?? []).map(([, y]) => y))).toBe(77_777_777)
    expect(page.metrics?.curves.find(({ field }) => field === 'loss')).toMatchObject({ unit: 'number', isGrowing: false })
  })

  test('a source that was not chosen is an error; one that is gone is told, and leaves the page', async () => {
    const { capture } = await opened(samplePath('oom'))
    const ask = (token: string) => client.ask('diagnosis.capture', { captureId: capture.captureId, sources: [token] }).answer
    expect(codeOf(await ask('never'))).toBe('file/not_found')
    expect(codeOf(await client.ask('diagnosis.capture', { captureId: 'none', sources: [] }).answer)).toBe('query/unknown_capture')
    const log = join(scratch.path, 'gone.log')
    const { page } = await opened(
      samplePath('oom'),
      [log].map((path) => (files[path] = path)),
    )
    expect(page.verdict.label).toBe('fragmentation')
    expect(page.needs.map(({ en }) => en)).toContain('gone.log cannot be read any more: what it told is left out')
  })

  test('a log of other failures is no text of this one, and is told', async () => {
    const log = join(scratch.path, 'others.log')
    const text = (gib: number) => `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${gib}.00 GiB.\n`
    writeFileSync(log, `${text(2)}step\n${text(3)}`)
    files[log] = log
    const { page } = await opened(samplePath('oom'), [log])
    expect(page.errorText).toBeNull()
    expect(page.needs.map(({ en }) => en).join()).toContain('others.log tells of other failures (2)')
  })
})

describe('what a page was made from', () => {
  const oomError = 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 400.00 MiB. GPU 0 has a total capacity of 80.00 GiB.'
  const usesOf = ({ sources }: DiagnosisPage) => sources.map(({ kind, name, use, given }) => [kind, name, use, given])

  test('is told: the snapshot, and of each file that was given whether it was read', async () => {
    const path = (name: string, text: string) => {
      const file = join(scratch.path, name)
      writeFileSync(file, text)
      files[file] = file
      return file
    }
    const own = path('own.log', `${oomError}\n`)
    const other = path('other.log', oomError.replace('400.00 MiB', '3.00 GiB'))
    const foreign = path('foreign.jsonl', '{"step": 0, "reserved": 900000000000}\n')
    const { page } = await opened(samplePath('oom'), [other, foreign, own])
    expect(usesOf(page).slice(-3)).toEqual([
      ['log', 'other.log', 'others', 0],
      ['metrics', 'foreign.jsonl', 'misfit', 1],
      ['log', 'own.log', 'read', 2],
    ])
    expect(usesOf(page)[0]?.slice(0, 3)).toEqual(['snapshot', expect.any(String), 'read'])
    expect(page.metrics?.name, 'metrics of another run stand for none').not.toBe('foreign.jsonl')
    expect(page.needs.map(({ en }) => en).join()).toContain('foreign.jsonl is of another run')
  })

  test('a pasted text that tells of the failure is read, and one of another is not', async () => {
    const [own, other] = [oomError, oomError.replace('400.00', '900.00')].map(sourceOfText)
    const { page } = await opened(samplePath('oom'), [other ?? '', own ?? ''])
    expect(usesOf(page).slice(-2)).toEqual([
      ['text', '', 'others', 0],
      ['text', '', 'read', 1],
    ])
    expect(page.errorText?.text).toContain('Tried to allocate 400.00 MiB')
  })
})

/** Steps whose allocated bytes rise slowly, but for one. */
function metricsOf(steps: number, total?: number): string {
  const line = (step: number) =>
    JSON.stringify({
      step,
      allocated: step === 441 ? 77_777_777 : 1000 + step,
      loss: 1 / (1 + step),
      ...(total ? { device_total: total } : {}),
    })
  return `${Array.from({ length: steps }, (_, step) => line(step)).join('\n')}\n`
}

describe('a run without a failure', () => {
  test('is healthy, and what it keeps with every step is told with the step at which memory would end', async () => {
    const { page, capture } = await opened(written('leaking', leakingRun(), metricsOf(24, 2 ** 30)))
    expect([page.verdict.label, page.situation.isFailure, page.neededBytes]).toEqual(['healthy', false, null])
    const [grown, ...more] = page.growing
    expect(more).toEqual([])
    expect(grown).toMatchObject({ title: 'remember (history.py:11)', kind: 'kept' })
    const perStep = grown?.bytesPerStep ?? 0
    expect(Math.abs(perStep - 3 * 2 ** 20)).toBeLessThan(0.1 * 3 * 2 ** 20)
    const space = await client.value('space.report', { captureId: capture.captureId, device: page.device ?? 0, event: page.event ?? 0 })
    expect(grown?.stepsLeft).toBe(Math.floor((2 ** 30 - space.totals.allocatedBytes) / perStep))
    expect(page.situation.facts.find(({ code }) => code === 'exhausted')).toMatchObject({ holds: false })
  })

  test.each(['ft_lora', 'trace_lora', 'two_devices'] as const)('that keeps nothing tells of no growth: %s', async (name) => {
    const { page } = await opened(samplePath(name))
    expect([page.verdict.label, page.growing]).toEqual(['healthy', []])
  })
})

describe('the filter of a stack', () => {
  const termsOf = (text: string) => {
    const parsed = parseFilter(text)
    return parsed.ok ? parsed.terms : undefined
  }

  test('is of exactly the stacks of one title, as long as a filter has room for their ids', () => {
    const title = 'step (train.py:12)'
    expect(termsOf(stackTerm({ stackIds: [3, 14], title }))?.stackIds).toEqual([[3, 14]])
    const many = stackTerm({ stackIds: Array.from({ length: 400 }, (_, at) => at), title })
    expect([termsOf(many)?.stackIds, termsOf(many)?.stacks]).toEqual([[], ['step', 'train.py']])
  })

  test.each([
    ['step (train.py:12)', ['step', 'train.py']],
    ['say "a\\b" (my file.py:1)', ['say "a\\b"', 'my file.py']],
    ['at::native::empty', ['at::native::empty']],
  ])('by the name %j finds its function and its file', (title, texts) => expect(termsOf(namesTerm(title))?.stacks).toEqual(texts))

  test('of what has no frames is that there are none', () => {
    expect(termsOf(stackTerm({ stackIds: [-1], title: '' }))?.traits).toEqual([{ trait: 'no_stack', isNegated: false }])
  })
})

describe('the size of a page', () => {
  test('stays below a megabyte for names, frames, settings and metrics made to be large', async () => {
    const long = 'x'.repeat(1500)
    const rows = Array.from({ length: 700 }, (_, step) =>
      JSON.stringify({
        step,
        allocated: step % 2 ? 1.123456789e6 : 7,
        ...Object.fromEntries(Array.from({ length: 20 }, (__, at) => [`${long}${at}`, Math.random() * 1e149])),
      }),
    )
    const path = written('hostile', hostileFailure(long), rows.join('\n'))
    const { page } = await opened(path)
    expect(page.situation.isFailure).toBe(true)
    expect(JSON.stringify(page).length).toBeLessThan(1_000_000)
    expect(page.metrics?.curves.length).toBe(16)
  })

  test('a copy of the snapshot without anything beside it has no metrics', async () => {
    const folder = join(scratch.path, 'bare')
    mkdirSync(folder)
    copyFileSync(samplePath('oom'), join(folder, 'snapshot.pickle'))
    expect((await opened(join(folder, 'snapshot.pickle'))).page.metrics).toBeNull()
  })
})
