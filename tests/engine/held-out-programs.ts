// Programs that were written before any rule saw them, under frameworks and with sizes that no rule was made with. `accepts`: every verdict that a
// careful reader could give first.
import type { Value } from '../fixtures/values.ts'
import { convolutions, HeldOutRun, KiB, loading, MiB, transformer } from './held-out-run.ts'
import { forward, lib, own, runners } from './held-out-stacks.ts'

export interface HeldOut {
  readonly accepts: readonly string[]
  /** A mechanism that is there too, though not enough for the verdict. */
  readonly among?: string
  readonly snapshot: () => Value
}

const small = transformer(6)
const llama = 'transformers/models/llama/modeling_llama.py'
const { trainer, lightning, plain, start } = runners

const adamState = (step: readonly Value[]): Value[] => [lib('_init_group', 'torch/optim/adamw.py', 170), ...step]
const optimizerStep = (below: readonly Value[]): Value[] => [
  lib('step', 'torch/optim/adamw.py', 230),
  lib('_use_grad', 'torch/optim/optimizer.py', 80),
  lib('wrapper', 'torch/optim/optimizer.py', 485),
  ...below,
]

const optimizers: Record<string, HeldOut> = {
  'Trainer: AdamW sets up its state and stops half way': {
    accepts: ['optimizer_state'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      run.backward(run.forward(6, 2 * MiB, llama, trainer), small)
      const state = adamState(optimizerStep([lib('step', 'accelerate/optimizer.py', 165), ...trainer]))
      run.all(
        small.slice(0, 40).flatMap((bytes) => [bytes, bytes]),
        state,
      )
      return run.fail(18 * MiB, state).snapshot()
    },
  },
  'DeepSpeed: partitions in 32 bits and their moments': {
    accepts: ['optimizer_state'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(
        small.map((bytes) => bytes / 2),
        loading,
      )
      const zero = 'deepspeed/runtime/zero/stage_1_and_2.py'
      const made = [
        lib('_initialize_engine', 'deepspeed/runtime/engine.py', 1200),
        lib('initialize', 'deepspeed/__init__.py', 180),
        ...start,
      ]
      run.all([140 * MiB, 96 * MiB], [lib('__init__', zero, 470), ...made])
      const state = [
        lib('step', 'deepspeed/ops/adam/fused_adam.py', 130),
        lib('initialize_optimizer_states', zero, 690),
        lib('__init__', zero, 560),
        ...made,
      ]
      run.all([140 * MiB, 140 * MiB, 96 * MiB], state)
      return run.fail(96 * MiB, state).snapshot()
    },
  },
  'plain loop: temporaries of the first foreach step do not fit beside the state': {
    accepts: ['optimizer_state'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      run.backward(run.forward(6, 1 * MiB, llama), small)
      const step = optimizerStep(plain)
      run.all(
        small.flatMap((bytes) => [512, bytes, bytes]),
        adamState(step),
      )
      const foreach = [lib('_multi_tensor_adamw', 'torch/optim/adamw.py', 560), lib('adamw', 'torch/optim/adamw.py', 740), ...step]
      run.all(small.slice(0, 50), foreach)
      return run.fail(18 * MiB, foreach).snapshot()
    },
  },
  'Lightning: the state of the first step leaves no room for the second forward pass': {
    accepts: ['optimizer_state', 'activation_residency'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      const gradients = run.backward(run.forward(6, 1 * MiB, llama, lightning), small)
      run.all(
        small.flatMap((bytes) => [bytes, bytes]),
        adamState(optimizerStep(lightning)),
      )
      run.free(gradients)
      run.forward(2, 1 * MiB, llama, lightning)
      return run.fail(4 * MiB, forward(lightning, llama, 41)).snapshot()
    },
  },
}

/** Decodes token by token; `extend` answers what holds keys and values after each. */
function decode(layers: number, tokens: number, frames: readonly Value[], asked: number): Value {
  const run = new HeldOutRun()
  run.all(transformer(layers, 24 * MiB), loading)
  let held = Array.from({ length: 2 * layers }, () => run.make(96 * KiB * 16, frames))
  for (let token = 1; token < tokens; token += 1) {
    held = held.map((old) => {
      const longer = run.make(96 * KiB * (16 + token), frames)
      run.free([old, run.make(300 * KiB, forward(start, llama, 70))])
      return longer
    })
  }
  return run.fail(asked, frames).snapshot()
}

const caches: Record<string, HeldOut> = {
  'generate() with a dynamic cache': {
    accepts: ['kv_cache_growth', 'fragmentation'],
    snapshot: () =>
      decode(
        6,
        80,
        [
          lib('update', 'transformers/cache_utils.py', 120),
          ...forward(
            [lib('_sample', 'transformers/generation/utils.py', 2900), lib('generate', 'transformers/generation/utils.py', 2200), ...start],
            llama,
            270,
          ),
        ],
        96 * 96 * KiB,
      ),
  },
  'keys and values that a plain function extends by cat': {
    accepts: ['kv_cache_growth', 'fragmentation'],
    snapshot: () =>
      decode(
        5,
        90,
        [own('attend', 'decode.py', 31), own('layer', 'decode.py', 52), own('sample', 'decode.py', 80), ...start],
        106 * 96 * KiB,
      ),
  },
  'a cache whose blocks are added to a list, layer by layer': {
    accepts: ['kv_cache_growth', 'steady_leak', 'activation_residency'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      const frames = [own('append', 'paged_cache.py', 40), ...forward([own('sample', 'decode.py', 80), ...start], 'models/attn.py', 77)]
      for (let token = 0; token < 60; token += 1) {
        for (let layer = 0; layer < 12; layer += 1) run.make(1.25 * MiB, frames)
        run.free([run.make(6 * MiB, forward(start, 'models/attn.py', 80))])
      }
      return run.fail(20 * MiB, frames).snapshot()
    },
  },
}

const copies: Record<string, HeldOut> = {
  'a reference model made by deepcopy': {
    accepts: ['weights_duplicated'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      const copy = [
        lib('__deepcopy__', 'torch/nn/parameter.py', 68),
        own('deepcopy', '../../opt/conda/lib/python3.11/copy.py', 143),
        own('_deepcopy_dict', '../../opt/conda/lib/python3.11/copy.py', 221),
        lib('create_reference_model', 'trl/models/modeling_base.py', 600),
        ...start,
      ]
      run.all(small.slice(0, 47), copy)
      return run.fail(18 * MiB, copy).snapshot()
    },
  },
  'a checkpoint read to the device beside the model that it is for': {
    accepts: ['weights_duplicated'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      const read = [
        lib('_cuda_deserialize', 'torch/serialization.py', 600),
        lib('restore_location', 'torch/serialization.py', 1500),
        lib('load', 'torch/serialization.py', 1400),
        own('resume', 'main.py', 30),
        ...start,
      ]
      run.all([...small].reverse().slice(0, 52), read)
      return run.fail(18 * MiB, read).snapshot()
    },
  },
  'weights in half precision made beside those in full': {
    accepts: ['weights_duplicated'],
    snapshot: () => {
      const run = new HeldOutRun({ expandable: true })
      run.all(
        convolutions.flatMap((bytes) => [bytes, 4 * bytes]),
        loading,
      )
      const half = [
        lib('<lambda>', 'torch/nn/modules/module.py', 1100),
        lib('_apply', 'torch/nn/modules/module.py', 900),
        lib('half', 'torch/nn/modules/module.py', 1100),
        own('serve', 'main.py', 60),
        ...start,
      ]
      run.all(
        convolutions.flatMap((bytes) => [Math.round(bytes / 2), 2 * bytes]),
        half,
      )
      return run.fail(60 * MiB, half).snapshot()
    },
  },
}

const huge: Record<string, HeldOut> = {
  'attention scores of a whole document at once': {
    accepts: ['single_huge_allocation', 'activation_residency'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      for (let at = 0; at < 5; at += 1) run.step(small, 6, 1 * MiB, llama, trainer)
      run.forward(1, 6 * MiB, llama, trainer)
      return run.fail(3000 * MiB, [lib('eager_attention_forward', llama, 190), ...forward(trainer, llama, 230)]).snapshot()
    },
  },
  'all distances of a point set in a script without modules': {
    accepts: ['single_huge_allocation'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all([40 * MiB, 40 * MiB], [own('read', 'points.py', 10), ...start])
      run.free(run.all([3 * MiB, 4 * MiB], [own('scale', 'points.py', 20), ...start]))
      const frames = [lib('cdist', 'torch/functional.py', 1500), own('neighbours', 'points.py', 31), ...start]
      return run.fail(38_000 * MiB, frames).snapshot()
    },
  },
  'logits of a large vocabulary in 32 bits': {
    accepts: ['single_huge_allocation', 'activation_residency'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      run.forward(6, 3 * MiB, llama, trainer)
      run.make(250 * MiB, forward(trainer, llama, 820))
      const loss = [lib('ForCausalLMLoss', 'transformers/loss/loss_utils.py', 50), ...forward(trainer, llama, 830)]
      return run.fail(500 * MiB, loss).snapshot()
    },
  },
}

export const heldOut: Readonly<Record<string, HeldOut>> = { ...optimizers, ...caches, ...copies, ...huge }
