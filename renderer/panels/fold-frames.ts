// Which frames of a stack are worth a line: the program's own, and the telling ones at the top. Runs of others fold into a count.
import type { StackFrame } from '../../preload/contract/queries.ts'

export interface PlacedFrame {
  readonly frame: StackFrame
  readonly index: number // 0 = innermost
}

export type StackPart =
  | ({ readonly kind: 'frame' } & PlacedFrame)
  | { readonly kind: 'folded'; readonly frames: readonly PlacedFrame[]; readonly index: number }

const innermostShown = 2
const leastFolded = 2

/** Own frames and the two innermost telling ones stay; runs of at least two others become one counted part. */
export function foldFrames(frames: readonly StackFrame[]): StackPart[] {
  const parts: StackPart[] = []
  let run: PlacedFrame[] = []
  let telling = 0
  const flush = (): void => {
    const first = run[0]
    if (first && run.length >= leastFolded) parts.push({ kind: 'folded', frames: run, index: first.index })
    else parts.push(...run.map((placed) => ({ kind: 'frame', ...placed }) as const))
    run = []
  }
  for (const [index, frame] of frames.entries()) {
    const isTelling = frame.kind === 'library' && telling < innermostShown
    if (frame.kind !== 'noise') telling++
    if (frame.kind === 'own' || isTelling) {
      flush()
      parts.push({ kind: 'frame', frame, index })
    } else run.push({ frame, index })
  }
  flush()
  return parts
}

/** Names of the packages in folded frames, most frames first, at most three: "torch, transformers". */
export function packagesOf(frames: readonly StackFrame[]): string[] {
  const counts = new Map<string, number>()
  for (const { filename } of frames) {
    const name = /(?:site-packages|dist-packages)[\\/]([^\\/.]+)/.exec(filename)?.[1] ?? /(?:^|[\\/])(torch)[\\/]/.exec(filename)?.[1]
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts.entries()]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([name]) => name)
}

/** Last folder and file: "finetune/cases.py". */
export function shortFile(filename: string): string {
  return filename.split(/[\\/]/).slice(-2).join('/')
}
