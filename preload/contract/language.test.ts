import { expect, test } from 'vitest'
import { resolveLanguage } from './language.ts'

test.each([
  ['system', 'zh', 'zh-CN'],
  ['system', 'zh-TW', 'zh-CN'],
  ['system', 'zh_CN.UTF-8', 'zh-CN'],
  ['system', 'de-DE', 'en'],
  ['system', 'zha', 'en'],
  ['system', 'C', 'en'],
  ['system', '', 'en'],
  ['en', 'zh-CN', 'en'],
  ['zh-CN', 'en-GB', 'zh-CN'],
] as const)('the choice %s on a system in "%s" shows %s', (choice, system, shown) => expect(resolveLanguage(choice, system)).toBe(shown))
