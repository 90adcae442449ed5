// Diagnoses of programs that run out of memory by one mechanism each, from the snapshot alone.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { measureCapture } from '../../main/engine/diagnosis/capture-measures.ts'
import { diagnose } from '../../main/engine/diagnosis/diagnose.ts'
import { readLogText } from '../../main/engine/diagnosis/log-text.ts'
import { growthOf, readMetricsText } from '../../main/engine/diagnosis/metrics.ts'
import { roleOf } from '../../main/engine/diagnosis/stack-roles.ts'
import { adviceWords } from '../../main/engine/diagnosis/words/advice.ts'
import { evidenceWords } from '../../main/engine/diagnosis/words/evidence.ts'
import { factWords } from '../../main/engine/diagnosis/words/facts.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import type { Value } from '../fixtures/values.ts'
import { scratchFolder } from '../support/paths.ts'
import { failures, healthyRun } from './diagnosis-programs.ts'
import { capturesIn, expectValue, quietly } from './engine-client.ts'

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

  test('without any source that names a failure is healthy, and not sure', () => {
    expect(diagnose({ capture: null, log: null, metrics: null }).verdict).toMatchObject({ label: 'healthy', isUncertain: true })
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
  for (const [id, [en, zh]] of Object.entries({ ...evidenceWords, ...factWords, ...adviceWords })) {
    expect(places(zh), id).toEqual(places(en))
    expect(zh, id).toMatch(/\p{Script=Han}/u)
  }
})

describe('the role of a stack', () => {
  test.each([
    ['', 'backward'],
    ['zeros_like (/w/a.py:3)\n_init_group (/e/torch/optim/adam.py:178)\nstep (/e/torch/optim/adam.py:238)', 'optimizer_state'],
    ['_multi_tensor_adam (/e/torch/optim/adam.py:791)\nstep (/e/torch/optim/adam.py:248)', 'optimizer'],
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
