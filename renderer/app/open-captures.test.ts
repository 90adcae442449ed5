import { beforeEach, describe, expect, it } from 'vitest'
import { tabName } from '../state/captures.ts'
import { addNote, notesOf } from '../state/notes.ts'
import { patchView, viewOf } from '../state/view-state.ts'
import { closeTab, countCrash, openCapture, reopen, reopenAfterCrash } from './open-captures.ts'
import { answerOpen, calls, failed, forgetCalls, frontTabId, opens, ready, request, tabs } from './test-engine.ts'

beforeEach(forgetCalls)

describe('opening', () => {
  it('gives each file a tab and brings a file that is open to the front', async () => {
    openCapture(request('a'))
    openCapture(request('b'))
    await answerOpen(0, ready('c1'))
    await answerOpen(1, ready('c2'))
    openCapture(request('a'))
    expect(tabs().map((tab) => tab.status)).toEqual(['ready', 'ready'])
    expect(frontTabId()).toBe(tabs()[0]?.tabId)
    expect(opens()).toHaveLength(2)
  })

  it('names the folder where two tabs have the same file name', () => {
    openCapture({ token: 'a', name: 'snapshot.pickle', folder: 'before', sizeBytes: 1 })
    openCapture({ token: 'b', name: 'snapshot.pickle', folder: 'after', sizeBytes: 1 })
    openCapture({ token: 'c', name: 'other.pickle', folder: 'after', sizeBytes: 1 })
    expect(tabs().map((tab) => tabName(tab, tabs()))).toEqual(['before/snapshot.pickle', 'after/snapshot.pickle', 'other.pickle'])
  })

  it('keeps notes where the index is made anew, whatever id the capture has then', async () => {
    openCapture(request('a'))
    await answerOpen(0, ready('c1', 'same'))
    addNote('c1', { kind: 'range', device: 0, axis: 'event', x0: 1, x1: 2 }, 'here')
    reopen(tabs()[0]?.tabId ?? 0, true)
    await answerOpen(1, ready('c9', 'same'))
    expect(notesOf('c9')).toMatchObject([{ text: 'here' }])
  })

  it('closes the second tab of the same bytes', async () => {
    openCapture(request('a'))
    openCapture(request('copy-of-a'))
    await answerOpen(0, ready('c1', 'same'))
    await answerOpen(1, ready('c2', 'same'))
    expect(tabs().map((tab) => tab.request.token)).toEqual(['a'])
    expect(calls.at(-1)).toMatchObject({ method: 'capture.close', input: { captureId: 'c2' } })
  })

  it('cancels when its tab is closed, and shows why it failed otherwise', async () => {
    openCapture(request('a'))
    closeTab(tabs()[0]?.tabId ?? -1)
    expect(opens()[0]?.options?.signal?.aborted).toBe(true)
    openCapture(request('b'))
    await answerOpen(1, failed('file/empty'))
    expect(tabs()).toMatchObject([{ status: 'failed', failure: { code: 'file/empty' } }])
    reopen(tabs()[0]?.tabId ?? -1)
    await answerOpen(2, failed('query/cancelled'))
    expect(tabs()).toEqual([])
  })
})

describe('after the engine died', () => {
  it('opens every capture again with its own view, even when ids change places', async () => {
    openCapture(request('a'))
    openCapture(request('b'))
    await answerOpen(0, ready('c1', 'bytes of a'))
    await answerOpen(1, ready('c2', 'bytes of b'))
    patchView('c1', { cursorEvent: 11 })
    patchView('c2', { cursorEvent: 22 })
    countCrash()
    expect(reopenAfterCrash('killed')).toBe(true)
    await answerOpen(3, ready('c1', 'bytes of b'))
    await answerOpen(2, ready('c2', 'bytes of a'))
    expect(viewOf('c1')?.cursorEvent).toBe(22)
    expect(viewOf('c2')?.cursorEvent).toBe(11)
  })

  it('asks when it died twice before it was back', async () => {
    openCapture(request('a'))
    await answerOpen(0, ready('c1'))
    countCrash()
    countCrash()
    expect(reopenAfterCrash('killed')).toBe(false)
    expect(tabs()).toMatchObject([{ status: 'failed' }])
  })

  it('asks when it dies again', async () => {
    openCapture(request('a'))
    await answerOpen(0, ready('c1'))
    countCrash()
    reopenAfterCrash('killed')
    await answerOpen(1, ready('c1'))
    countCrash()
    expect(reopenAfterCrash('killed')).toBe(false)
    expect(tabs()).toMatchObject([{ status: 'failed', failure: { code: 'engine/crashed', message: 'killed' } }])
  })

  it('keeps the tab of a capture whose load is cancelled, and loads it again on demand', async () => {
    openCapture(request('a'))
    await answerOpen(0, ready('c1'))
    patchView('c1', { cursorEvent: 11 })
    countCrash()
    reopenAfterCrash('killed')
    await answerOpen(1, failed('query/cancelled'))
    expect(tabs()).toMatchObject([{ status: 'failed', failure: { code: 'query/cancelled' } }])
    reopen(tabs()[0]?.tabId ?? -1)
    await answerOpen(2, ready('c2', 'c1'))
    expect(viewOf('c2')?.cursorEvent).toBe(11)
  })
})
