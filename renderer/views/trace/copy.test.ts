import { expect, it } from 'vitest'
import { slicesText } from './copy.ts'
import { sliceRow } from './test-answers.ts'

it('slices are copied as lines of cells, what a name holds of tabs and line ends as blanks', () => {
  const rows = [sliceRow({ name: 'a\tb\nc' }), sliceRow({ startNs: 5, isUnfinished: true })]
  expect(slicesText(rows, (trackId) => `thread ${trackId}`)).toBe(
    [
      'name\tcategory\ttrack\tstart_ns\tdur_ns\tis_unfinished',
      'a b c\tcpu_op\tthread 0\t0\t450\t0',
      'aten::empty\tcpu_op\tthread 0\t5\t450\t1',
      '',
    ].join('\n'),
  )
})
