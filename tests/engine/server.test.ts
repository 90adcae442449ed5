// The port as a window finds it, also a window that errs: every call is answered once, with a value or a code.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { capturesIn, codeOf, EngineClient, expectValue } from './engine-client.ts'
import { writeLongHistory } from './long-history.ts'

let scratch: ReturnType<typeof scratchFolder>
let engine: EngineClient
beforeEach(() => {
  scratch = scratchFolder('server')
  writeFileSync(join(scratch.path, 'text'), 'no capture')
  engine = new EngineClient(capturesIn(join(scratch.path, 'cache')), {
    lora: samplePath('ft_lora'),
    long: join(scratch.path, 'long.json'),
    text: join(scratch.path, 'text'),
  })
})
afterEach(async () => {
  await engine.close()
  scratch.remove()
})

const code = async (method: Parameters<typeof engine.ask>[0], input: unknown) => codeOf(await engine.ask(method, input).answer)

describe('the port', () => {
  test('passes over what is no message and goes on', async () => {
    for (const nonsense of [
      null,
      7,
      'call',
      { type: 'call' },
      { type: 'dance', id: 1 },
      { type: 'cancel', id: 'one' },
      { type: 'cancel', id: 99 },
    ])
      engine.post(nonsense)
    expect(await engine.open('lora')).toMatchObject({ eventCount: 6969 })
  })

  test('answers what it does not know or cannot take with a code', async () => {
    const { captureId } = await engine.open('lora')
    const viewport = { captureId, device: 0, axis: 'event', x0: 0, x1: 100, columns: 10 }
    expect(await code('nothing.here' as 'timeline.curves', {})).toBe('query/bad_argument')
    expect(await code('toString' as 'timeline.curves', {})).toBe('query/bad_argument')
    expect(await code('timeline.curves', { ...viewport, columns: 0 })).toBe('query/bad_argument')
    expect(await code('timeline.curves', { ...viewport, axis: 'space' })).toBe('query/bad_argument')
    expect(await code('timeline.curves', { ...viewport, device: 9 })).toBe('query/bad_argument')
    expect(await code('timeline.curves', { ...viewport, x1: -5 })).toBe('query/bad_argument')
    expect(await code('timeline.curves', { ...viewport, captureId: 'c999' })).toBe('query/unknown_capture')
    expect(await code('capture.open', { path: '/etc/passwd' })).toBe('query/bad_argument')
  })

  test('opens what the user chose and nothing else', async () => {
    expect(await code('capture.open', { token: samplePath('ft_lora') })).toBe('file/not_found')
    expect(await code('capture.open', { token: 'text' })).toMatch(/^(file|snapshot)\//)
  })

  test('answers in the order asked, each with its own id', async () => {
    const { captureId } = await engine.open('lora')
    const calls = Array.from({ length: 20 }, (_, event) => engine.ask('timeline.timeOf', { captureId, device: 0, event: event * 100 }))
    const times = await Promise.all(calls.map(async ({ answer }) => expectValue(await answer).timeNs))
    expect(times).toEqual([...times].sort((a, b) => (a ?? 0) - (b ?? 0)))
    const answered = engine.received.flatMap((message) => (message.type === 'answer' ? [message.id] : []))
    expect(answered).toEqual([1, ...calls.map(({ id }) => id)])
  })

  test('stops a question that is cancelled, whether it waits or runs, and answers the others', async () => {
    const { captureId } = await engine.open('lora')
    const raster = { captureId, device: 0, axis: 'event', x0: 0, x1: 6969, columns: 4000, rows: 2000, y0: 0, y1: 1.3e9, colorBy: 'stack' }
    const calls = Array.from({ length: 6 }, () => engine.ask('timeline.raster', raster))
    const last = engine.ask('timeline.timeOf', { captureId, device: 0, event: 5 })
    for (const { id } of calls) engine.cancel(id)
    const codes = await Promise.all(calls.map(async ({ answer }) => codeOf(await answer)))
    expect(new Set(codes)).toEqual(new Set(['query/cancelled']))
    expect(expectValue(await last.answer).timeNs).toEqual(expect.any(Number))
  })

  test('cancels a load by the id of its call, within 200 ms, and carries that id in the progress', async () => {
    writeLongHistory(join(scratch.path, 'long.json'), 150_000)
    const load = engine.ask('capture.open', { token: 'long' })
    while (!engine.progress.some(({ stage, done }) => stage === 'read' && done > 0)) await sleep(5)
    const startedAt = performance.now()
    engine.cancel(load.id)
    expect(codeOf(await load.answer)).toBe('query/cancelled')
    expect(performance.now() - startedAt).toBeLessThan(200)
    expect(new Set(engine.progress.map(({ requestId }) => requestId))).toEqual(new Set([load.id]))
  })

  test('frees the captures of a window that went away', async () => {
    const { captureId } = await engine.open('lora')
    expect(engine.captures.get(captureId).ok).toBe(true)
    await engine.close()
    expect(codeOf(engine.captures.get(captureId))).toBe('query/unknown_capture')
  })
})
