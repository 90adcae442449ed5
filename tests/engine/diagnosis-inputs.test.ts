// Which files of a diagnosis belong together.
import { expect, test } from 'vitest'
import { groupsOf, type InputKind } from '../../main/engine/diagnosis/inputs.ts'

test('files of ten thousands of folders are grouped in one pass', () => {
  const kinds: readonly InputKind[] = ['snapshot', 'log', 'metrics']
  // What grows with the square of the folders would not end in the time that a test has.
  const found = new Map(Array.from({ length: 90_000 }, (_, at) => [`/runs/${at % 30_000}/${at}`, kinds[Math.floor(at / 30_000)] ?? 'log']))
  const groups = groupsOf(found)
  expect(groups).toHaveLength(30_000)
  expect(groups[7]).toEqual({ folder: '/runs/7', snapshots: ['/runs/7/7'], logs: ['/runs/7/30007'], metrics: ['/runs/7/60007'] })
})
