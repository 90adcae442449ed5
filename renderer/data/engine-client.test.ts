import { describe, expect, it, vi } from 'vitest'
import { EngineClient } from './engine-client.ts'

const input = { captureId: 'c', device: 0, timeNs: 1 }
const ask = (client: EngineClient) => client.call('timeline.eventAt', input)

/** A port whose other end answers every call with event 3. */
function answeringPort(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port2.onmessage = ({ data }) => data.type === 'call' && port2.postMessage({ type: 'answer', id: data.id, ok: true, value: { event: 3 } })
  return port1
}

function silentPort(): MessagePort {
  return new MessageChannel().port1
}

const crashed = (message: string) => ({ ok: false, error: { code: 'engine/crashed', message } })

describe('engine client', () => {
  it('keeps calls for the first port and answers them', async () => {
    const client = new EngineClient()
    const answer = ask(client)
    client.connect(answeringPort())
    expect(await answer).toEqual({ ok: true, value: { event: 3 } })
    client.disconnect('end')
  })

  it('fails what is in flight when the engine stops, and keeps later calls for the next one', async () => {
    const client = new EngineClient()
    client.connect(silentPort())
    const inFlight = ask(client)
    client.disconnect('killed')
    expect(await inFlight).toEqual(crashed('killed'))
    const later = ask(client)
    client.connect(answeringPort())
    expect(await later).toMatchObject({ ok: true })
    client.disconnect('end')
  })

  it('fails calls in flight, unsent and to come when no engine follows', async () => {
    const client = new EngineClient()
    client.connect(silentPort())
    const inFlight = ask(client)
    client.giveUp('keeps failing')
    expect(await inFlight).toEqual(crashed('keeps failing'))

    const waiting = new EngineClient()
    const unsent = ask(waiting)
    waiting.giveUp('cannot work here')
    expect(await unsent).toEqual(crashed('cannot work here'))
    expect(await ask(waiting)).toEqual(crashed('cannot work here'))
    expect(waiting.busy).toBe(false)
    expect(waiting.isGone).toBe(true)
  })

  it('waits for the next port again once another engine was asked for', async () => {
    const client = new EngineClient()
    client.giveUp('keeps failing')
    client.expectAnother()
    const answer = ask(client)
    client.connect(answeringPort())
    expect(await answer).toEqual({ ok: true, value: { event: 3 } })
    client.disconnect('end')
  })

  it('tells of a question that is out for more than a second, until it is answered, but not of a load', () => {
    vi.useFakeTimers()
    try {
      const client = new EngineClient()
      const told: boolean[] = []
      client.onSlowness(() => told.push(client.isSlow()))
      client.connect(silentPort())
      void client.call('capture.open', { token: 't' }, { onProgress: () => undefined })
      vi.advanceTimersByTime(5000)
      expect(told).toEqual([])
      void ask(client)
      vi.advanceTimersByTime(990)
      expect(client.isSlow()).toBe(false)
      vi.advanceTimersByTime(20)
      expect(client.isSlow()).toBe(true)
      client.disconnect('stopped')
      vi.advanceTimersByTime(300)
      expect(told).toEqual([true, false])
    } finally {
      vi.useRealTimers()
    }
  })
})
