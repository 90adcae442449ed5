// Stacks that a reader cannot tell apart as one row: their titles name the same line. Pure.
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'

type HeldStack = NonNullable<DiagnosisPage['held']>['stacks'][number]
type GrowingStack = DiagnosisPage['growing'][number]

function merged<T>(rows: readonly T[], keyOf: (row: T) => string, join: (a: T, b: T) => T): T[] {
  const byKey = new Map<string, T>()
  for (const row of rows) {
    const known = byKey.get(keyOf(row))
    byKey.set(keyOf(row), known === undefined ? row : join(known, row))
  }
  return [...byKey.values()]
}

/** By title and category, largest first. */
export const mergedStacks = (stacks: readonly HeldStack[]): HeldStack[] =>
  merged(
    stacks,
    ({ title, category }) => JSON.stringify([title, category]),
    (a, b) => ({ ...a, bytes: a.bytes + b.bytes, count: a.count + b.count }),
  ).sort((a, b) => b.bytes - a.bytes)

/** By title and kind, largest growth first. Memory ends when it does at the fastest pace. */
export const mergedGrowing = (growing: readonly GrowingStack[]): GrowingStack[] =>
  merged(
    growing,
    ({ title, kind }) => JSON.stringify([title, kind]),
    (a, b) => ({
      ...a,
      bytesPerStep: a.bytesPerStep === null || b.bytesPerStep === null ? null : a.bytesPerStep + b.bytesPerStep,
      grownBytes: a.grownBytes + b.grownBytes,
      stepsLeft: a.stepsLeft === null ? b.stepsLeft : b.stepsLeft === null ? a.stepsLeft : Math.min(a.stepsLeft, b.stepsLeft),
    }),
  ).sort((a, b) => b.grownBytes - a.grownBytes)
