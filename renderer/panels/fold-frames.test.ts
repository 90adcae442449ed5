import { expect, it } from 'vitest'
import { foldFrames, packagesOf, shortFile } from './fold-frames.ts'

const frame = (name: string, kind: 'own' | 'library' | 'noise', filename = 'a.py') => ({ name, filename, line: 1, kind })
const outline = (frames: ReturnType<typeof frame>[]) =>
  foldFrames(frames).map((part) => (part.kind === 'frame' ? part.frame.name : `(${part.frames.length})`))

it('keeps own frames and the two innermost telling ones, and counts the rest', () => {
  const frames = [
    frame('dispatch', 'noise'),
    frame('cross_entropy', 'library'),
    frame('loss', 'library'),
    frame('forward', 'library'),
    frame('_call_impl', 'library'),
    frame('train', 'own'),
    frame('main', 'own'),
  ]
  expect(outline(frames)).toEqual(['dispatch', 'cross_entropy', 'loss', '(2)', 'train', 'main'])
})

it('shows a single frame rather than a fold of one', () => {
  expect(outline([frame('a', 'own'), frame('b', 'noise'), frame('c', 'own')])).toEqual(['a', 'b', 'c'])
})

it('names packages and short files', () => {
  const inside = '/home/u/site-packages/'
  expect(
    packagesOf([
      frame('a', 'library', `${inside}peft/x.py`),
      frame('b', 'library', `${inside}torch/nn/y.py`),
      frame('c', 'library', `${inside}torch/z.py`),
    ]),
  ).toEqual(['torch', 'peft'])
  expect(shortFile('/home/user/finetune/cases.py')).toBe('finetune/cases.py')
})
