// Held-out programs whose memory grows with the steps, or is cut up, or is not theirs; and runs that end well. See held-out-programs.ts.
import type { TrueAllocation } from '../fixtures/allocator.ts'
import type { Value } from '../fixtures/values.ts'
import type { HeldOut } from './held-out-programs.ts'
import { convolutions, HeldOutRun, KiB, loading, MiB, transformer } from './held-out-run.ts'
import { engineFrames, forward, interleaved, lib, own, runners } from './held-out-stacks.ts'

const small = transformer(4, 20 * MiB)
const vit = 'timm/models/vision_transformer.py'
const gpt = 'megatron/core/transformer/attention.py'
const { trainer, deepspeed, lightning, fsdp, plain, start } = runners

/** `count` steps of a small model, with something of its own in each. */
function steps(run: HeldOutRun, count: number, below: readonly Value[], each: (at: number) => void): HeldOutRun {
  run.all(small, loading)
  for (let at = 0; at < count; at += 1) {
    run.step(small, 4, 1 * MiB, vit, below)
    each(at)
  }
  return run
}

const leaks: Record<string, HeldOut> = {
  'a replay buffer keeps an observation a step, with C++ stacks': {
    accepts: ['steady_leak'],
    snapshot: () => {
      const run = new HeldOutRun()
      const keep = interleaved([own('store', 'buffer.py', 15), own('act', 'agent.py', 70), ...start])
      return steps(run, 40, plain, () => run.make(14 * MiB, keep))
        .fail(30 * MiB, engineFrames)
        .snapshot()
    },
  },
  'a callback of a trainer keeps the hidden states of each batch': {
    accepts: ['steady_leak', 'activation_residency'],
    snapshot: () => {
      const run = new HeldOutRun()
      const keep = [own('on_step_end', 'probe.py', 22), lib('call_event', 'transformers/trainer_callback.py', 550), ...trainer]
      return steps(run, 25, trainer, (at) => run.make((9 + (at % 4)) * MiB, keep))
        .fail(20 * MiB)
        .snapshot(900)
    },
  },
  'predictions that are joined to those before, in one tensor': {
    accepts: ['steady_leak'],
    snapshot: () => {
      const run = new HeldOutRun()
      const join = [
        lib('torch_pad_and_concatenate', 'transformers/trainer_pt_utils.py', 90),
        lib('nested_concat', 'transformers/trainer_pt_utils.py', 120),
        lib('evaluation_loop', 'transformers/trainer.py', 4400),
        ...start,
      ]
      run.all(small, loading)
      let all: TrueAllocation | null = null
      for (let at = 1; at < 50; at += 1) {
        run.free(run.forward(4, 1 * MiB, vit, trainer))
        const longer = run.make(at * 12 * MiB, join)
        if (all) run.free([all])
        all = longer
      }
      return run.fail(600 * MiB, join).snapshot()
    },
  },
  'a list of tensors without any stack': {
    accepts: ['steady_leak'],
    snapshot: () => {
      const run = new HeldOutRun()
      for (const bytes of small) run.make(bytes, null)
      for (let at = 0; at < 60; at += 1) {
        run.free([2, 3, 5, 8].map((times) => run.make(times * MiB, null)))
        run.make(12 * MiB, null)
      }
      return run.fail(24 * MiB, null).snapshot()
    },
  },
}

const tiny: Record<string, HeldOut> = {
  'a scalar a batch and a metric is logged as a tensor': {
    accepts: ['metadata_bloat', 'steady_leak'],
    snapshot: () => {
      const run = new HeldOutRun()
      const log = [own('update', 'meters.py', 12), ...lightning]
      run.all([256 * KiB, 600 * KiB, 1024], loading)
      for (let at = 0; at < 1300; at += 1) for (const bytes of [4, 8, 2900]) run.make(bytes, log)
      return run.fail(512, log).snapshot()
    },
  },
  'thousands of adapters of two small matrices': {
    accepts: ['metadata_bloat'],
    snapshot: () => {
      const run = new HeldOutRun()
      const adapter = [
        lib('<lambda>', 'torch/nn/modules/module.py', 1340),
        lib('_apply', 'torch/nn/modules/module.py', 900),
        own('add_adapter', 'adapters.py', 60),
        ...start,
      ]
      run.all(convolutions, loading)
      for (let at = 0; at < 2100; at += 1) for (const bytes of [6 * KiB, 12 * KiB]) run.make(bytes, adapter)
      return run.fail(12 * KiB, adapter).snapshot()
    },
  },
}

const passes: Record<string, HeldOut> = {
  'the first batch of images is too large, in expandable segments': {
    accepts: ['activation_residency'],
    snapshot: () => {
      const run = new HeldOutRun({ expandable: true })
      run.all(small, loading)
      run.forward(9, 12 * MiB, vit, trainer)
      return run.fail(48 * MiB, forward(trainer, vit, 41)).snapshot()
    },
  },
  'one long batch among short ones, under FSDP with C++ stacks': {
    accepts: ['activation_residency'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, interleaved(loading))
      for (let at = 0; at < 7; at += 1) run.free(run.backward(run.forward(4, 1 * MiB, gpt, interleaved(fsdp)), small, engineFrames))
      run.forward(4, 500 * MiB, gpt, interleaved(fsdp)) // the device is full
      return run.fail(2000 * MiB, interleaved(forward(fsdp, gpt, 43)), 312 * MiB).snapshot()
    },
  },
  'losses with their graphs are summed up under DeepSpeed': {
    accepts: ['activation_residency', 'steady_leak'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      for (let at = 0; at < 14; at += 1) run.forward(4, 1 * MiB, gpt, deepspeed)
      return run.fail(4 * MiB, forward(deepspeed, gpt, 41)).snapshot()
    },
  },
}

const gradients: Record<string, HeldOut> = {
  'gradients of each micro-batch are cloned into a list': {
    accepts: ['gradient_blowup', 'steady_leak'],
    snapshot: () => {
      const run = new HeldOutRun()
      const clone = [own('<listcomp>', 'influence.py', 33), own('collect', 'influence.py', 33), ...start]
      return steps(run, 12, plain, () => run.all(small, clone))
        .fail(18 * MiB, clone)
        .snapshot()
    },
  },
  'the backward pass keeps its own graph': {
    accepts: ['gradient_blowup'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      for (let inner = 0; inner < 6; inner += 1) {
        run.forward(4, 256 * KiB, gpt, plain)
        run.all(small, [])
        run.all(small, [own('adapt', 'maml.py', 51), ...start])
      }
      return run.fail(18 * MiB, []).snapshot()
    },
  },
}

const others: Record<string, HeldOut> = {
  'a graph is captured for each batch size, each in a pool of its own': {
    accepts: ['context_leak'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      const capture = [
        lib('forward', 'vllm/model_executor/models/llama.py', 300),
        lib('_call_impl', 'torch/nn/modules/module.py', 1750),
        lib('capture_model', 'vllm/worker/model_runner.py', 1500),
        ...start,
      ]
      for (let size = 1; size <= 24; size += 1) {
        run.free(run.all([6 * MiB, 3 * MiB, 22 * MiB], capture))
        for (const times of [4, 5, 6]) run.make(times * size * 512 * KiB, capture, size)
      }
      return run.fail(64 * MiB, capture).snapshot()
    },
  },
  'batches of every length leave holes': {
    accepts: ['fragmentation'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      const line = forward(plain, vit, 55)
      let pinned: TrueAllocation[] = []
      for (let at = 0; at < 60; at += 1) {
        const length = 1 + ((at * 37) % 23)
        const batch = [3, 5, 7].map((times) => run.make(times * length * 9 * MiB, line))
        const kept = run.make(24 * MiB, [own('snapshot', 'ema.py', 8), ...plain])
        run.free(batch)
        pinned = [...pinned, kept]
        if (pinned.length > 30) run.free(pinned.splice(0, 1))
      }
      return run.fail(1400 * MiB, line).snapshot()
    },
  },
}

const healthy: Record<string, HeldOut> = {
  'all but the last MiB is in use and nothing fails': {
    accepts: ['healthy'],
    snapshot: () => {
      const run = new HeldOutRun()
      return steps(run, 20, trainer, (at) => at < 3 && run.make(300 * MiB, [own('warm', 'main.py', 9), ...start])).snapshot()
    },
  },
  'the cache is emptied again and again to make room': {
    accepts: ['healthy'],
    snapshot: () => {
      const run = new HeldOutRun()
      return steps(run, 20, fsdp, (at) => {
        run.free([run.make((60 + 7 * at) * MiB, forward(fsdp, gpt, 90))])
        run.allocator.emptyCache()
      }).snapshot()
    },
  },
  'a batch size that was too large is caught and halved': {
    accepts: ['healthy'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      const tried = run.forward(4, 8 * MiB, vit, trainer)
      run.fail(32 * MiB, forward(trainer, vit, 41))
      run.free(tried)
      for (let at = 0; at < 12; at += 1) run.step(small, 4, 4 * MiB, vit, trainer)
      return run.snapshot()
    },
  },
  'a model grows while it is loaded, and then serves': {
    accepts: ['healthy'],
    snapshot: () => {
      const run = new HeldOutRun({ expandable: true })
      run.all(transformer(9), loading)
      for (let at = 0; at < 30; at += 1) run.free(run.forward(9, 512 * KiB, gpt, plain))
      return run.snapshot()
    },
  },
}

export const heldOutGrowth: Readonly<Record<string, HeldOut>> = { ...leaks, ...tiny, ...passes, ...gradients, ...others, ...healthy }
