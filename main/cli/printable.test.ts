import { expect, test } from 'vitest'
import { printable } from './printable.ts'

test('a name cannot color, clear or retitle a terminal, start a line or turn the writing direction', () => {
  expect(printable('a\u001b[31mb\u009b2Jc\u0007d\ne\u202ef')).toBe('a\ufffd[31mb\ufffd2Jc\ufffdd\ufffde\ufffdf')
})

test('words of any language stay as they are', () => {
  expect(printable('采集 – émile 🙂 .pickle')).toBe('采集 – émile 🙂 .pickle')
})
