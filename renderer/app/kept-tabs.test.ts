import { beforeEach, expect, it, vi } from 'vitest'
import { sourcesOf } from '../state/diagnosis-sources.ts'
import { startKeptTabs } from './kept-tabs.ts'
import { openCapture, openFiles, openText } from './open-captures.ts'
import { answerCall, answerOpen, calls, failed, forgetCalls, opens, readFailures, ready, request, tabs } from './test-engine.ts'

const stored = new Map<string, string>()
vi.stubGlobal('sessionStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, text: string) => void stored.set(key, text),
})

beforeEach(forgetCalls)

it('opens again what the page that died had: folders and texts as tables, captures with the files that are read with them', async () => {
  startKeptTabs()
  void openFiles({ files: [{ ...request('runs'), isFolder: true }], mayAttach: false })
  openText({ ...request('pasted'), failures: { tokens: [], text: 'CUDA out of memory' } })
  openText({ ...request('long'), failures: { tokens: [], text: 'x'.repeat(1_000_000) } })
  void openCapture(request('oom'), { sources: ['train.log'] })
  await answerOpen(0, ready('c1'))
  void openCapture(request('oom'), { sources: ['metrics.jsonl'] }) // it is open, and in front
  const kept = new Map(stored)
  forgetCalls()
  for (const [key, text] of kept) stored.set(key, text)
  startKeptTabs()
  expect(calls.map(({ method, input }) => [method, input])).toEqual([
    ['failures.open', { tokens: ['runs'], text: null }],
    ['failures.open', { tokens: [], text: 'CUDA out of memory' }],
    ['capture.open', { token: 'oom' }],
  ])
  expect(opens()).toHaveLength(1)
  await answerOpen(0, ready('c2', 'c1'))
  await answerCall('failures.open', 0, readFailures(['a.log', 'b.log']))
  expect(sourcesOf('c2')).toEqual(['train.log', 'metrics.jsonl'])
  expect(tabs().map(({ status }) => status)).toEqual(['failures', 'loading', 'ready'])
  await answerCall('failures.open', 1, failed('query/cancelled'))
  expect(
    tabs().map(({ status }) => status),
    'what was open is not lost',
  ).toEqual(['failures', 'failed', 'ready'])
})
