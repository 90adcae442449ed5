import { describe, expect, test } from 'vitest'
import { type LoadListener, SharedLoads } from '../../main/engine/shared-loads.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { codeOf } from './engine-client.ts'

interface Started {
  readonly shared: LoadListener
  readonly finish: (result: Result<string>) => void
}

/** Loads whose end the test decides. */
function controlled() {
  const started: Started[] = []
  const start = (shared: LoadListener) => new Promise<Result<string>>((finish) => started.push({ shared, finish }))
  return { started, start }
}

const listener = () => {
  const controller = new AbortController()
  const heard: string[] = []
  return { controller, heard, options: { signal: controller.signal, onProgress: ({ stage }: { stage: string }) => heard.push(stage) } }
}

describe('loads of the same capture', () => {
  test('are one load, heard by all', async () => {
    const loads = new SharedLoads<string>()
    const { started, start } = controlled()
    const [first, second] = [listener(), listener()]
    const answers = [loads.join('a', first.options, start), loads.join('a', second.options, start)]
    started[0]?.shared.onProgress({ stage: 'read', done: 1, total: 2, bytesPerSecond: null })
    started[0]?.finish(ok('index'))
    expect(await Promise.all(answers)).toEqual([ok('index'), ok('index')])
    expect([started.length, first.heard, second.heard]).toEqual([1, ['read'], ['read']])
  })

  test('go on when one of two cancels, and stop when the last does', async () => {
    const loads = new SharedLoads<string>()
    const { started, start } = controlled()
    const [first, second] = [listener(), listener()]
    const answers = [loads.join('a', first.options, start), loads.join('a', second.options, start)]
    first.controller.abort()
    expect(codeOf((await answers[0]) ?? ok(''))).toBe('query/cancelled')
    expect(started[0]?.shared.signal.aborted).toBe(false)
    second.controller.abort()
    expect(started[0]?.shared.signal.aborted).toBe(true)
    started[0]?.finish(fail('query/cancelled', 'cleaned up'))
    expect(await answers[1]).toEqual(fail('query/cancelled', 'cleaned up'))
  })

  test('start afresh while a cancelled one still stops, and after one has ended', async () => {
    const loads = new SharedLoads<string>()
    const { started, start } = controlled()
    const first = listener()
    void loads.join('a', first.options, start)
    first.controller.abort()
    const second = loads.join('a', listener().options, start)
    started[1]?.finish(ok('second'))
    expect(await second).toEqual(ok('second'))
    const third = loads.join('a', listener().options, start)
    started[2]?.finish(ok('third'))
    expect(await third).toEqual(ok('third'))
  })
})
