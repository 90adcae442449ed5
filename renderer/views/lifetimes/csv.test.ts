import { describe, expect, it } from 'vitest'
import type { DeviceSummary } from '../../../preload/contract/capture.ts'
import { csvName, listCsv } from './csv.ts'
import type { ListRow } from './list-rows.ts'

const row: ListRow = {
  allocationId: 3,
  address: '0x7f0000000000',
  version: 1,
  requestedBytes: 500,
  sizeBytes: 512,
  stream: '0',
  pool: '',
  segmentAddress: null,
  allocEvent: null,
  freeRequestedEvent: 9,
  freeCompletedEvent: 9,
  allocTimeNs: null,
  freeTimeNs: 1_000_000_007,
  stackId: 1,
  slot: 1,
  categoryName: 'gradient',
  title: '=SUM("a",b)',
  place: 'a.py:1',
  area: 4608,
  life: 9,
}

describe('the list as CSV', () => {
  const [head, line, end] = listCsv([row], { axis: 'event', device: { eventCount: 100 } as DeviceSummary }).split('\n')

  it('has a head with units, exact integers, and nothing where the capture holds nothing', () => {
    expect(head?.split(',').slice(0, 5)).toEqual(['allocation_id', 'address', 'version', 'requested_bytes', 'size_bytes'])
    expect(line).toContain('3,0x7f0000000000,1,500,512,,9,9,,1000000007,9,9,4608,gradient,0,')
    expect(end).toBe('')
  })

  it('quotes what needs it and lets no name become a formula', () => {
    expect(line).toContain(`"'=SUM(""a"",b)"`)
  })
})

describe('the name of the file', () => {
  it('says when the list is cut, and of how many', () => {
    expect(csvName(100_000)).toBe('lifetimes')
    expect(csvName(311_287)).toBe('lifetimes-first-100000-of-311287')
  })
})
