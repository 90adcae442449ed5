// A third set of held-out programs: those of other programs whose first verdict had been wrong, reduced to what misled it.
import type { HeldOut } from './held-out-programs.ts'
import { HeldOutRun, KiB, loading, MiB, transformer } from './held-out-run.ts'
import { forward, lib, own, runners } from './held-out-stacks.ts'

const llama = 'transformers/models/qwen2/modeling_qwen2.py'
const { trainer, plain, start } = runners
const model = transformer(24, 20 * MiB)

const worker = [lib('load_model', 'vllm/v1/worker/gpu_worker.py', 240), lib('run_engine_core', 'vllm/v1/engine/core.py', 530), ...start]

export const heldOutThird: Readonly<Record<string, HeldOut>> = {
  'momentum is the first gradient copied, in no function of its own': {
    accepts: ['optimizer_state'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(model, loading)
      run.step(model, 8, 64 * KiB, 'vit.py')
      const momentum = [
        lib('_multi_tensor_sgd', 'torch/optim/sgd.py', 465),
        lib('step', 'torch/optim/sgd.py', 125),
        lib('wrapper', 'torch/optim/optimizer.py', 493),
        ...plain,
      ]
      run.all(model.slice(0, 60), momentum)
      return run.fail(18 * MiB, momentum).snapshot()
    },
  },
  'the gradients of the first backward pass do not fit beside the weights': {
    accepts: ['gradient_blowup'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(model, loading)
      // With checkpoints the pass runs each layer again, and so repeats itself without being a step.
      for (const bytes of [...model].reverse().slice(0, 200)) {
        run.free([run.make(2 * MiB, forward(trainer, llama, 46)), run.make(8 * MiB, [])])
        run.make(bytes, [])
      }
      return run.fail(18 * MiB, []).snapshot()
    },
  },
  'gradients are copied once, in 32 bits, to be clipped': {
    accepts: ['gradient_blowup'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(model, loading)
      run.backward(run.forward(4, 64 * KiB, llama, trainer), model)
      const clone = [own('clone_grads', 'clip.py', 40), ...start]
      run.all(
        model.slice(0, 180).map((bytes) => 2 * bytes),
        clone,
      )
      return run.fail(36 * MiB, clone).snapshot()
    },
  },
  'hooks of the backward pass make the gradients of single samples': {
    accepts: ['gradient_blowup'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(model, loading)
      const kept = run.forward(6, 4 * MiB, 'bert.py')
      const hook = [
        lib('compute_linear_grad_sample', 'opacus/grad_sample/linear.py', 45),
        lib('capture_backprops_hook', 'opacus/grad_sample/grad_sample_module.py', 330),
      ]
      run.all(
        model.slice(-60).map((bytes) => 16 * bytes),
        hook,
      )
      run.free(kept.slice(-4))
      return run.fail(16 * 18 * MiB, hook).snapshot()
    },
  },
  'a server lays out the blocks of its cache layer by layer': {
    accepts: ['kv_cache_growth'],
    snapshot: () => {
      const run = new HeldOutRun()
      run.all(model, [lib('create_weights', 'vllm/model_executor/layers/linear.py', 412), ...worker])
      const blocks = [lib('_allocate_kv_cache_tensors', 'vllm/v1/worker/gpu_model_runner.py', 2560), ...worker]
      for (let layer = 0; layer < 32; layer += 1) run.make(96 * MiB, blocks)
      return run.fail(96 * MiB, blocks).snapshot()
    },
  },
  'a table is made and kept for every new length': {
    accepts: ['steady_leak'],
    snapshot: () => {
      const run = new HeldOutRun()
      const small = transformer(4, 20 * MiB)
      run.all(small, loading)
      for (let step = 0; step < 60; step += 1) {
        const kept = run.forward(4, 256 * KiB, 'net.py')
        // Two lines of the module that every pass goes through, not the graph behind them.
        run.make((20 + ((step * 7) % 31)) * MiB, forward(plain, 'net.py', 70))
        run.make((2 + ((step * 7) % 31)) * MiB, forward(plain, 'net.py', 72))
        run.free(run.backward(kept, small))
      }
      return run.fail(40 * MiB, forward(plain, 'net.py', 70)).snapshot()
    },
  },
  'what a copying stream has freed is of no use to the one that computes': {
    accepts: ['fragmentation'],
    snapshot: () => {
      const run = new HeldOutRun()
      const side = 0x55d0
      const copies = [own('prefetch', 'loader.py', 52), ...start]
      run.free(Array.from({ length: 4 }, () => run.make(600 * MiB, copies, 0, side)))
      const pairs = Array.from({ length: 35 }, () => [run.make(55 * MiB, copies, 0, side), run.make(12 * MiB, copies, 0, side)] as const)
      run.free(pairs.map(([large]) => large))
      for (let at = 0; at < 12; at += 1) run.make(150 * MiB, forward(plain, 'net.py', 40))
      return run.fail(150 * MiB, forward(plain, 'net.py', 40)).snapshot()
    },
  },
}
