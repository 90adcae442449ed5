// Names of slices where there is little room.
import { describe, expect, it } from 'vitest'
import { titleParts } from './title-parts.ts'

describe('the name of a slice', () => {
  it('is the function of a Python frame, with file and line apart', () => {
    expect(titleParts('torch/nn/modules/module.py(1775): _call_impl')).toEqual({ name: '_call_impl', place: 'modules/module.py:1775' })
  })

  it('is the kernel without its template arguments', () => {
    expect(titleParts('void at::native::vectorized_elementwise_kernel<4, float>(int)')).toEqual({
      name: 'vectorized_elementwise_kernel',
      place: '',
    })
  })

  it('stays as it is otherwise', () => expect(titleParts('ProfilerStep#1')).toEqual({ name: 'ProfilerStep#1', place: '' }))
})
