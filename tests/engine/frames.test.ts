import { describe, expect, test } from 'vitest'
import { classifyFrame, titleOf } from '../../main/engine/queries/frames.ts'

const frame = (name: string, filename: string, line = 10) => ({ name, filename, line })

describe('a frame', () => {
  test.each([
    ['own', frame('train_step', '/home/user/train.py')],
    ['own', frame('backward_start', '/home/user/model.py')],
    ['library', frame('forward', '/usr/lib/python3.12/site-packages/peft/layer.py')],
    ['library', frame('forward', '/opt/venv/lib64/python3/dist-packages/x.py')],
    ['library', frame('run', '/usr/lib/python3.12/threading.py')],
    ['library', frame('_find_and_load', '<frozen importlib._bootstrap>')],
    ['library', frame('forward', '<eval_with_key>.12')],
    ['library', frame('call', '/tmp/torchinductor_user/ab/cab123.py')],
    ['library', frame('forward', '/workspace/pytorch/torch/nn/modules/linear.py')],
    ['library', frame('at::_ops::mm::call(at::Tensor const&)', '??', 0)],
    ['noise', frame('torch::unwind::unwind()', '??', 0)],
    ['noise', frame('_PyEval_EvalFrameDefault', '??', 0)],
    ['noise', frame('_start', '??', 0)],
    ['noise', frame('at::Redispatch', '/build/aten/src/ATen/core/boxing/KernelFunction.h')],
  ] as const)('is %s: %o', (kind, each) => {
    expect(classifyFrame(each, 'torch_snapshot')).toBe(kind)
  })
})

describe('the title of a stack', () => {
  test('is its innermost frame that is not noise', () => {
    const stack = [frame('PyObject_Call', '??', 0), frame('forward', '/x/torch/nn/linear.py', 134), frame('main', 'train.py', 3)]
    expect(titleOf(stack, 'torch_snapshot')).toEqual({ title: 'forward', place: 'linear.py:134' })
  })

  test('is the Python frame behind the C++ ones', () => {
    const stack = [
      frame('c10::cuda::CUDACachingAllocator::Native::malloc(void**, int)', '??', 0),
      frame('at::native::empty_cuda(c10::ArrayRef<long>)', '??', 0),
      frame('forward', '/x/torch/nn/linear.py', 134),
    ]
    expect(titleOf(stack, 'torch_snapshot')).toEqual({ title: 'forward', place: 'linear.py:134' })
  })

  test('is the operator above the allocator where there is no Python frame', () => {
    const stack = [
      frame('c10::cuda::CUDACachingAllocator::Native::malloc(void**, int)', '??', 0),
      frame('at::detail::empty_generic(c10::ArrayRef<long>)', '??', 0),
      frame('at::(anonymous namespace)::structured_mm_out_cuda::set_output(long)', '??', 0),
    ]
    expect(titleOf(stack, 'torch_snapshot')).toEqual({ title: 'at::{anonymous}::structured_mm_out_cuda::set_output', place: '' })
  })

  test('is the innermost frame when all are noise, without a place where there is no file', () => {
    expect(titleOf([frame('PyObject_Call', '??', 0), frame('_start', '', 0)], 'torch_snapshot')).toEqual({
      title: 'PyObject_Call',
      place: '',
    })
  })

  test('is empty without frames and shortened where a template makes it endless', () => {
    expect(titleOf([], 'torch_snapshot')).toEqual({ title: '', place: '' })
    const { title } = titleOf([frame(`at::native::loop<${'int, '.repeat(500)}>`, '??', 0)], 'torch_snapshot')
    expect(title).toHaveLength(120)
    expect(title.endsWith('…')).toBe(true)
  })

  test('takes the last part of a Windows path', () => {
    expect(titleOf([frame('f', 'C:\\work\\train.py', 7)], 'torch_snapshot').place).toBe('train.py:7')
  })
})
