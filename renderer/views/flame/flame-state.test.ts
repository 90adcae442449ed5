import { expect, test } from 'vitest'
import { lookOf } from '../../state/own-look.ts'
import { flameState, isRising, keptLook, patchFlame } from './flame-state.ts'

const look = lookOf(flameState, ['order', 'shape'], keptLook)

test('a session keeps the order of siblings and which way the rows go, and takes nothing that is neither', () => {
  expect(look.kept('a')).toBeUndefined()
  patchFlame('a', { order: 'time', shape: 'flame' })
  const kept = look.kept('a')
  expect(kept).toEqual({ order: 'time', shape: 'flame' })
  look.restore('b', JSON.parse(JSON.stringify(kept)))
  expect(flameState('b').getState()).toMatchObject({ order: 'time', shape: 'flame' })
  look.restore('b', { order: 'name', shape: 'sideways' })
  expect(flameState('b').getState()).toMatchObject({ order: 'time', shape: 'flame' })
})

test('a graph about a pivot does not rise: callers stand above it', () => {
  expect(isRising({ shape: 'flame', pivot: undefined })).toBe(true)
  expect(isRising({ shape: 'flame', pivot: { frameId: 3, title: 'train' } })).toBe(false)
})
