import { expect, it } from 'vitest'
import type { DiagnosisSituation } from '../../preload/contract/diagnosis.ts'
import { comparison, outcomeText, partsText, sumNotes, unitOf } from './amounts.ts'
import { arithmeticOf } from './arithmetic.ts'
import { mib, page } from './test-page.ts'
import { diagnosisText as t } from './words.ts'

const gib = 1024 * mib

/** The unit of a sum that goes up to `most`, and how it writes that. */
function written(most: number, precisionBytes: number): string {
  const sum = arithmeticOf({ ...page.situation, largestFreeBytes: gib })
  if (!sum) throw new Error('no sum')
  const unit = unitOf({ ...sum, most }, precisionBytes)
  return `${unit.text(most)} ${unit.name}`
}

it('writes a sum in the unit of its largest number, with no more digits than are known', () => {
  expect(written(139.8 * gib, 0)).toBe('139.80 GiB')
  expect(written(139.8 * gib, 50 * mib)).toBe('139.8 GiB')
  expect(written(139.8 * gib, gib)).toBe('140 GiB')
  expect(written(2048 * mib, 0)).toBe('2,048.0 MiB')
  expect(written(2048 * mib, mib)).toBe('2,048 MiB')
  expect(written(mib, 0)).toBe('1,024.0 KiB')
})

/** What a reader sees of each bar. */
function linesOf(change: Partial<DiagnosisSituation>): string[] {
  const situation = { ...page.situation, ...change }
  const sum = arithmeticOf(situation)
  if (!sum) throw new Error('no sum')
  const unit = unitOf(sum, 0)
  const bars = sum.bars.map((bar) => `${partsText(bar, unit, t)} | ${comparison(bar, unit)} | ${outcomeText(bar, unit, t)}`)
  return [...bars, ...sumNotes(sum, situation, unit, t)]
}

it('leaves GiB where a part would have no digits left in it', () => {
  const [allocated] = linesOf({ allocatedBytes: 20 * gib, requestedBytes: 20 * mib, segmentBytes: 20 * mib, reservedBytes: 21 * gib })
  expect(allocated).toContain('allocated 20,480.0 + request 20.0')
})

it('takes so many digits that shown parts add up to the shown sum, and that sums on two sides of a limit differ', () => {
  const third = mib / 3
  const [allocated] = linesOf({ allocatedBytes: 100 * mib + 0.06 * mib, requestedBytes: 300 * mib + 0.06 * mib, limitBytes: 2048 * mib })
  expect(allocated).toContain('allocated 100.06 + request 300.06 | 400.12 <')
  const [near] = linesOf({
    allocatedBytes: 1000 * mib,
    requestedBytes: 48 * mib + 0.04 * mib,
    limitBytes: 1048 * mib,
    allowedBytes: 1048 * mib,
  })
  expect(near).toContain('1,048.04 > 1,048.00 | 0.04 too much')
  // No digits make thirds add up: the last part takes what is left.
  expect(linesOf({ allocatedBytes: third, requestedBytes: third, limitBytes: 2048 * mib })[0]).toContain(
    'allocated 0.3 + request 0.4 | 0.7 <',
  )
})

it('says how a limit that no source names is known, and why what was reserved was no use', () => {
  const range = {
    isLimitKnown: false,
    allowedBytes: null,
    limitBytes: 1680 * mib,
    limitAtLeastBytes: 1700 * mib,
    limitBelowBytes: 2082 * mib,
  }
  const lines = linesOf({ ...range, segmentBytes: 402 * mib })
  expect(lines.slice(3)).toEqual([
    'No source names the limit. It is at least 1,700.0 MiB, which were reserved at one time, and below 2,082.0 MiB, which were refused although the device had room.',
    'The 1,441.5 MiB reserved but free were no use for it: the largest block that it could take was 54.0 MiB.',
    'A request of 400.0 MiB takes a segment of 402.0 MiB: PyTorch reserves in multiples of 2 MiB.',
  ])
  // A sum is not compared with itself.
  expect(lines[1]).toContain('| 2,082.0 | refused')
  expect(linesOf({ ...range, limitBelowBytes: 2000 * mib })[1]).toContain('2,080.0 > 2,000.0 | less was refused')
  expect(linesOf({ ...range, deviceFreeBytes: mib })[3]).toMatch(/which were refused\.$/)
  expect(linesOf({})).toHaveLength(3)
})
