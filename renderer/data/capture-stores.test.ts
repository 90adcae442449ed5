import { expect, it } from 'vitest'
import { captureStores, forgetClosed } from './capture-stores.ts'

it('keeps one store a capture until it is closed', () => {
  const of = captureStores({ count: 0 })
  of('a').setState({ count: 1 })
  of('b').setState({ count: 2 })
  forgetClosed(new Set(['b']))
  expect([of('a').getState().count, of('b').getState().count]).toEqual([0, 2])
})
