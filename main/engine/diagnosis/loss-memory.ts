// What is held for the loss: what its function made, and what is as large as its input (the logits, and their gradients). Checkpointing of layers does not
// drop it; computing the loss in parts does.

const lossFile = /[/\\]torch[/\\]nn[/\\]modules[/\\]loss\.py|[/\\]transformers[/\\]loss[/\\]/
const functional = /[/\\]torch[/\\]nn[/\\]functional\.py/
const lossName = /(?:^|_)(?:cross_entropy|nll_loss|log_softmax)/
/** Of `torch.nn.functional`: the function of a program that is called so may call the whole model. */
const functionalLoss = /_loss$|^kl_div$/

/** Whether a loss function made it, by the text of the stack, one frame a line. */
export const isLossStack = (text: string | null): boolean =>
  (text ?? '').split('\n').some((line) => {
    const at = line.lastIndexOf(' (')
    const name = at < 0 ? line : line.slice(0, at)
    return lossFile.test(line) || lossName.test(name) || (functional.test(line) && functionalLoss.test(name))
  })

interface Made {
  readonly stackId: number
  readonly requestedBytes: number
  readonly bytes: number
  readonly category: string
}

interface Moment<T extends Made> {
  readonly held: readonly T[]
  readonly stacks: readonly { readonly stackId: number; readonly isLoss: boolean }[]
  readonly request: { readonly bytes: number; readonly isLoss: boolean } | null
}

export interface LossMemory<T> {
  readonly allocations: ReadonlySet<T>
  /** Rounded. */
  readonly bytes: number
  /** What was asked for belongs to it. */
  readonly hasRequest: boolean
}

/** Smaller inputs have sizes that others share by chance. */
const leastInput = 2 ** 20
/** The same numbers in half or twice the width. */
const widths = [0.5, 1, 2]
/** Labels that are shifted leave out a token, and sizes are rounded. */
const room = 0.01
/** What other parts of a step never are, whatever their size. */
const otherCategories: readonly string[] = ['parameter', 'gradient', 'optimizer_state', 'workspace', 'kv_cache', 'input']

/** Of what the step at hand made: results that are kept from step to step are as large by chance. */
export function lossMemoryOf<T extends Made>({ held, stacks, request }: Moment<T>): LossMemory<T> {
  const lossStacks = new Set(stacks.flatMap(({ stackId, isLoss }) => (isLoss ? [stackId] : [])))
  const made = held.filter(({ stackId }) => lossStacks.has(stackId)).map(({ requestedBytes }) => requestedBytes)
  const largest = Math.max(0, ...made, request?.isLoss ? request.bytes : 0)
  const isInput = (bytes: number): boolean =>
    largest >= leastInput && widths.some((width) => Math.abs(bytes - largest * width) <= room * largest * width)
  const allocations = held.filter(
    ({ stackId, requestedBytes, category }) => lossStacks.has(stackId) || (!otherCategories.includes(category) && isInput(requestedBytes)),
  )
  return {
    allocations: new Set(allocations),
    bytes: allocations.reduce((sum, { bytes }) => sum + bytes, 0),
    hasRequest: request !== null && (request.isLoss || isInput(request.bytes)),
  }
}
