// What a diagnosis claims about limits, retries, gains and the moment of a failure, checked against what is known of the programs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { measureCapture } from '../../main/engine/diagnosis/capture-measures.ts'
import { diagnose } from '../../main/engine/diagnosis/diagnose.ts'
import { factStates } from '../../main/engine/diagnosis/fact-states.ts'
import { readLogText } from '../../main/engine/diagnosis/log-text.ts'
import { isLossStack, lossMemoryOf } from '../../main/engine/diagnosis/loss-memory.ts'
import { growthOf, readMetricsText } from '../../main/engine/diagnosis/metrics.ts'
import { curvesOf } from '../../main/engine/diagnosis/page/curves.ts'
import { workOf } from '../../main/engine/diagnosis/page/work.ts'
import { type Sources, situationOf } from '../../main/engine/diagnosis/situation.ts'
import { sufficiencyOf } from '../../main/engine/diagnosis/sufficiency.ts'
import { writePickle } from '../fixtures/pickle-writer.ts'
import type { Value } from '../fixtures/values.ts'
import { corpusFolder, labelledRuns } from '../support/corpus.ts'
import { scratchFolder } from '../support/paths.ts'
import { judge } from './confusion.ts'
import { capturesIn, expectValue, quietly } from './engine-client.ts'
import { HeldOutRun, loading, MiB } from './held-out-run.ts'
import { forward, lib, own, runners } from './held-out-stacks.ts'

const scratch = scratchFolder('diagnosis-truth')
const captures = capturesIn(join(scratch.path, 'cache'))
afterAll(async () => {
  await captures.closeAll()
  scratch.remove()
})

async function measured(value: Value, name: string) {
  const path = join(scratch.path, `${name}.pickle`)
  writeFileSync(path, writePickle(value, { protocol: 4 }))
  const { captureId } = expectValue(await captures.open(path, quietly))
  const measures = expectValue(await measureCapture(expectValue(captures.get(captureId))))
  await captures.close(captureId)
  if (!measures) throw new Error(`nothing was measured of ${name}`)
  return measures
}

const alone = (capture: Sources['capture']): Sources => ({ capture, log: null, metrics: null })
const stateOf = (sources: Sources, code: string) =>
  factStates({ ...sources, situation: situationOf(sources) }).find((fact) => fact.code === code)

/** 100 MiB stay; once there were 240 MiB, and 64 MiB more are refused although the device has room. */
function capped(deviceFree?: number): Value {
  const run = new HeldOutRun()
  run.all([60 * MiB, 40 * MiB], loading)
  run.free([run.make(140 * MiB, forward(runners.plain, 'net.py', 8))])
  run.allocator.emptyCache()
  return run.fail(264 * MiB, forward(runners.plain, 'net.py', 9), deviceFree).snapshot()
}

describe('the limit', () => {
  test('that no source names lies between what was reserved at any time and what was refused', async () => {
    const situation = situationOf(alone(await measured(capped(), 'capped')))
    expect([situation.isLimitKnown, situation.reason]).toEqual([false, 'exhausted'])
    expect([situation.limitAtLeastBytes, situation.limitBelowBytes]).toEqual([240 * MiB, (100 + 264) * MiB])
    expect(situation.reach).toEqual({ atLeast: 240 * MiB, below: 364 * MiB })
  })

  test('of a device that had run out is what it still had', async () => {
    const situation = situationOf(alone(await measured(capped(30 * MiB), 'full')))
    expect(situation.reach?.atLeast).toBe(130 * MiB)
    expect(situation.facts).not.toContain('cap_below_device')
  })

  test('of a text alone lies between what it had reserved and that with the request; a cap that it names is known', () => {
    const text = (more: string) =>
      readLogText(
        `CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 80.00 GiB of which 60.00 GiB is free.${more} Of the allocated memory 9.00 GiB is allocated by PyTorch, and 1.00 GiB is reserved by PyTorch but unallocated.`,
      ).failures[0] ?? null
    const open = situationOf({ capture: null, log: text(''), metrics: null })
    expect(open.limitAtLeastBytes).toBe(10 * 2 ** 30)
    expect((open.limitBelowBytes ?? 0) - open.precisionBytes).toBe(12 * 2 ** 30)
    const named = situationOf({ capture: null, log: text(' 11.00 GiB allowed;'), metrics: null })
    expect([named.limitBytes, named.limitAtLeastBytes, named.limitBelowBytes]).toEqual([11 * 2 ** 30, null, null])
  })

  test('proves that memory was used up only where more was held and asked for than was ever reserved', async () => {
    expect(stateOf(alone(await measured(capped(), 'used-up')), 'exhausted')).toMatchObject({
      holds: true,
      text: { en: expect.stringMatching(/the limit lies below 364\.0.MiB: at most 240\.0.MiB were reserved/) },
    })
    // What is free is in the pools of graphs: the request cannot use it.
    const run = new HeldOutRun()
    run.all([100 * MiB], loading)
    run.free([run.make(200 * MiB, [own('serve', 'main.py', 3)], 1)])
    run.make(12 * MiB, [own('serve', 'main.py', 3)], 1)
    const pools = run.fail(150 * MiB, forward(runners.plain, 'net.py', 9)).snapshot()
    const fact = stateOf(alone(await measured(pools, 'pools')), 'exhausted')
    expect([fact?.holds, fact?.text.en]).toEqual([true, expect.stringContaining('free in other pools or on other streams + request')])
  })

  const runs = labelledRuns('oom').filter(({ accepts }) => accepts.length > 0)
  test.skipIf(runs.length === 0)('of every real run holds the cap that it had', async () => {
    let checked = 0
    for (const run of runs) {
      const cap = (JSON.parse(readFileSync(join(run.folder, 'truth.json'), 'utf8')) as { cap_gib?: number | null }).cap_gib
      for (const { found } of await judge(captures, run, 'snapshot')) {
        const { limitAtLeastBytes, limitBelowBytes, facts } = found.diagnosis.situation
        if (!cap || !facts.includes('cap_below_device')) continue
        expect(limitAtLeastBytes, run.name).toBeLessThanOrEqual(cap * 2 ** 30)
        expect(limitBelowBytes, run.name).toBeGreaterThan(cap * 2 ** 30)
        checked += 1
      }
    }
    expect(checked).toBeGreaterThan(40)
  })
})

describe('retries', () => {
  /** Each time what is free is given back, because otherwise it would not fit below 200 MiB. */
  function retrying(times: number, roomBytes = 0, emptiedBy?: readonly Value[]): Value {
    const run = new HeldOutRun()
    run.all([60 * MiB, 40 * MiB, 512], loading)
    if (roomBytes > 0) {
      run.free([run.make(roomBytes, loading)])
      run.allocator.emptyCache()
      run.make(512, loading)
    }
    for (let at = 0; at < times; at += 1) {
      run.free([run.make((70 + 2 * at) * MiB, forward(runners.plain, 'net.py', 8))])
      run.allocator.emptyCache()
      run.free([run.make((90 + 2 * at) * MiB, forward(runners.plain, 'net.py', 9))])
      run.allocator.emptyCache()
    }
    // A retry gives back in the call that asks for the new segment, which is the next event that is no giving back.
    let asking: Value = []
    for (const [at, event] of [...run.allocator.events.entries()].reverse()) {
      const entry = event as Record<string, Value>
      if (entry.action === 'segment_free') run.allocator.events[at] = { ...entry, frames: emptiedBy ?? asking }
      else asking = entry.frames ?? []
    }
    return run.fail(200 * MiB, forward(runners.plain, 'net.py', 9)).snapshot()
  }

  test('are seen where the cache was emptied for a segment for which there was no room', async () => {
    const capture = await measured(retrying(3), 'pressed')
    expect(capture.limits.retries.count).toBe(5)
    const fact = stateOf(alone(capture), 'retried')
    expect([fact?.holds, fact?.text.en]).toEqual([
      true,
      expect.stringMatching(/tried again before \(retries: 5, the first at event \d+; with the failed request itself.* counts 6\)/),
    ])
  })

  test('are not, where the program emptied a cache that there was room for', async () => {
    const sources = alone(await measured(retrying(3, 180 * MiB), 'roomy'))
    expect([sources.capture?.limits.retries.count, stateOf(sources, 'retried')?.holds]).toEqual([0, false])
    const called = await measured(retrying(3, 0, [lib('empty_cache', 'torch/cuda/memory.py', 222), own('train', 'main.py', 9)]), 'called')
    expect(called.limits.retries.count).toBe(0)
  })

  test('are not, where the cache was emptied at its largest in another call than that which asked next', async () => {
    const called = await measured(retrying(3, 0, [own('next_phase', 'main.py', 9)]), 'elsewhere')
    expect(called.limits.retries.count).toBe(0)
  })

  test('are told from metrics with the step, and not known without either', () => {
    const log = readLogText('CUDA out of memory. Tried to allocate 2.00 GiB.').failures[0] ?? null
    const rows = [0, 0, 1, 4].map((count, step) => JSON.stringify({ step, num_alloc_retries: count }))
    const noted = { capture: null, log, metrics: growthOf(readMetricsText(rows.join('\n'))) }
    expect(stateOf(noted, 'retried')).toMatchObject({
      holds: true,
      text: { en: expect.stringContaining('retries: 4, the first by step 2') },
    })
    expect(stateOf({ capture: null, log, metrics: null }, 'retried')?.holds).toBeNull()
  })
})

describe('what is held for the loss', () => {
  test.each([
    ['cross_entropy (/env/torch/nn/functional.py:3504)\nforward (net.py:8)', true],
    ['mse_loss (/env/torch/nn/functional.py:3900)', true],
    ['forward (/env/torch/nn/modules/loss.py:1200)', true],
    ['float (x.py:1)\nForCausalLMLoss (/env/transformers/loss/loss_utils.py:59)', true],
    // The function of a trainer that is called so calls the whole model.
    ['forward (/env/torch/nn/modules/linear.py:134)\ncompute_loss (/env/transformers/trainer.py:4000)', false],
    ['silu (/env/torch/nn/functional.py:2397)', false],
    ['', false],
  ])('is known by its frames: %j', (text, isLoss) => expect(isLossStack(text)).toBe(isLoss))

  const one = (stackId: number, mib: number, category = 'activation') => ({
    stackId,
    requestedBytes: mib * MiB,
    bytes: mib * MiB,
    category,
  })
  const stacks = [{ stackId: 7, isLoss: true }]

  test('is what its function made, and what is as large as its input in any width', () => {
    const held = [one(7, 950), one(7, 0.5), one(-1, 950, 'autograd_detail'), one(3, 475), one(3, 21), one(4, 475, 'parameter')]
    const loss = lossMemoryOf({ held, stacks, request: { bytes: 949 * MiB, isLoss: false } })
    expect([loss.bytes / MiB, loss.hasRequest]).toEqual([950 + 0.5 + 950 + 475, true])
    expect(lossMemoryOf({ held, stacks, request: { bytes: 800 * MiB, isLoss: false } }).hasRequest).toBe(false)
  })

  test('is known by a request of the loss where nothing of it is held yet, and is nothing without a loss', () => {
    const held = [one(3, 475), one(3, 21)]
    expect(lossMemoryOf({ held, stacks: [], request: { bytes: 950 * MiB, isLoss: true } }).bytes).toBe(475 * MiB)
    expect(lossMemoryOf({ held, stacks: [], request: { bytes: 950 * MiB, isLoss: false } }).bytes).toBe(0)
  })
})

describe('advice', () => {
  const lossFrames = [lib('cross_entropy', 'torch/nn/functional.py', 3504), ...forward(runners.plain, 'net.py', 90)]

  /** Four equal steps, then one whose layers make 25 MiB in five tensors, its logits 64 MiB, the loss 128 MiB; the backward pass has begun. */
  function longStep(deviceFree?: number): Value {
    const run = new HeldOutRun()
    run.all([30 * MiB, 10 * MiB], loading)
    for (let at = 0; at < 40; at += 1) {
      const layers = run.all(
        Array.from({ length: 5 }, () => MiB),
        forward(runners.plain, 'net.py', 8),
      )
      const loss = [run.make(3 * MiB, forward(runners.plain, 'net.py', 20)), run.make(6 * MiB, lossFrames)]
      run.free([...loss, ...layers])
    }
    run.all(
      Array.from({ length: 5 }, () => 5 * MiB),
      forward(runners.plain, 'net.py', 8),
    )
    run.make(64 * MiB, forward(runners.plain, 'net.py', 20))
    run.make(128 * MiB, lossFrames)
    run.make(128 * MiB, [])
    return run.fail(128 * MiB, [], deviceFree).snapshot()
  }

  test('counts for checkpointing layers alone, for the loss what is as large as it, and for a smaller batch all of the step and the request', async () => {
    const { verdict, advice } = diagnose(alone(await measured(longStep(), 'long')))
    expect(verdict.label).toBe('activation_residency')
    expect(advice.map(({ id, gainBytes, basis, isEnough }) => [id, gainBytes && gainBytes / MiB, basis, isEnough])).toEqual([
      ['raise_cap', null, 'none', true],
      ['chunked_loss', 320, 'most', null], // an upper bound is never surely enough
      ['checkpointing', 25, 'most', null],
      ['smaller_batch', 172.5, 'sum', true],
    ])
    const [cap, , , batch] = advice
    expect(cap?.text.en).toMatch(/cap of 406–528.MiB .* because the device had 60\.0.GiB free, and a segment of 128.MiB was refused/)
    expect((batch?.neededAfterBytes ?? 0) / MiB).toBe(385 - 172.5 + 64)
  })

  test('raises no cap of a device that was full itself', async () => {
    const { advice } = diagnose(alone(await measured(longStep(4 * MiB), 'long-full')))
    expect(advice.map(({ id }) => id)).not.toContain('raise_cap')
  })

  test('is enough where the sum surely fits, not where it surely does not, and open between', async () => {
    const situation = situationOf(alone(await measured(capped(), 'sums')))
    const of = (mib: number, isMost = false) => sufficiencyOf(situation, { gainBytes: mib * MiB, requestBytes: 264 * MiB, isMost }).isEnough
    // 100 + 264 MiB, below a limit of at least 240 and less than 364.
    expect([of(0), of(1), of(100), of(100, true)]).toEqual([null, null, null, null])
    const smaller = (request: number, gain: number, isMost = false) =>
      sufficiencyOf(situation, { gainBytes: gain * MiB, requestBytes: request * MiB, isMost })
    expect(smaller(200, 60)).toEqual({ isEnough: true, neededAfterBytes: 240 * MiB })
    expect(smaller(200, 60, true).isEnough).toBeNull()
    expect(smaller(300, 10)).toEqual({ isEnough: false, neededAfterBytes: 390 * MiB })
  })

  const long = join(corpusFolder, 'oom', 'oom_act_long_seq_0')
  test.skipIf(!existsSync(long))(
    'of a real long sequence leads with the cap, then the loss, and counts what a reader counted by hand',
    async () => {
      const [run] = labelledRuns('oom').filter(({ folder }) => folder === long)
      const [judged] = run ? await judge(captures, run, 'snapshot') : []
      const found = judged?.found
      expect(found?.diagnosis.advice.map(({ id, isEnough }) => [id, isEnough])).toEqual([
        ['raise_cap', true],
        ['chunked_loss', null],
        ['checkpointing', null],
        ['smaller_batch', true],
      ])
      const gains = Object.fromEntries(found?.diagnosis.advice.map(({ id, gainBytes }) => [id, Math.round((gainBytes ?? 0) / MiB)]) ?? [])
      expect(gains).toEqual({ raise_cap: 0, chunked_loss: 2375, checkpointing: 1015, smaller_batch: 1695 })
      expect([found?.capture?.stepAtWork, found?.capture?.request?.role]).toEqual([6, 'backward'])
    },
  )
})

describe('the step and phase of a failure', () => {
  const phase = async (frames: Parameters<HeldOutRun['fail']>[1], text: readonly string[]) => {
    const run = new HeldOutRun()
    run.all([30 * MiB], loading)
    const sources = alone(await measured(run.fail(64 * MiB, frames).snapshot(), 'phase'))
    return workOf({ ...sources, situation: situationOf(sources) }, text).phase
  }

  test('are told by the frames of the request, and by their absence', async () => {
    expect(await phase([], [])).toBe('backward')
    expect(await phase([own('f', 'net.py', 1)], ['forward (net.py:1)', '_call_impl (/env/torch/nn/modules/module.py:1)'])).toBe('forward')
    expect(await phase([own('f', 'net.py', 1)], ['step (/env/torch/optim/adam.py:1)'])).toBe('optimizer')
    const again = ['forward (net.py:1)', '_call_impl (/env/torch/nn/modules/module.py:1)', 'unpack_hook (/env/torch/utils/checkpoint.py:1)']
    expect(await phase([own('f', 'net.py', 1)], again)).toBe('backward')
    expect(await phase([own('f', 'main.py', 1)], ['f (main.py:1)'])).toBeNull()
  })
})

describe('metrics', () => {
  const rows = (make: (step: number) => object) =>
    readMetricsText(Array.from({ length: 6 }, (_, step) => JSON.stringify({ step, ...make(step) })).join('\n'))

  test('that are clocks or never change are no curves, and are told beside; bytes are known by their names', () => {
    const shown = curvesOf(
      rows((step) => ({
        allocated: 5 * MiB,
        active: step * MiB,
        time_unix_us: 1.8e15 + step,
        num_alloc_retries: step,
        device_total: 2 ** 37,
        runtime: step,
      })),
    )
    expect(shown.curves.map(({ field, unit }) => [field, unit])).toEqual([
      ['allocated', 'bytes'],
      ['num_alloc_retries', 'number'],
      ['active', 'bytes'],
      ['runtime', 'number'],
    ])
    expect(shown.others).toEqual([
      { field: 'device_total', value: '128\u00a0GiB' },
      { field: 'time_unix_us', value: '1800000000000005' },
    ])
  })

  test('name what of a step’s size the peak went with', () => {
    const log = readLogText('CUDA out of memory. Tried to allocate 2.00 GiB.').failures[0] ?? null
    const said = (size: (step: number) => object) => {
      const wave = (step: number) => (step === 3 ? 0 : step)
      const metrics = growthOf(rows((step) => ({ allocated_peak: (wave(step) + 1) * MiB, ...size(wave(step)) })))
      return diagnose({ capture: null, log, metrics })
        .candidates.flatMap(({ evidence }) => evidence.map(({ text }) => text.en))
        .join()
    }
    expect(said((step) => ({ batch_size: 2, seq_len: 10 + step }))).toContain(
      'with the sequence length: rank correlation 1.00 over 6 steps; no change of the batch is noted',
    )
    expect(said((step) => ({ batch_size: 2 + step }))).toContain('with the batch: rank correlation 1.00')
    expect(said((step) => ({ batch_size: 2 + step, seq_len: 10 + step }))).toContain('with batch × sequence length')
  })

  test('tell of a size that only rose that it did, and no correlation, which would be of whatever grows', () => {
    const log = readLogText('CUDA out of memory. Tried to allocate 2.00 GiB.').failures[0] ?? null
    const metrics = growthOf(rows((step) => ({ allocated_peak: (step + 1) * MiB, batch_size: 2, seq_len: 10 + step })))
    const evidence = diagnose({ capture: null, log, metrics }).candidates.flatMap((each) => each.evidence)
    const told = evidence.find(({ measure }) => measure === 'peak_with_size')
    expect(told).toMatchObject({ value: 6, unit: 'steps', text: { en: expect.stringContaining('rose with the sequence length') } })
    expect(told?.text.en).not.toContain('correlation')
  })
})
