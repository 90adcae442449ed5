import { expect, it } from 'vitest'
import type { Finding } from '../../preload/contract/capture.ts'
import { cutOf } from './cut-notice.tsx'

const finding = (code: string, severity: Finding['severity']): Finding => ({ code, severity, count: 1, firstAt: null, message: '' })

it('tells the worst finding of missing data, and none of what only was repaired or left out on purpose', () => {
  const harmless = [finding('snapshot/no_history', 'warning'), finding('replay/approximate', 'warning'), finding('trace/event_cap', 'info')]
  expect(cutOf(harmless)).toBeUndefined()
  const gzip = finding('snapshot/damaged_gzip', 'error')
  expect(cutOf([...harmless, finding('snapshot/damaged_entry', 'warning'), gzip])).toBe(gzip)
  for (const kind of ['snapshot', 'trace', 'profile'])
    expect(cutOf([finding(`${kind}/truncated`, 'error')])?.code).toBe(`${kind}/truncated`)
})
