// Programs that run out of memory, each by one mechanism, on the simulated allocator: sizes, names and loops are of no real run.
import { SimulatedAllocator, type TrueAllocation } from '../fixtures/allocator.ts'
import { snapshotOf } from '../fixtures/programs.ts'
import { frame } from '../fixtures/snapshots.ts'
import type { Value } from '../fixtures/values.ts'

const MiB = 1 << 20
const torch = '/env/lib/python3.12/site-packages/torch'
const script = '/project/kv_cache_optim/run.py'

/** The program's own frames below what it calls. Its folder and name say on purpose what it does not do. */
const called = (...frames: readonly Value[]): readonly Value[] => [...frames, frame('fit', script, 40), frame('<module>', script, 99)]

const stacks = {
  weights: called(frame('__init__', `${torch}/nn/modules/conv.py`, 12), frame('__init__', '/project/net.py', 5)),
  forward: (line: number) =>
    called(
      frame('forward', `${torch}/nn/modules/conv.py`, line),
      frame('_call_impl', `${torch}/nn/modules/module.py`, 1780),
      frame('forward', '/project/net.py', line),
      frame('_call_impl', `${torch}/nn/modules/module.py`, 1780),
    ),
  state: called(frame('_init_group', `${torch}/optim/sgd.py`, 60), frame('step', `${torch}/optim/sgd.py`, 90)),
  extend: called(
    frame('cat', '/project/attention.py', 8),
    frame('forward', '/project/attention.py', 20),
    frame('_call_impl', `${torch}/nn/modules/module.py`, 1780),
  ),
  load: called(frame('load_state_dict', `${torch}/nn/modules/module.py`, 2600)),
  capture: called(frame('__enter__', `${torch}/cuda/graphs.py`, 250)),
  own: (line: number) => [frame('remember', '/project/history.py', line), ...called()],
}

const parameterSizes = [3 * MiB, 5 * MiB, 4096, 7 * MiB, 9216]

class Program {
  readonly allocator = new SimulatedAllocator()

  make(bytes: number, frames: readonly Value[] | null, pool = 0): TrueAllocation {
    return this.allocator.alloc(bytes, 0, frames, pool)
  }

  free(allocations: readonly TrueAllocation[]): void {
    for (const one of allocations) this.allocator.free(one, false, null)
  }

  weights(): void {
    for (const bytes of parameterSizes) this.make(bytes, stacks.weights)
  }

  /** What a forward pass makes and its backward pass gives back. */
  forward(scale = 1): TrueAllocation[] {
    return [12, 14, 16, 18].map((line, at) => this.make((2 + at) * MiB * scale, stacks.forward(line)))
  }

  backward(made: readonly TrueAllocation[]): void {
    const gradients = parameterSizes.map((bytes) => this.make(bytes, []))
    this.free(made)
    this.free(gradients)
  }

  step(scale = 1): void {
    this.backward(this.forward(scale))
  }

  /** The allocator gives back what is wholly free before it gives up. */
  fail(bytes: number): Value {
    this.allocator.emptyCache()
    this.allocator.outOfMemory(bytes, 0)
    return snapshotOf(this.allocator)
  }
}

/** Runs `step` so often after the model is made, then asks for too much. */
function training(times: number, bytes: number, step: (program: Program, at: number) => void): Value {
  const program = new Program()
  program.weights()
  for (let at = 0; at < times; at += 1) step(program, at)
  return program.fail(bytes)
}

export const failures: Readonly<Record<string, { readonly label: string; readonly snapshot: () => Value }>> = {
  'one tensor a step is remembered': {
    label: 'steady_leak',
    snapshot: () =>
      training(30, 24 * MiB, (program) => {
        program.step()
        program.make(11 * MiB, stacks.own(4))
      }),
  },
  'the graph of every other forward pass is kept': {
    label: 'activation_residency',
    snapshot: () =>
      training(24, 24 * MiB, (program, at) => {
        program.step()
        if (at % 2 === 0) program.forward()
      }),
  },
  'one step is too large': {
    label: 'activation_residency',
    snapshot: () => {
      const program = new Program()
      program.weights()
      for (let at = 0; at < 6; at += 1) program.step()
      program.forward(8)
      return program.fail(40 * MiB)
    },
  },
  'a copy of all gradients is kept a step': {
    label: 'gradient_blowup',
    snapshot: () =>
      training(20, 24 * MiB, (program) => {
        program.step()
        for (const bytes of parameterSizes) program.make(bytes, stacks.own(7))
      }),
  },
  'thousands of small tensors are made': {
    label: 'metadata_bloat',
    snapshot: () => {
      const program = new Program()
      for (let at = 0; at < 6000; at += 1) program.make(3000, stacks.own(9))
      return program.fail(2048)
    },
  },
  'graphs keep pools of their own': {
    label: 'context_leak',
    snapshot: () =>
      training(12, 24 * MiB, (program, at) => {
        program.step()
        for (const bytes of [30 * MiB, 12 * MiB]) program.make(bytes, stacks.capture, 1 + at)
      }),
  },
  'a tensor is extended by copying it': {
    label: 'kv_cache_growth',
    snapshot: () => {
      const program = new Program()
      program.weights()
      let held = [0, 1].map(() => program.make(4 * MiB, stacks.extend))
      for (let at = 1; at < 40; at += 1) {
        const longer = held.map(() => program.make(4 * (at + 1) * MiB, stacks.extend))
        program.free(held)
        held = longer
        program.free(program.forward())
      }
      return program.fail(60 * MiB)
    },
  },
  'the optimizer makes its state': {
    label: 'optimizer_state',
    snapshot: () => {
      const program = new Program()
      program.weights()
      program.step()
      for (let at = 0; at < 6; at += 1) for (const bytes of parameterSizes) program.make(bytes, stacks.state)
      return program.fail(24 * MiB)
    },
  },
  'a model is loaded again and again, the last time in part': {
    label: 'weights_duplicated',
    snapshot: () => {
      const program = new Program()
      const model = [40 * MiB, ...[0, 1, 2, 3].flatMap(() => parameterSizes), 1024]
      for (const bytes of [...model, ...model.slice(0, 15)]) program.make(bytes, stacks.load)
      return program.fail(5 * MiB)
    },
  },
  'one result is as large as all there is': {
    label: 'single_huge_allocation',
    snapshot: () => training(8, 2000 * MiB, (program) => program.step()),
  },
  'long-lived small tensors lie between large ones that are gone': {
    label: 'fragmentation',
    snapshot: () => {
      const program = new Program()
      const large: TrueAllocation[] = []
      for (let at = 0; at < 40; at += 1) {
        large.push(program.make(17 * MiB, stacks.own(2)))
        program.make(2 * MiB, stacks.own(3))
      }
      program.free(large)
      return program.fail(300 * MiB)
    },
  },
}

/** A run that ends well. */
export function healthyRun(): Value {
  const program = new Program()
  program.weights()
  for (let at = 0; at < 20; at += 1) program.step()
  return snapshotOf(program.allocator)
}

/** A run that keeps 3 MiB with every one of its 24 steps, and ends before that is too much. */
export function leakingRun(): Value {
  const program = new Program()
  program.weights()
  for (let at = 0; at < 24; at += 1) {
    program.make(3 * MiB, stacks.own(11))
    program.step()
  }
  return snapshotOf(program.allocator)
}

/** A failure whose stacks are many, deep, and of long names. */
export function hostileFailure(name: string): Value {
  const program = new Program()
  for (let at = 0; at < 300; at += 1) {
    const frames = Array.from({ length: 40 }, (_, depth) => frame(`${name}${at}`, `/${name}/${name}${depth}.py`, at))
    program.make(3 * MiB, frames)
  }
  return program.fail(40 * MiB)
}
