// What a slice's arguments say, whatever the file puts into them.
import { describe, expect, it } from 'vitest'
import { plainSpaces } from '../../i18n/format.ts'
import { argsText, callStackOf, factsOf, inputsOf, otherArgs } from './slice-args.ts'

const args = (values: Readonly<Record<string, string>>) => Object.entries(values).map(([key, value]) => ({ key, value }))
const factTexts = (values: Readonly<Record<string, string>>) =>
  factsOf(args(values)).map(({ name, value }) => `${name} ${plainSpaces(value)}`)

describe('facts of a slice', () => {
  it('tell what a kernel ran with, grid and block first, whatever the order of the file', () => {
    const kernel = {
      correlation: '25506',
      stream: '7',
      'shared memory': '2048',
      'registers per thread': '32',
      block: '[1024,1,1]',
      grid: '[51200,1,1]',
      'est. achieved occupancy %': '100',
      'blocks per SM': '3.878788',
    }
    expect(factTexts(kernel)).toEqual([
      'grid 51,200 × 1 × 1',
      'block 1,024 × 1 × 1',
      'registers 32',
      'sharedMemory 2.00 KiB',
      'occupancy 100 %',
      'blocks 3.879',
      'stream 7',
    ])
  })

  it('tell how much a copy moved and how fast', () => {
    expect(factTexts({ bytes: '1048576', 'memory bandwidth (GB/s)': '910.2222222222222' })).toEqual([
      'bytes 1.00 MiB',
      'bandwidth 910.222 GB/s',
    ])
  })

  it('show a value of another kind as it is', () => {
    expect(factTexts({ grid: 'many', 'shared memory': '"lots"', stream: '0x55d0' })).toEqual([
      'grid many',
      'sharedMemory "lots"',
      'stream 0x55d0',
    ])
  })

  it('leave out what is empty', () => expect(factTexts({ dtype: '', 'Group size': '4' })).toEqual(['groupSize 4']))
})

describe('inputs of an op', () => {
  it('join types and sizes, lists of tensors included', () => {
    const inputs = inputsOf(args({ 'Input Dims': '[[64,32],[],[[8,4],[2]]]', 'Input type': '["float","Scalar","TensorList"]' }))
    expect(inputs).toEqual([
      { type: 'float', dims: '64 × 32' },
      { type: 'Scalar', dims: '' },
      { type: 'TensorList', dims: '(8 × 4), (2)' },
    ])
  })

  it('go as far as the longer list', () =>
    expect(inputsOf(args({ 'Input type': '["float", 7]' }))).toEqual([
      { type: 'float', dims: '' },
      { type: '', dims: '' },
    ]))

  it('are none where shapes are missing or damaged', () => {
    expect(inputsOf(args({ 'Input Dims': '[[64,' }))).toEqual([])
    expect(inputsOf([])).toEqual([])
  })
})

describe('call stack', () => {
  it('becomes frames with file and line, own ones told from those of libraries', () => {
    const text = 'torch/nn/modules/linear.py(134): forward;/home/me/train.py(12): main; <built-in method run>'
    expect(callStackOf(args({ 'Call stack': text }))).toEqual([
      { name: 'forward', filename: 'torch/nn/modules/linear.py', line: 134, kind: 'library' },
      { name: 'main', filename: '/home/me/train.py', line: 12, kind: 'own' },
      { name: '<built-in method run>', filename: '', line: 0, kind: 'library' },
    ])
  })

  it('is empty without one', () => expect(callStackOf(args({ 'Call stack': '' }))).toEqual([]))

  it('is not listed a second time among the arguments', () => {
    expect(otherArgs(args({ 'Call stack': 'a.py(1): f', grid: '[1]' })).map(({ key }) => key)).toEqual(['grid'])
  })
})

describe('copied arguments', () => {
  it('are one line each', () => expect(argsText(args({ grid: '[1]', stream: '7' }))).toBe('grid: [1]\nstream: 7\n'))
})
