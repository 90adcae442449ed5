// Diagnoses of programs that run out of memory by one mechanism each, from the snapshot alone.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { measureCapture } from '../../main/engine/diagnosis/capture-measures.ts'
import { diagnose } from '../../main/engine/diagnosis/diagnose.ts'
import { factText } from '../../main/engine/diagnosis/fact-states.ts'
import { readLogText } from '../../main/engine/diagnosis/log-text.ts'
import { growthOf, readMetricsText } from '../../main/engine/diagnosis/metrics.ts'
import { roleOf } from '../../main/engine/diagnosis/stack-roles.ts'
import { adviceWords } from '../../main/engine/diagnosis/words/advice.ts'
import { doubtWords } from '../../main/engine/diagnosis/words/doubts.ts'
import { evidenceWords } from '../../main/engine/diagnosis/words/evidence.ts'
import { factWords } from '../../main/engine/diagnosis/words/facts.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import type { Value } from '../fixtures/values.ts'
import { scratchFolder } from '../support/paths.ts'
import { failures, healthyRun } from './diagnosis-programs.ts'
import { capturesIn, expectValue, quietly } from './engine-client.ts'
import { heldOutGrowth } from './held-out-growth.ts'
import { HeldOutRun, MiB } from './held-out-run.ts'
import { forward, own, runners } from './held-out-stacks.ts'

const scratch = scratchFolder('diagnosis')
const captures = capturesIn(join(scratch.path, 'cache'))
afterAll(async () => {
  await captures.closeAll()
  scratch.remove()
})

async function measured(value: Value, name: string) {
  const path = join(scratch.path, `${name.replaceAll(/\W+/g, '_')}.pickle`)
  writeFileSync(path, writePickle(value, { protocol: 4 }))
  const { captureId } = expectValue(await captures.open(path, quietly))
  const measures = expectValue(await measureCapture(expectValue(captures.get(captureId))))
  await captures.close(captureId)
  return measures
}

const logOf = (text: string) => readLogText(text).failures[0] ?? null

describe('the verdict', () => {
  test.each(Object.entries(failures))('where %s', async (name, { label, snapshot }) => {
    const { verdict, candidates } = diagnose({ capture: await measured(snapshot(), name), log: null, metrics: null })
    expect([verdict.label, candidates.map((each) => [each.label, each.confidence])]).toEqual([label, expect.anything()])
    for (const { evidence } of candidates) {
      expect(evidence.length).toBeGreaterThan(0)
      for (const { text } of evidence) for (const words of Object.values(text)) expect(words).not.toMatch(/\{\w+\}/)
    }
  })

  test('of a run without a failure is healthy', async () => {
    const { verdict, candidates, advice } = diagnose({ capture: await measured(healthyRun(), 'healthy'), log: null, metrics: null })
    expect([verdict.label, candidates, advice]).toEqual(['healthy', [], []])
  })

  test('of a file that tells of no failure is not healthy: what would tell is named', () => {
    const { verdict, needs } = diagnose({ capture: null, log: null, metrics: null })
    expect(verdict).toEqual({ label: 'not_enough_evidence', confidence: 0, isUncertain: true })
    expect(needs.map(({ en }) => en)).toEqual([expect.stringContaining('no message of an out-of-memory failure was found')])
  })

  test('does not take a size that no request can have: neither 0 nor 1 B is said not to fit', async () => {
    const whole = failures['one tensor a step is remembered']?.snapshot() as { readonly device_traces: readonly (readonly Value[])[] }
    const isOom = (entry: Value): entry is { readonly size: Value } =>
      typeof entry === 'object' && entry !== null && 'action' in entry && entry.action === 'oom'
    const traces = whole.device_traces.map((trace) => trace.map((entry) => (isOom(entry) ? { ...entry, size: 0 } : entry)))
    const capture = await measured({ ...whole, device_traces: traces }, 'asks for nothing')
    const { situation, needs } = diagnose({ capture, log: null, metrics: null })
    expect([situation.isFailure, situation.requestedBytes, situation.segmentBytes, situation.reason]).toEqual([true, null, null, 'unknown'])
    expect(needs.map(({ en }) => en)).toContainEqual(expect.stringContaining('the file says that 0 B were asked for'))
  })

  test('is less sure of pieces where segments contradict their blocks, and says so', async () => {
    const whole = failures['long-lived small tensors lie between large ones that are gone']?.snapshot() as { readonly segments: Value }
    const isOfBlocks = (segment: Value): segment is { readonly blocks: readonly Value[] } => typeof segment === 'object'
    const torn = (whole.segments as readonly Value[]).map((segment, at) =>
      at === 0 && isOfBlocks(segment) ? { ...segment, blocks: segment.blocks.slice(0, -1) } : segment,
    )
    const of = async (value: Value, name: string) => diagnose({ capture: await measured(value, name), log: null, metrics: null })
    const [sound, doubtful] = [await of({ ...whole }, 'sound layout'), await of({ ...whole, segments: torn }, 'torn layout')]
    const sureOf = ({ candidates }: typeof sound) => candidates.find(({ label }) => label === 'fragmentation')?.confidence ?? 0
    expect(sureOf(sound)).toBeGreaterThan(0.6)
    expect(sureOf(doubtful)).toBeLessThanOrEqual(0.5)
    const notes = ({ needs }: typeof sound) =>
      needs.filter(({ en }) => en.startsWith('segments of the file contradict their blocks')).length
    expect([notes(sound), notes(doubtful)]).toEqual([0, 1])
  })

  test('of a text that says too little is that there is not enough evidence, and what would be needed', () => {
    const log = logOf('RuntimeError: CUDA error: out of memory')
    const { verdict, needs } = diagnose({ capture: null, log, metrics: null })
    expect([verdict.label, verdict.isUncertain, needs.length]).toEqual(['not_enough_evidence', true, 1])
  })
})

describe('why the request failed', () => {
  const said = (parts: string) => diagnose({ capture: null, log: logOf(`CUDA out of memory. Tried to allocate ${parts}`), metrics: null })

  test('exhausted, where held and asked for are more than there is', () => {
    const { situation } = said(
      '2.00 GiB. GPU 0 has a total capacity of 24.00 GiB of which 0.30 GiB is free. Of the allocated memory 23.00 GiB is allocated by PyTorch, and 0.20 GiB is reserved by PyTorch but unallocated.',
    )
    expect([situation.reason, situation.facts]).toEqual(['exhausted', ['exhausted']])
  })

  test('no contiguous block, where what is free would do', () => {
    const { situation, verdict, advice } = said(
      '2.00 GiB. GPU 0 has a total capacity of 24.00 GiB of which 0.30 GiB is free. Of the allocated memory 13.00 GiB is allocated by PyTorch, and 10.00 GiB is reserved by PyTorch but unallocated.',
    )
    expect([situation.reason, verdict.label, advice.map(({ id }) => id)]).toEqual([
      'no_contiguous_block',
      'fragmentation',
      ['expandable_segments', 'max_split_size'],
    ])
  })

  test('outside PyTorch, where others hold the device', () => {
    const { situation, verdict } = said(
      '2.00 GiB. GPU 0 has a total capacity of 24.00 GiB of which 0.30 GiB is free. Process 7 has 18.00 GiB memory in use. Of the allocated memory 5.00 GiB is allocated by PyTorch, and 0.20 GiB is reserved by PyTorch but unallocated.',
    )
    expect([situation.reason, verdict.label, situation.otherProcessBytes]).toEqual(['outside_pytorch', 'context_leak', 18 * 1024 ** 3])
  })

  test('a cap below the device is a fact of its own', () => {
    const { situation } = said(
      '2.00 GiB. GPU 0 has a total capacity of 24.00 GiB of which 20.00 GiB is free. 3.00 GiB allowed; Of the allocated memory 2.00 GiB is allocated by PyTorch, and 0.20 GiB is reserved by PyTorch but unallocated.',
    )
    expect(situation.facts).toEqual(['exhausted', 'cap_below_device'])
    expect(situation.limitBytes).toBe(3 * 1024 ** 3)
  })
})

describe('a text that contradicts itself', () => {
  const said = (parts: string) => diagnose({ capture: null, log: logOf(`CUDA out of memory. Tried to allocate ${parts}`), metrics: null })

  test.each([
    [
      'more free than there is',
      '2.00 GiB (GPU 0; 24.00 GiB total capacity; 13.00 GiB already allocated; 90.00 GiB free; 23.00 GiB reserved in total by PyTorch)',
    ],
    [
      'more allocated than reserved',
      '2.00 GiB (GPU 0; 24.00 GiB total capacity; 20.00 GiB already allocated; 1.00 GiB free; 5.00 GiB reserved in total by PyTorch)',
    ],
    [
      'more held than the device has',
      '2.00 GiB. GPU 0 has a total capacity of 24.00 GiB of which 0.30 GiB is free. Of the allocated memory 13.00 GiB is allocated by PyTorch, and 90.00 GiB is reserved by PyTorch but unallocated.',
    ],
    [
      'more allowed than the device has',
      '2.00 GiB. GPU 0 has a total capacity of 24.00 GiB of which 0.30 GiB is free. 90.00 GiB allowed; Of the allocated memory 13.00 GiB is allocated by PyTorch, and 10.00 GiB is reserved by PyTorch but unallocated.',
    ],
    [
      'less free than nothing',
      '2.00 GiB (GPU 0; 24.00 GiB total capacity; 13.00 GiB already allocated; -3.00 GiB free; 23.00 GiB reserved in total by PyTorch)',
    ],
    [
      'a request beyond all machines',
      `${'9'.repeat(28)} GiB (GPU 0; 24.00 GiB total capacity; 23.00 GiB already allocated; 0.30 GiB free)`,
    ],
  ])('(%s) gives no certain verdict, and the doubt is said', (_, parts) => {
    const { verdict, needs } = said(parts)
    expect(verdict.isUncertain).toBe(true)
    expect(needs.map(({ en }) => en).join('\n')).toMatch(/contradicts itself|no amount of memory/)
  })

  test('lends no number to a snapshot, whose own stay', async () => {
    const capture = await measured(failures['one result is as large as all there is']?.snapshot() ?? null, 'doubtful')
    const log = logOf('CUDA out of memory. Tried to allocate 2000.00 MiB (GPU 0; 24.00 GiB total capacity; 90.00 GiB free)')
    const { verdict, situation, needs } = diagnose({ capture, log, metrics: null })
    expect([verdict.label, verdict.isUncertain, situation.deviceTotalBytes]).toEqual(['single_huge_allocation', false, null])
    expect(needs).toHaveLength(1)
  })
})

test('a full buffer, of whose history only the end is there, is no leak: what it keeps replaces what it gives back', async () => {
  const run = new HeldOutRun()
  const keep = [own('store', 'buffer.py', 15), ...runners.plain]
  const held = Array.from({ length: 50 }, (_, at) => run.make((2 + ((at * 7) % 5)) * MiB, keep))
  for (let at = 0; at < 60; at += 1) {
    run.free([run.make(3 * MiB, forward(runners.plain, 'net.py', 8))])
    run.free(held.splice(0, 1))
    held.push(run.make((2 + ((at * 3) % 5)) * MiB, keep))
  }
  const capture = await measured(run.fail(60 * MiB).snapshot(260), 'buffer')
  expect(capture?.isHistoryShort).toBe(true)
  const { candidates } = diagnose({ capture, log: null, metrics: null })
  expect(candidates.map(({ label }) => label)).not.toContain('steady_leak')
})

test('a failure that the program caught is said, and does not make the run a failure', async () => {
  const caught = heldOutGrowth['a batch size that was too large is caught and halved']?.snapshot() ?? null
  const { verdict, needs } = diagnose({ capture: await measured(caught, 'caught'), log: null, metrics: null })
  expect([verdict.label, verdict.isUncertain]).toEqual(['healthy', false])
  expect(needs.map(({ en }) => en)).toEqual([
    expect.stringMatching(/^a request of 32\.0.MiB failed at event \d+, and the program went on: \d+ allocations/),
  ])
})

test('without stacks nothing is called the backward pass', async () => {
  const capture = await measured(heldOutGrowth['a list of tensors without any stack']?.snapshot() ?? null, 'silent')
  expect([capture?.hasStacks, capture?.roleBytes.backward]).toEqual([false, 0])
  const { verdict, needs } = diagnose({ capture, log: null, metrics: null })
  expect([verdict.label, verdict.isUncertain]).toEqual(['steady_leak', true])
  expect(needs.map(({ en }) => en).join('\n')).toContain('a snapshot with stacks')
})

test('where the limit is not known, a sentence says what was reserved, and none what could be', async () => {
  for (const name of ['one result is as large as all there is', 'long-lived small tensors lie between large ones that are gone']) {
    const diagnosis = diagnose({ capture: await measured(failures[name]?.snapshot() ?? null, name), log: null, metrics: null })
    expect(diagnosis.situation.isLimitKnown).toBe(false)
    const facts = diagnosis.situation.facts.map((code) => factText(code, diagnosis.situation))
    const said = [...diagnosis.candidates.flatMap(({ evidence }) => evidence.map(({ text }) => text)), ...facts]
    const words = said.flatMap((text) => Object.values(text)).join('\n')
    expect(words).not.toMatch(/could be reserved|可预留|would be full/)
    expect(words).toMatch(/the limit is not known|and more was not given/)
  }
})

test('a total of the device below what the program itself reserved is not used', () => {
  const metrics = growthOf(readMetricsText('{"device_total": 24}\n{"device_total": 24}'))
  const log = logOf(
    'CUDA out of memory. Tried to allocate 2.00 GiB. Of the allocated memory 9.00 GiB is allocated by PyTorch, and 1.00 GiB is reserved by PyTorch but unallocated.',
  )
  expect(diagnose({ capture: null, log, metrics }).situation).toMatchObject({ deviceTotalBytes: null, isLimitKnown: false })
})

test('metrics that grow with every step make a text an uncertain leak', () => {
  const rows = Array.from({ length: 30 }, (_, at) => JSON.stringify({ step: at, allocated: 1e9 + at * 1e8 }))
  const metrics = growthOf(readMetricsText(rows.join('\n')))
  const log = logOf(
    'CUDA out of memory. Tried to allocate 64.00 MiB. GPU 0 has a total capacity of 4.00 GiB of which 1.00 MiB is free. Of the allocated memory 3.90 GiB is allocated by PyTorch, and 1.00 MiB is reserved by PyTorch but unallocated.',
  )
  expect(diagnose({ capture: null, log, metrics }).verdict).toMatchObject({ label: 'steady_leak', isUncertain: true })
})

test('every sentence has the same places in English and Chinese', () => {
  const places = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()
  for (const [id, [en, zh]] of Object.entries({ ...evidenceWords, ...factWords, ...adviceWords, ...doubtWords })) {
    expect(places(zh), id).toEqual(places(en))
    expect(zh, id).toMatch(/\p{Script=Han}/u)
  }
})

describe('the role of a stack', () => {
  test.each([
    ['', 'backward'],
    ['zeros_like (/w/a.py:3)\n_init_group (/e/torch/optim/adam.py:178)\nstep (/e/torch/optim/adam.py:238)', 'optimizer_state'],
    ['_multi_tensor_adam (/e/torch/optim/adam.py:791)\nstep (/e/torch/optim/adam.py:248)', 'optimizer'],
    ['full_like (/w/x.py:1)\n__init__ (/e/torch/optim/adagrad.py:90)\nmain (/w/a.py:3)', 'optimizer_state'],
    ['__deepcopy__ (/e/torch/nn/parameter.py:60)\n__init__ (/e/torch/optim/swa_utils.py:230)', 'optimizer'],
    ['update (/e/transformers/cache_utils.py:147)\nforward (/w/m.py:3)\n_call_impl (/e/torch/nn/modules/module.py:1)', 'cache'],
    [
      '<lambda> (/e/torch/nn/modules/module.py:1097)\n_apply (/e/torch/nn/modules/module.py:934)\nto (/e/torch/nn/modules/module.py:9)',
      'weights',
    ],
    ['hook (/w/a.py:3)\ninner (/e/torch/nn/modules/module.py:1846)\n_call_impl (/e/torch/nn/modules/module.py:1)', 'forward'],
    ['torch::autograd::Engine::evaluate_function (??:0)\ntorch::autograd::Engine::thread_main (??:0)', 'backward'],
    ['make (/w/optim/kv_cache.py:3)\n<module> (/w/optim/kv_cache.py:9)', 'program'],
  ])('%j is %s', (text, role) => expect(roleOf(text)).toBe(role))
})
