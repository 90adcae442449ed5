// A second set of held-out programs, written after the rules had been mended for the first.
import type { HeldOut } from './held-out-programs.ts'
import { convolutions, HeldOutRun, KiB, loading, MiB, transformer } from './held-out-run.ts'
import { forward, lib, own, runners } from './held-out-stacks.ts'

const resnet = 'torchvision/models/resnet.py'
const llama = 'transformers/models/qwen2/modeling_qwen2.py'
const { trainer, lightning, plain, start } = runners
const small = transformer(4, 20 * MiB)

export const heldOutSecond: Readonly<Record<string, HeldOut>> = {
  'a static cache is made for the longest prompt at once': {
    accepts: ['kv_cache_growth', 'single_huge_allocation'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(transformer(12), loading)
      const cache = [
        lib('__init__', 'transformers/cache_utils.py', 1100),
        lib('_get_cache', 'transformers/generation/utils.py', 1700),
        lib('generate', 'transformers/generation/utils.py', 2100),
        ...start,
      ]
      for (let layer = 0; layer < 10; layer += 1) run.all([64 * MiB, 64 * MiB], cache)
      return run.fail(64 * MiB, cache).snapshot()
    },
  },
  'Adagrad makes its state when it is made': {
    accepts: ['optimizer_state'],
    snapshot: () => {
      const run = new HeldOutRun()
      const tables = [180 * MiB, 90 * MiB, 44 * MiB, 20 * MiB, 12 * MiB, 2 * MiB]
      run.all(tables, [lib('__init__', 'torch/nn/modules/sparse.py', 140), own('__init__', 'tables.py', 12), ...start])
      const state = [lib('__init__', 'torch/optim/adagrad.py', 90), own('build', 'main.py', 50), ...start]
      run.all(tables.slice(0, 4), state)
      return run.fail(12 * MiB, state).snapshot()
    },
  },
  'the hidden state of a recurrent net is never detached': {
    accepts: ['activation_residency', 'steady_leak'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(convolutions, loading)
      const cell = (line: number) => [
        lib('forward', 'torch/nn/modules/rnn.py', line),
        lib('_call_impl', 'torch/nn/modules/module.py', 1750),
        ...lightning,
      ]
      for (let at = 0; at < 35; at += 1) {
        const gradients = run.all(convolutions, [])
        for (const line of [700, 702, 705, 711]) run.make(1.5 * MiB, cell(line))
        run.free([run.make(9 * MiB, cell(720)), ...gradients])
      }
      return run.fail(9 * MiB, cell(720)).snapshot()
    },
  },
  'each transition of a game is kept as five small tensors': {
    accepts: ['metadata_bloat', 'steady_leak'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all([300 * KiB, 700 * KiB, 64 * KiB], loading)
      const keep = [16, 17, 18, 19, 20].map((line) => [own('push', 'memory.py', line), own('play', 'agent.py', 60), ...start])
      for (let at = 0; at < 700; at += 1) for (const [each, frames] of keep.entries()) run.make([3136, 4, 4, 3136, 1][each] ?? 4, frames)
      return run.fail(3136, keep[0] ?? []).snapshot()
    },
  },
  'a decoder turns all latents into pictures at once': {
    accepts: ['single_huge_allocation', 'activation_residency'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(transformer(8), loading)
      run.free(run.forward(4, 3 * MiB, 'diffusers/models/autoencoders/vae.py', start))
      run.make(256 * MiB, forward(start, 'diffusers/models/autoencoders/vae.py', 300))
      return run.fail(1024 * MiB, forward(start, 'diffusers/models/autoencoders/vae.py', 310)).snapshot()
    },
  },
  'validation without no_grad keeps what each batch made': {
    accepts: ['activation_residency', 'steady_leak'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(convolutions, loading)
      run.all(convolutions, [lib('_init_group', 'torch/optim/sgd.py', 80), lib('step', 'torch/optim/sgd.py', 110), ...plain])
      for (let at = 0; at < 8; at += 1) run.step(convolutions, 5, 700 * KiB, resnet, plain)
      const evaluate = [own('evaluate', 'main.py', 70), ...start]
      for (let at = 0; at < 10; at += 1) run.forward(5, 1400 * KiB, resnet, evaluate)
      return run.fail(5600 * KiB, forward(evaluate, resnet, 41)).snapshot()
    },
  },
  'an average of the weights is made beside them': {
    accepts: ['weights_duplicated'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      const average = [
        lib('__deepcopy__', 'torch/nn/parameter.py', 60),
        lib('__init__', 'torch/optim/swa_utils.py', 230),
        own('main', 'main.py', 40),
        ...start,
      ]
      run.all(small.slice(0, 38), average)
      return run.fail(18 * MiB, average).snapshot()
    },
  },
  'scores of an evaluation are joined, and then sorted': {
    accepts: ['steady_leak', 'single_huge_allocation'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      const join = [own('gather', 'metrics.py', 18), own('evaluate', 'main.py', 70), ...start]
      let all = run.make(8 * MiB, join)
      for (let at = 2; at < 70; at += 1) {
        run.free(run.forward(4, 1 * MiB, llama, trainer))
        const longer = run.make(8 * at * MiB, join)
        run.free([all])
        all = longer
      }
      return run.fail(1100 * MiB, [own('rank', 'metrics.py', 30), ...start]).snapshot()
    },
  },
  'what a hook notes is cleared at the end of each epoch': {
    accepts: ['healthy'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      for (let epoch = 0; epoch < 4; epoch += 1) {
        const noted = []
        for (let at = 0; at < 6; at += 1) {
          run.step(small, 4, 1 * MiB, llama, trainer)
          noted.push(run.make(20 * MiB, [own('hook', 'probe.py', 9), ...trainer]))
        }
        run.free(noted)
      }
      return run.snapshot()
    },
  },
}
