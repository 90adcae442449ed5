import { describe, expect, test } from 'vitest'
import { classifyFrame, titleOf } from '../../main/engine/queries/frames.ts'

const op = (name: string) => ({ name, filename: 'cpu_op', line: 0 })
const annotation = (name: string) => ({ name, filename: 'user_annotation', line: 0 })
const call = (name: string) => ({ name, filename: 'python_function', line: 0 })
const python = (name: string, filename: string, line = 12) => ({ name, filename, line })

describe('a frame of a trace', () => {
  test.each([
    ['own', python('main', '/home/user/train.py')],
    ['own', python('main', 'train.py')],
    ['own', python('main', 'C:\\work\\train.py')],
    ['own', annotation('forward')],
    ['library', op('aten::mm')],
    ['library', call('<built-in function linear>')],
    ['library', call('nn.Module: Linear_3')],
    ['library', python('_call_impl', 'torch/nn/modules/module.py')],
    ['library', python('forward', 'transformers/models/llama/modeling_llama.py')],
    ['library', python('inner', 'contextlib.py')],
    ['library', python('_find_and_load', '<frozen importlib._bootstrap>')],
    ['noise', op('aten::empty_strided')],
    ['noise', op('autograd::engine::evaluate_function: MmBackward0')],
  ] as const)('is %s: %o', (kind, frame) => {
    expect(classifyFrame(frame, 'chrome_trace')).toBe(kind)
  })
})

describe('the title of a stack of a trace', () => {
  const title = (...frames: Parameters<typeof titleOf>[0]) => titleOf(frames, 'chrome_trace')

  test('is the nearest op that says something, at the first line of the user', () => {
    expect(
      title(
        op('aten::empty'),
        op('aten::mm'),
        op('aten::linear'),
        call('<built-in function linear>'),
        python('forward', 'torch/nn/modules/linear.py', 134),
        python('forward', 'peft/tuners/lora/layer.py', 700),
        python('step', '/home/user/train.py', 41),
        annotation('ProfilerStep#1'),
      ),
    ).toEqual({ title: 'aten::mm', place: 'train.py:41' })
  })

  test('names the innermost line outside of torch where none is the user’s own', () => {
    const frames = [op('aten::mm'), python('f', 'torch/nn/functional.py', 9), python('forward', 'peft/layer.py', 700)]
    expect(title(...frames)).toEqual({ title: 'aten::mm', place: 'layer.py:700' })
  })

  test('names the backward function where no line led there', () => {
    const frames = [op('aten::mm'), op('MmBackward0'), op('autograd::engine::evaluate_function: MmBackward0')]
    expect(title(...frames)).toEqual({ title: 'aten::mm', place: 'MmBackward0' })
  })

  test('is an op that makes empty memory where there is no other', () => {
    expect(title(op('aten::empty_strided'))).toEqual({ title: 'aten::empty_strided', place: '' })
  })

  test('is the Python function where no op ran, and empty without frames', () => {
    expect(title(python('load', '/home/user/data.py', 3))).toEqual({ title: 'load', place: 'data.py:3' })
    expect(title(annotation('warm-up'))).toEqual({ title: 'warm-up', place: '' })
    expect(title()).toEqual({ title: '', place: '' })
  })
})
