// A fourth set of held-out programs: mechanisms that were there to be seen and that no rule saw, in the verdict or at least among the candidates.
import type { HeldOut } from './held-out-programs.ts'
import { GiB, HeldOutRun, KiB, loading, MiB, transformer } from './held-out-run.ts'
import { forward, lib, own, runners } from './held-out-stacks.ts'

const { plain, start } = runners
const model = transformer(12, 20 * MiB)
const small = transformer(4, 20 * MiB)

const copied = (name: string): ReturnType<typeof own>[] => [
  lib('__deepcopy__', 'torch/nn/parameter.py', 75),
  lib('deepcopy', '../copy.py', 153),
  own(name, 'copies.py', 12),
  ...start,
]

/** What a server's decoding loop holds of each sequence: tensors that are each made anew, longer. */
function lengthened(run: HeldOutRun, tensors: number, lengths: number, perToken: number): number {
  let held = Array.from({ length: tensors }, () => run.make(perToken * 200, null))
  for (let length = 201; length < 200 + lengths; length += 1) {
    held = held.map((old) => {
      const longer = run.make(perToken * length, null)
      run.free([old])
      return longer
    })
  }
  return perToken * (200 + lengths)
}

export const heldOutFourth: Readonly<Record<string, HeldOut>> = {
  'an optimizer that is no class of the library makes its state': {
    accepts: ['optimizer_state'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(model, loading)
      run.backward(run.forward(4, 64 * KiB, 'net.py'), model)
      const state = (line: number) => [own('init_state', 'sophia.py', line), own('step', 'sophia.py', 61), ...start]
      model.slice(0, 100).forEach((bytes) => {
        run.make(bytes, state(52))
        run.make(bytes, state(53))
      })
      return run.fail(18 * MiB, state(52)).snapshot()
    },
  },
  'an optimizer keeps the directions of its past steps': {
    accepts: ['optimizer_state'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all([64 * MiB, 16 * MiB, 9 * MiB], loading)
      const kept = (line: number) => [lib('step', 'torch/optim/lbfgs.py', line), lib('wrapper', 'torch/optim/optimizer.py', 487), ...start]
      for (let step = 0; step < 20; step += 1) {
        run.step([64 * MiB, 16 * MiB, 9 * MiB], 2, 64 * KiB, 'pinn.py')
        run.make(89 * MiB, kept(375))
        run.make(89 * MiB, kept(378))
      }
      return run.fail(89 * MiB, kept(375)).snapshot()
    },
  },
  'the best model of every fold is copied and kept': {
    accepts: ['weights_duplicated'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      for (let fold = 0; fold < 12; fold += 1) {
        run.step(small, 4, 256 * KiB, 'net.py')
        run.step(small, 4, 256 * KiB, 'net.py')
        run.all(small, copied('keep_best'))
      }
      return run.fail(18 * MiB, copied('keep_best')).snapshot()
    },
  },
  'a server lays out a pool of keys and values': {
    accepts: ['kv_cache_growth'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(model, loading)
      const pool = [
        own('_create_buffers', 'kv_pool.py', 77),
        own('__init__', 'kv_pool.py', 60),
        own('init_memory', 'runner.py', 210),
        ...start,
      ]
      for (let layer = 0; layer < 24; layer += 1) run.make(96 * MiB, pool)
      return run.fail(96 * MiB, pool).snapshot()
    },
  },
  'a wrong unit asks for more than any device has, and nothing else is held': {
    accepts: ['single_huge_allocation'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.free([run.make(80 * MiB, [own('window', 'spectro.py', 15), ...start])])
      return run.fail(410 * GiB, [own('spectrogram', 'spectro.py', 22), ...start], 23 * GiB).snapshot()
    },
  },
  'gradients are cloned with every step, of which the history holds the last only': {
    accepts: ['gradient_blowup', 'steady_leak', 'fragmentation'],
    among: 'gradient_blowup',
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, loading)
      for (let step = 0; step < 30; step += 1) {
        const gradients = run.backward(run.forward(4, 64 * KiB, 'net.py'), small)
        run.all(small, [own('snapshot', 'noise.py', 12), ...plain])
        run.free(gradients)
      }
      return run.fail(18 * MiB, forward(plain, 'net.py', 41)).snapshot(90)
    },
  },
  'without stacks, the gradients of every step are kept': {
    accepts: ['gradient_blowup', 'steady_leak', 'fragmentation'],
    among: 'gradient_blowup',
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, null)
      for (let step = 0; step < 20; step += 1) {
        run.free(Array.from({ length: 12 }, () => run.make(3 * MiB, null)))
        run.all([...small].reverse(), null)
      }
      return run.fail(18 * MiB, null).snapshot()
    },
  },
  'without stacks, a second model is loaded and not finished': {
    accepts: ['weights_duplicated'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(model, null)
      run.all(model.slice(0, 90), null)
      return run.fail(18 * MiB, null).snapshot()
    },
  },
  'without stacks, the results of all layers are kept with every step': {
    accepts: ['activation_residency', 'steady_leak', 'fragmentation'],
    among: 'activation_residency',
    snapshot: () => {
      const run = new HeldOutRun()
      run.all([7 * KiB, 300 * KiB, 1200 * KiB, 4700 * KiB], null)
      for (let step = 0; step < 40; step += 1) {
        for (const size of [32, 16, 8, 4]) {
          const workspace = run.make(size * MiB + 4 * KiB, null)
          run.make(size * MiB, null)
          run.make(size * MiB, null)
          run.free([workspace])
        }
      }
      return run.fail(32 * MiB, null).snapshot()
    },
  },
  'without stacks, tensors of one length are asked for anew, a little longer': {
    accepts: ['kv_cache_growth', 'steady_leak', 'fragmentation'],
    among: 'kv_cache_growth',
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(small, null)
      const next = lengthened(run, 48, 60, 64 * KiB)
      return run.fail(next, null).snapshot()
    },
  },
}
