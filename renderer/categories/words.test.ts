import i18next from 'i18next'
import { afterEach, expect, it } from 'vitest'
import { categoryNames } from '../../preload/contract/queries.ts'

import { categoryLines, categoryOfSlot, confidenceText, slotOfCategory } from './words.ts'

afterEach(() => i18next.changeLanguage('en'))

const rule = { id: 'a', title: { en: 'Saved', 'zh-CN': '保存' }, why: { en: 'It was kept.', 'zh-CN': '已保留。' } }
const nbsp = '\u00a0'

it('gives every category the name of its slot', () => {
  for (const name of categoryNames) expect(categoryOfSlot(slotOfCategory(name))).not.toBe('')
  expect([categoryOfSlot(0), categoryOfSlot(4), categoryOfSlot(11)]).toEqual([undefined, 'Activation', undefined])
})

it('says how sure a rule is in words and as a share', () => {
  expect([0.95, 0.85, 0.6, 0.4].map(confidenceText)).toEqual([
    `almost certain · 95${nbsp}%`,
    `likely · 85${nbsp}%`,
    `perhaps · 60${nbsp}%`,
    `a guess · 40${nbsp}%`,
  ])
})

it('tells rule and reason in the language shown', async () => {
  expect(categoryLines({ category: 'activation', rule, confidence: 0.9 }).at(-1)).toBe('Saved: It was kept.')
  await i18next.changeLanguage('zh-CN')
  const [first, second] = categoryLines({ category: 'activation', rule, confidence: 0.9 })
  expect(first).toMatch(/^激活值 \(几乎确定/)
  expect(second).toBe('保存: 已保留。')
  expect(categoryLines({ category: 'unknown', rule: null, confidence: 0 })).toEqual(['未知'])
})
