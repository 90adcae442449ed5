import { describe, expect, it } from 'vitest'
import { searchItems } from './search.ts'

const items = ['Open… 打开…', 'Zoom In 放大', 'Zoom to Fit 缩放至全部', 'Go to Peak 转到峰值', 'Color by Stack 按调用栈着色'].map(
  (text) => ({ text }),
)
const found = (typed: string) => searchItems(items, typed).map((item) => item.text.split(' ')[0])

describe('palette search', () => {
  it('shows everything while nothing is typed', () => expect(searchItems(items, ' ')).toHaveLength(items.length))
  it('finds parts of words in any order', () => {
    expect(found('zoom')).toEqual(['Zoom', 'Zoom'])
    expect(searchItems(items, 'fit zoom')[0]?.text).toBe('Zoom to Fit 缩放至全部')
    expect(found('peak')).toEqual(['Go'])
  })
  it('finds letters in their order when no word fits', () => expect(found('gopeak')).toEqual(['Go']))
  it('finds Chinese by letters in order', () => {
    expect(found('峰值')).toEqual(['Go'])
    expect(found('缩全部')).toEqual(['Zoom'])
  })
  it('finds nothing where nothing is', () => expect(found('qqqq')).toEqual([]))
})
