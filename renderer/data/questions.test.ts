import { afterEach, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { fail, ok } from '../../preload/contract/errors.ts'
import { engine } from './engine-client.ts'
import { Questions, type WithFailure } from './questions.ts'

interface Answers extends WithFailure {
  readonly event: number | undefined
}

const asked: number[] = []
const answers: ((value: unknown) => void)[] = []
vi.spyOn(engine, 'call').mockImplementation(((_: string, { timeNs }: { timeNs: number }) => {
  asked.push(timeNs)
  return new Promise((resolve) => answers.push(resolve))
}) as never)
afterEach(() => {
  asked.length = 0
  answers.length = 0
})

const settle = async (value: unknown) => {
  answers.shift()?.(value)
  await new Promise((resolve) => setTimeout(resolve))
}

function setUp() {
  const store = createStore<Answers>(() => ({ event: undefined, failure: undefined }))
  const questions = new Questions(store)
  const ask = (timeNs: number) =>
    questions.push('at', timeNs, () =>
      questions.ask('at', 'timeline.eventAt', { captureId: 'c', device: 0, timeNs }, ({ event }) => ({ event })),
    )
  return { store, questions, ask }
}

it('asks one at a time, and of those that come meanwhile the last', async () => {
  const { store, ask } = setUp()
  for (const timeNs of [1, 1, 2, 3]) ask(timeNs)
  expect(asked).toEqual([1])
  await settle(ok({ event: 10 }))
  expect(asked).toEqual([1, 3])
  await settle(ok({ event: 30 }))
  expect(store.getState().event).toBe(30)
})

it('keeps a failure until the same question is answered, and does not ask an equal one again', async () => {
  const { store, ask } = setUp()
  ask(1)
  await settle(fail('query/failed', 'no'))
  expect(store.getState().failure?.question).toBe('at')
  ask(1)
  expect(asked).toEqual([1])
  ask(2)
  await settle(ok({ event: 20 }))
  expect(store.getState()).toEqual({ event: 20, failure: undefined })
})

it('asks again what was merely cancelled', async () => {
  const { store, ask } = setUp()
  ask(1)
  await settle(fail('query/cancelled', ''))
  expect(store.getState().failure).toBeUndefined()
  ask(1)
  expect(asked).toEqual([1, 1])
})

it('goes on after a job that throws: tells it, and asks an equal question again', async () => {
  const { store, questions, ask } = setUp()
  questions.push('at', 1, () => Promise.reject(new Error('broken')))
  await settle(undefined)
  expect(store.getState().failure).toMatchObject({ question: 'at', error: { message: 'Error: broken' } })
  ask(1)
  expect(asked).toEqual([1])
  await settle(ok({ event: 10 }))
  expect(store.getState()).toEqual({ event: 10, failure: undefined })
})

it('drops answers after its end', async () => {
  const { store, questions, ask } = setUp()
  ask(1)
  questions.stop()
  await settle(ok({ event: 10 }))
  expect(store.getState().event).toBeUndefined()
})
