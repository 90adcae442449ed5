// What the models of the runs hold, by their shape alone: nothing here looks at an index.

export interface LlamaShape {
  readonly vocabulary: number
  readonly hidden: number
  readonly intermediate: number
  readonly layers: number
  /** Width of keys and values: key-value heads × width of a head. */
  readonly keyValue: number
  readonly bytesEach: number
}

/** Bytes of each parameter, in the order of `model.parameters()`; the head is not tied to the embedding. */
export function llamaParameters({ vocabulary, hidden, intermediate, layers, keyValue, bytesEach }: LlamaShape): number[] {
  const table = vocabulary * hidden
  const attention = [hidden * hidden, keyValue * hidden, keyValue * hidden, hidden * hidden] // q, k, v, o
  const feedForward = [hidden * intermediate, hidden * intermediate, hidden * intermediate] // gate, up, down
  const layer = [...attention, ...feedForward, hidden, hidden] // and two norms
  return [table, ...Array.from({ length: layers }, () => layer).flat(), hidden, table].map((count) => count * bytesEach)
}

/** Bytes of LoRA's pairs for q_proj and v_proj, PEFT's choice for Llama: A is rank × in, B is out × rank, both float32. */
export const loraParameters = ({ hidden, keyValue, layers }: LlamaShape, rank: number): number[] =>
  Array.from({ length: layers }, () => [rank * hidden, hidden * rank, rank * hidden, keyValue * rank]).flatMap((layer) =>
    layer.map((count) => count * 4),
  )

export const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0)

/** Two states for each parameter, in the order in which AdamW makes them. */
export const adamStates = (parameters: readonly number[]): number[] => parameters.flatMap((bytes) => [bytes, bytes])

/** The model of the `ft_*` runs, of `annotated` and of `offload_device_map`: bfloat16. */
export const smallLlama: LlamaShape = { vocabulary: 32_000, hidden: 512, intermediate: 1408, layers: 4, keyValue: 128, bytesEach: 2 }

/** Those of `oom_opt_state_0` and `_1`: float32. */
export const optStateLlamas: readonly LlamaShape[] = [
  { vocabulary: 32_000, hidden: 1024, intermediate: 2816, layers: 8, keyValue: 256, bytesEach: 4 },
  { vocabulary: 32_000, hidden: 768, intermediate: 2112, layers: 12, keyValue: 192, bytesEach: 4 },
]
