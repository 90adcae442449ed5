import { expect, it } from 'vitest'
import type { SliceDetails } from '../../../preload/contract/queries.ts'
import { sliceText } from './slice-text.ts'
import { sliceRow } from './test-answers.ts'

const details = (isUnfinished: boolean) =>
  ({
    ...sliceRow({ isUnfinished }),
    args: [],
    selfNs: 0,
    trackName: 'thread 0',
    processName: '',
    ancestors: [],
    launch: null,
    op: null,
  }) as unknown as SliceDetails

it('the copied text says where the file has no end of the slice', () => {
  expect(sliceText(details(true))).toContain('450\u00a0ns (450\u00a0ns), its end is not in the file')
  expect(sliceText(details(false))).not.toContain('its end')
})
