import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DiagnosisSituation } from '../../preload/contract/diagnosis.ts'
import { comparison, limitText, outcomeText, partsText, unitOf } from './amounts.ts'
import { arithmeticOf, labelStretch } from './arithmetic.ts'
import { mib, page } from './test-page.ts'
import { diagnosisText as t } from './words.ts'

const of = (change: Partial<DiagnosisSituation> = {}) => arithmeticOf({ ...page.situation, ...change })

/** The bars as a reader sees them. */
function wordsOf(change: Partial<DiagnosisSituation> = {}): string[] {
  const sum = of(change)
  if (!sum) return []
  const unit = unitOf(sum, change.precisionBytes ?? 0)
  return sum.bars.map((bar) => [partsText(bar, unit, t), comparison(bar, unit), outcomeText(bar, unit, t)].join(' | '))
}

describe('the sum of a failure', () => {
  it('tells allocated and reserved with the request against the limit, and the largest block against the request', () => {
    expect(wordsOf()).toEqual([
      'allocated 238.5 + request 400.0 | 638.5 < 2,048.0 | 1,409.5 left',
      'allocated 238.5 + free inside 1,441.5 + request 400.0 | 2,080.0 > 2,048.0 | 32.0 too much',
      'largest 54.0 | 54.0 < 400.0 | 346.0 short',
    ])
  })

  it('says of a limit that is a range what was more than ever reserved, and what was refused', () => {
    const range = {
      isLimitKnown: false,
      allowedBytes: null,
      limitBytes: 1680 * mib,
      limitAtLeastBytes: 1700 * mib,
      limitBelowBytes: 2080 * mib,
    }
    const sum = of(range)
    expect([sum?.limit, sum?.limitBelow, sum?.isLimitKnown]).toEqual([1700 * mib, 2080 * mib, false])
    expect(sum && limitText(sum, unitOf(sum, 0), t)).toBe('limit 1,700.0–2,080.0')
    expect(wordsOf(range).map((words) => words.split(' | ').slice(1))).toEqual([
      ['638.5 < 1,700.0', '1,061.5 left'],
      ['2,080.0', 'refused'],
      ['54.0 < 400.0', '346.0 short'],
    ])
    expect(wordsOf({ ...range, allocatedBytes: 1500 * mib })[0]).toContain('1,900.0 > 1,700.0 | may not fit')
    expect(of({ ...range, isLimitKnown: true })?.limitBelow).toBeNull()
  })

  it('counts what others hold only where the limit is the whole device', () => {
    const outside = { deviceTotalBytes: 2048 * mib, outsideBytes: 1000 * mib }
    const kinds = (change: Partial<DiagnosisSituation>) => of(change)?.bars[1]?.parts.map(({ kind }) => kind)
    expect(kinds({ ...outside, allowedBytes: null })).toEqual(['allocated', 'free', 'outside', 'request'])
    expect(kinds({ ...outside, deviceTotalBytes: 4096 * mib })).toEqual(['allocated', 'free', 'request'])
    expect(of({ ...outside, reason: 'outside_pytorch', limitBytes: 1680 * mib, isLimitKnown: false })?.limit).toBe(2048 * mib)
  })

  it('enlarges a block that would be too short to see, and says by how much', () => {
    const sum = of({ requestedBytes: 2 * mib, segmentBytes: 20 * mib, largestFreeBytes: mib })
    const largest = sum?.bars.at(-1)
    expect(largest?.enlarged).toBeGreaterThan(1)
    const width = ((largest?.parts.at(-1)?.to ?? 0) / (sum?.most ?? 1)) * (largest?.enlarged ?? 0)
    expect(width).toBeGreaterThan(0.25)
    expect(width).toBeLessThan(0.75)
  })

  it('has no request and no unknown limit where nothing failed', () => {
    const peak = of({ isFailure: false, isLimitKnown: false, reason: 'unknown' })
    expect(peak?.limit).toBeNull()
    expect(peak?.bars.flatMap(({ parts }) => parts.map(({ kind }) => kind))).toEqual(['allocated', 'allocated', 'free'])
  })

  it('puts the number of a part on the longer side of the limit that crosses it', () => {
    const sum = of()
    if (!sum) throw new Error('no sum')
    const band = { ...sum, limit: 100, limitBelow: 130 }
    expect(labelStretch({ from: 0, to: 150 }, band, true)).toEqual({ from: 0, to: 100 })
    expect(labelStretch({ from: 80, to: 190 }, band, true)).toEqual({ from: 130, to: 190 })
    expect(labelStretch({ from: 0, to: 50 }, band, true)).toEqual({ from: 0, to: 50 })
    expect(labelStretch({ from: 90, to: 200 }, { ...band, limitBelow: null }, true)).toEqual({ from: 100, to: 200 })
    // Where no limit is drawn, the whole part is free for it.
    expect(labelStretch({ from: 80, to: 190 }, band, false)).toEqual({ from: 80, to: 190 })
  })

  it('is nothing without amounts', () => {
    expect(of({ allocatedBytes: null, reservedBytes: null, largestFreeBytes: null, limitBytes: null })).toBeNull()
  })

  it('leaves out digits that the text of an error does not give', () => {
    expect(wordsOf({ precisionBytes: 10 * mib })[0]).toMatch(/^allocated 23[89] \+ request 400 \|/)
  })

  it('lays every bar within the scale, its parts end to end', () => {
    const amount = fc.option(fc.nat(2 ** 40), { nil: null })
    const numbers = {
      requestedBytes: amount,
      segmentBytes: amount,
      limitBytes: amount,
      limitAtLeastBytes: amount,
      limitBelowBytes: amount,
      allocatedBytes: amount,
      reservedBytes: amount,
      largestFreeBytes: amount,
      outsideBytes: amount,
      deviceTotalBytes: amount,
      allowedBytes: amount,
    }
    fc.assert(
      fc.property(fc.record({ ...numbers, isFailure: fc.boolean(), isLimitKnown: fc.boolean() }), (change) => {
        const sum = of(change)
        for (const { parts, enlarged } of sum?.bars ?? []) {
          expect((parts.at(-1)?.to ?? 0) * enlarged).toBeLessThanOrEqual(sum?.most ?? 0)
          for (const [at, { from, to }] of parts.entries()) {
            expect(to).toBeGreaterThan(from)
            if (at > 0) expect(from).toBe(parts[at - 1]?.to)
          }
        }
        expect(sum?.ticks.length ?? 0).toBeLessThanOrEqual(7)
      }),
    )
  })
})
