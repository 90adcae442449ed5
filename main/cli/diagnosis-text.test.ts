import { expect, it } from 'vitest'
import { caseOf, type DiagnosedCase } from '../engine/diagnosis/cases.ts'
import { readLogText } from '../engine/diagnosis/log-text.ts'
import { caseText, tableText } from './diagnosis-text.ts'

/** A failure at a line of the program: each is a pattern of its own. */
function failed(line: number): DiagnosedCase {
  const text =
    `  File "/project/train_${line}.py", line ${line}, in step\n` +
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 900.00 MiB. GPU 0 has a total capacity of 16.00 GiB of which 1.00 MiB is free. ' +
    'Of the allocated memory 9.00 GiB is allocated by PyTorch, and 6.00 GiB is reserved by PyTorch but unallocated.'
  const [failure] = readLogText(`Traceback (most recent call last):\n${text}\n`).failures
  if (!failure) throw new Error('the text tells of no failure')
  return caseOf(`run_${line}.log`, { logged: { file: `run_${line}.log`, failure } })
}

it('a table has names beside codes, says what it leaves out, and shows that a sentence goes on', () => {
  const cases = Array.from({ length: 24 }, (_, at) => failed(at + 1))
  const [only] = cases
  if (!only) throw new Error('there is no case')
  const long = {
    ...only.diagnosis,
    candidates: only.diagnosis.candidates.map((each) => ({ ...each, evidence: each.evidence.map(longer) })),
  }
  const table = tableText([{ ...only, diagnosis: long }, ...cases.slice(1)], 'en')
  expect(table).toContain('Fragmentation (fragmentation)')
  expect(table).toMatch(/and so on…$/m)
  expect(table).toContain('  … and 4 more patterns\n')
})

const longer = <T extends object>(each: T): T => ({ ...each, text: { en: 'and so on '.repeat(40), 'zh-CN': '' } })

it('what advice gains is said to be that', () => {
  const one = failed(1)
  const advice = (['sum', 'most'] as const).map((basis) => ({
    ...{ id: basis, text: { en: 'less may help', 'zh-CN': '' }, code: null, gainBytes: 2 ** 21, basis },
    ...{ avoidsFailure: null, isEnough: null, neededAfterBytes: null, place: null },
  }))
  const text = caseText({ ...one, diagnosis: { ...one.diagnosis, advice } }, 'en')
  expect(text).toContain('less may help (gains 2.00 MiB)')
  expect(text).toContain('less may help (gains at most 2.00 MiB)')
})
