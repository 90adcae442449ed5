// When two captures count as one run: thresholds, and the case that is hardest to tell apart, two ranks that run the same program at the same time.
import { describe, expect, test } from 'vitest'
import { verdictOf } from '../../main/engine/joins.ts'
import { pairFiles } from '../native/join-pairs.ts'
import { readBatch } from '../support/batch.ts'
import { corpusFile } from '../support/corpus.ts'
import { IndexFile } from '../support/index-file.ts'

describe('verdictOf', () => {
  test.each([
    ['same_run', null, 1, 1000, true, 250],
    ['same_run', null, 0.8, 8, true, 50_000],
    ['doubtful', 'wide_spread', 1, 1000, true, 50_001],
    ['doubtful', 'some_matches', 0.79, 1000, true, 250],
    ['doubtful', 'some_matches', 0.2, 1000, true, 250],
    ['other_run', 'few_matches', 0.19, 1000, true, 250],
    ['other_run', 'few_matches', 0, 1000, true, null],
    ['doubtful', 'few_allocations', 1, 7, true, 250],
    ['doubtful', 'few_allocations', null, 0, true, null],
    ['other_run', 'no_overlap', null, 0, false, null],
  ] as const)('%s, %s', (verdict, reason, share, compared, overlaps, spreadNs) => {
    expect(verdictOf(share, compared, overlaps, spreadNs)).toEqual({ verdict, reason })
  })
})

const ranks = pairFiles.flatMap(([name, snapshot, , device]) => {
  const trace = pairFiles.find(([other]) => other === name.replace(/\d$/, String(1 - device)))?.[2]
  const [own, partner] = [corpusFile(snapshot), name.includes('rank') && trace ? corpusFile(trace) : null]
  return own && partner ? [{ name, own, partner, device }] : []
})

test.runIf(ranks.length > 0).each(ranks)(
  '$name and the trace of the other rank, its device taken for the same, are of two runs',
  async (pair) => {
    const [own, other] = [await IndexFile.of(pair.own), await IndexFile.ofTrace(pair.partner)]
    const start = async (index: IndexFile) => Number((await index.column('SELECT start_unix_us FROM capture'))[0])
    const [keys] = await other.column('SELECT allocation_keys(?, -1e18, 1e18)', [1 - pair.device])
    const offset = ((await start(other)) - (await start(own))) * 1000
    const [blob] = await own.column('SELECT match_allocations(?, ?, ?)', [pair.device, keys as Uint8Array, offset])
    const meta = JSON.parse(String(readBatch(blob).get('meta'))) as Record<string, number | null>
    const smaller = Math.min(Number(meta.own_in_overlap), Number(meta.other_in_overlap))
    expect(smaller).toBeGreaterThan(1000)
    expect(verdictOf(Number(meta.matched) / smaller, smaller, meta.from_ns !== null, meta.spread_ns ?? null).verdict).toBe('other_run')
    await own.close()
    await other.close()
  },
)
