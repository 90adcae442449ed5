// One held-out run on the simulated allocator: a model of given sizes, its passes, and how it ends.
import { type AllocatorOptions, SimulatedAllocator, type TrueAllocation } from '../fixtures/allocator.ts'
import { snapshotOf } from '../fixtures/programs.ts'
import type { Value } from '../fixtures/values.ts'
import { forward, lib, runners } from './held-out-stacks.ts'

export const KiB = 1 << 10
export const MiB = 1 << 20
export const GiB = 2 ** 30

type Frames = readonly Value[] | null

/** A transformer block: attention, two large matrices, two norms, four biases. */
const blockSizes = [4.5 * MiB, 4.5 * MiB, 18 * MiB, 18 * MiB, 6 * KiB, 6 * KiB, 6 * KiB, 24 * KiB, 6 * KiB, 6 * KiB]

/** Bytes of the parameters of a model: an embedding, blocks, a head. */
export const transformer = (blocks: number, embedding = 48 * MiB): number[] => [
  embedding,
  ...Array.from({ length: blocks }, () => blockSizes).flat(),
  6 * KiB,
  embedding + 2 * MiB,
]

/** A convolutional model: no two layers alike. */
export const convolutions = [37, 576, 1126, 2354, 4710, 9420, 0.25, 0.5, 1, 2, 8396].map((kib) => kib * KiB)

export const loading = [
  lib('<lambda>', 'torch/nn/modules/module.py', 1340),
  lib('_apply', 'torch/nn/modules/module.py', 900),
  lib('to', 'torch/nn/modules/module.py', 1350),
  ...runners.start,
]

export class HeldOutRun {
  readonly allocator: SimulatedAllocator
  readonly #options: AllocatorOptions
  readonly #frames = new Map<TrueAllocation, Frames>()

  constructor(options: AllocatorOptions = {}) {
    this.#options = options
    this.allocator = new SimulatedAllocator(options)
  }

  make(bytes: number, frames: Frames, pool = 0, stream = 0): TrueAllocation {
    const made = this.allocator.alloc(bytes, stream, frames, pool)
    this.#frames.set(made, frames)
    return made
  }

  all(sizes: readonly number[], frames: Frames): TrueAllocation[] {
    return sizes.map((bytes) => this.make(bytes, frames))
  }

  free(allocations: readonly TrueAllocation[]): void {
    for (const one of allocations) this.allocator.free(one, false, null)
  }

  /** Activations of each layer: each has what it needs in between, and gives that back. */
  forward(layers: number, bytes: number, file: string, below: readonly Value[] = runners.plain): TrueAllocation[] {
    const embedded = this.make(bytes, forward(below, file, 30))
    const blocks = Array.from({ length: layers }, () => {
      const kept = [1, 4, 1, 2].map((times, at) => this.make(times * bytes, forward(below, file, 40 + at)))
      this.free([this.make(2 * bytes, forward(below, file, 60))])
      return kept
    }).flat()
    return [embedded, ...blocks]
  }

  /** Gives back the activations, last first, and makes the gradients. */
  backward(made: readonly TrueAllocation[], parameters: readonly number[], frames: Frames = []): TrueAllocation[] {
    const gradients: TrueAllocation[] = []
    const reversed = [...made].reverse()
    const each = Math.ceil(reversed.length / parameters.length)
    ;[...parameters].reverse().forEach((bytes, at) => {
      gradients.push(this.make(bytes, frames))
      this.free(reversed.slice(at * each, (at + 1) * each))
    })
    return gradients
  }

  step(parameters: readonly number[], layers: number, bytes: number, file: string, below: readonly Value[] = runners.plain): void {
    this.free(this.backward(this.forward(layers, bytes, file, below), parameters))
  }

  /** Asks for too much: the cache is emptied first, as the allocator does. deviceFree: what the driver had; unless given, a cap held the program back. */
  fail(bytes: number, frames: Frames = [], deviceFree = 60 * GiB): this {
    this.allocator.emptyCache()
    this.allocator.outOfMemory(bytes, 0)
    const entry = this.allocator.events.pop() as Record<string, Value>
    this.allocator.events.push({ ...entry, device_free: deviceFree, ...(frames === null ? {} : { frames }) })
    return this
  }

  /** last: only so many of the events, as a full ring buffer keeps. */
  snapshot(last?: number): Value {
    const value = snapshotOf(this.allocator, this.#options, last) as Readonly<Record<string, Value>>
    return { ...value, segments: (value.segments as readonly Value[]).map((segment) => this.#withFrames(segment)) }
  }

  /** Blocks carry the stacks that made them, as those of PyTorch do. */
  #withFrames(segment: Value): Value {
    const { blocks, ...rest } = segment as Readonly<Record<string, Value>>
    const held = new Map(this.allocator.held().map((one) => [one.address, this.#frames.get(one) ?? []]))
    const named = (blocks as readonly Readonly<Record<string, Value>>[]).map((block) =>
      block.state === 'inactive' ? block : { ...block, frames: held.get(block.address as bigint) ?? [] },
    )
    return { ...rest, blocks: named }
  }
}
