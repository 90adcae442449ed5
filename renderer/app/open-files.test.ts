import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type DiagnosisSource, sourceOfText } from '../../preload/contract/diagnosis.ts'
import { ok } from '../../preload/contract/errors.ts'
import { page } from '../diagnosis/test-page.ts'
import { sourcesOf } from '../state/diagnosis-sources.ts'
import { useShell } from '../state/shell.ts'
import { patchView, viewOf } from '../state/view-state.ts'
import * as bridge from './bridge.ts'
import { closeTab, countCrash, openFiles, openRow, reopen, reopenAfterCrash } from './open-captures.ts'
import { pasteText } from './paste-text.ts'
import { answerCall, answerOpen, calls, failed, forgetCalls, frontTabId, opens, readFailures, ready, request, tabs } from './test-engine.ts'

beforeEach(forgetCalls)

const drop = (...tokens: readonly string[]) => void openFiles({ files: tokens.map(request), mayAttach: true })
const folder = (token: string) => ({ ...request(token), isFolder: true })
const answerFailures = (at: number, result: Parameters<typeof answerCall>[2]) => answerCall('failures.open', at, result)
const unknown = failed('file/unknown_format')
const lastInput = () => calls.at(-1)?.input

describe('files that are no captures', () => {
  it('become one table, whatever they are called', async () => {
    drop('train.log', 'run.json')
    await answerOpen(0, unknown)
    await answerOpen(1, failed('trace/not_a_trace'))
    expect(lastInput()).toEqual({ tokens: ['train.log', 'run.json'], text: null })
    await answerFailures(0, readFailures(['train.log', 'run.json']))
    expect(tabs()).toMatchObject([{ status: 'failures', request: { name: 'train.log.pickle and 1 more' } }])
    closeTab(tabs()[0]?.tabId ?? -1)
    expect(calls.at(-1)).toMatchObject({ method: 'failures.close', input: { failuresId: 'set train.log,run.json' } })
  })

  it('say what each of them is not where nothing in them is of use, and are looked at again on demand', async () => {
    drop('noise.bin', 'run.json')
    await answerOpen(0, unknown)
    await answerOpen(1, failed('trace/not_a_trace'))
    await answerFailures(0, unknown)
    expect(tabs()).toMatchObject([
      { status: 'failed', failure: { code: 'file/unknown_format' }, request: { name: 'noise.bin.pickle' } },
      { status: 'failed', failure: { code: 'trace/not_a_trace' } },
    ])
    reopen(tabs()[1]?.tabId ?? -1)
    expect(calls.at(-1)).toMatchObject({ method: 'capture.open', input: { token: 'run.json' } })
  })

  it('are read with the snapshots that came with them', async () => {
    drop('train.log', 'oom', 'noise.bin')
    await answerOpen(0, unknown)
    await answerOpen(2, unknown)
    expect(calls.filter(({ method }) => method === 'failures.open')).toEqual([])
    await answerOpen(1, ready('c1'))
    await answerFailures(0, readFailures(['train.log']))
    await answerFailures(1, unknown)
    expect(sourcesOf('c1')).toEqual(['train.log'])
    expect(tabs().map(({ status, request: { token } }) => [status, token])).toEqual([
      ['ready', 'oom'],
      ['failed', 'noise.bin'],
    ])
  })

  it('are read with the snapshot whose diagnosis is in front, where the user handed them to the window', async () => {
    drop('oom')
    await answerOpen(0, ready('c1'))
    patchView('c1', { view: 'diagnosis' })
    drop('train.log')
    await answerOpen(1, unknown)
    await answerFailures(0, readFailures(['train.log']))
    expect(sourcesOf('c1')).toEqual(['train.log'])
    expect(tabs()).toMatchObject([{ status: 'ready', tabId: frontTabId() }])
    void openFiles({ files: [request('other.log')], mayAttach: false })
    await answerOpen(2, unknown)
    await answerFailures(1, readFailures(['a', 'b']))
    expect(tabs().map(({ status }) => status)).toEqual(['ready', 'failures'])
    expect(sourcesOf('c1')).toEqual(['train.log'])
  })

  it('are read with the snapshot that came with them, whatever is in front', async () => {
    drop('oom')
    await answerOpen(0, ready('c1'))
    patchView('c1', { view: 'diagnosis' })
    drop('other', 'other.log')
    await answerOpen(2, unknown)
    await answerOpen(1, ready('c2'))
    await answerFailures(0, readFailures(['other.log']))
    expect([sourcesOf('c1'), sourcesOf('c2')]).toEqual([[], ['other.log']])
  })

  it('become a table where the snapshot is closed while they are read, and none of those that were closed comes back', async () => {
    drop('oom')
    await answerOpen(0, ready('c1'))
    patchView('c1', { view: 'diagnosis' })
    drop('train.log', 'gone.log')
    await answerOpen(1, unknown)
    await answerOpen(2, unknown)
    await answerFailures(1, readFailures(['gone.log']))
    closeTab(tabs()[2]?.tabId ?? -1)
    closeTab(tabs()[0]?.tabId ?? -1)
    await answerFailures(0, readFailures(['train.log']))
    expect(sourcesOf('c1'), 'nothing is kept of a capture that is closed').toEqual([])
    expect(lastInput()).toEqual({ tokens: ['train.log'], text: null })
    await answerFailures(2, readFailures(['a', 'b']))
    expect(tabs()).toMatchObject([{ status: 'failures', request: { token: 'train.log' } }])
  })

  it('go with their tab when it is closed while they are read', async () => {
    drop('train.log')
    await answerOpen(0, unknown)
    closeTab(tabs()[0]?.tabId ?? -1)
    expect(calls.at(-1)?.options?.signal?.aborted).toBe(true)
    await answerFailures(0, readFailures(['train.log']))
    expect(tabs()).toEqual([])
    expect(calls.at(-1)?.method, 'nothing is held for it').toBe('failures.close')
  })
})

const source = (use: DiagnosisSource['use'], given: number): DiagnosisSource => ({ kind: 'metrics', name: '', use, why: null, given })
const pageWith = (...uses: readonly DiagnosisSource['use'][]) => ok({ ...page, sources: uses.map(source) })
const answerPage = (at: number, ...uses: readonly DiagnosisSource['use'][]) => answerCall('diagnosis.capture', at, pageWith(...uses))
const said = () => useShell.getState().messages.map(({ text }) => text)

/** A page is kept for each capture: none has the number of another. */
let opened = 0

describe('files that are given to a diagnosis', () => {
  let id = ''
  beforeEach(async () => {
    id = `given ${++opened}`
    useShell.setState({ messages: [] })
    drop('oom')
    await answerOpen(0, ready(id))
    patchView(id, { view: 'diagnosis' })
    drop('noted')
    await answerOpen(1, unknown)
    await answerFailures(0, readFailures(['noted']))
  })

  it('are said to be read only where they are', async () => {
    await answerPage(0, 'read')
    expect(said()).toEqual(['Read with the diagnosis of a.pickle: noted.pickle.'])
    expect(sourcesOf(id)).toEqual(['noted'])
  })

  it('that tell of another failure are said to do so', async () => {
    await answerPage(0, 'others')
    expect(said()).toEqual(['Not read with the diagnosis of a.pickle, as it tells of another failure: noted.pickle.'])
  })

  it('that are metrics of another run are read with it no longer, and opened by themselves', async () => {
    await answerPage(0, 'misfit')
    expect(sourcesOf(id)).toEqual([])
    expect(calls.at(-1)).toMatchObject({ method: 'failures.open', input: { tokens: ['noted'] } })
    await answerFailures(1, readFailures(['noted']))
    expect(tabs()).toMatchObject([{ status: 'ready' }, { status: 'failures', request: { token: 'noted' } }])
  })
})

describe('a pasted text', () => {
  const paste = async (text: string) => {
    vi.stubGlobal('window', { tidemark: undefined })
    vi.spyOn(bridge, 'askShell').mockResolvedValueOnce(ok({ text }) as never)
    const done = pasteText()
    await new Promise((resolve) => setTimeout(resolve, 0))
    return done
  }

  it('that tells of the failure in front is read with it', async () => {
    drop('oom')
    await answerOpen(0, ready('p1'))
    patchView('p1', { view: 'diagnosis' })
    void paste('its error')
    await new Promise((resolve) => setTimeout(resolve, 0))
    await answerPage(0, 'read')
    expect(sourcesOf('p1')).toEqual([sourceOfText('its error')])
    expect(tabs()).toHaveLength(1)
  })

  it('of another failure becomes a tab, which is called by what it tells of', async () => {
    drop('oom')
    await answerOpen(0, ready('p2'))
    patchView('p2', { view: 'diagnosis' })
    void paste('another error')
    await new Promise((resolve) => setTimeout(resolve, 0))
    await answerPage(0, 'others')
    expect(sourcesOf('p2')).toEqual([])
    await answerFailures(0, readFailures(['text']))
    expect(tabs().map(({ request: { name } }) => name)).toEqual(['oom.pickle', 'Pasted text · 2.00\u00a0GiB on GPU 0'])
  })
})

describe('folders', () => {
  it('are one table, and the same folders have one tab', async () => {
    void openFiles({ files: [folder('runs'), folder('more')], mayAttach: true })
    void openFiles({ files: [folder('runs'), folder('more')], mayAttach: true })
    expect(calls).toMatchObject([{ method: 'failures.open', input: { tokens: ['runs', 'more'] } }])
    await answerFailures(0, readFailures(['runs/a.log', 'more/b.log']))
    expect(tabs()).toMatchObject([{ status: 'failures' }])
  })

  it('with one snapshot open that at once, in its diagnosis and with what was read beside it', async () => {
    void openFiles({ files: [folder('run')], mayAttach: true })
    await answerFailures(0, readFailures(['run/oom.pickle'], 'inside'))
    expect(opens()).toMatchObject([{ input: { token: 'inside' } }])
    await answerOpen(0, ready('c1'))
    expect(tabs()).toMatchObject([{ status: 'ready', request: { name: 'oom.pickle', folder: 'run' } }])
    expect([viewOf('c1')?.view, sourcesOf('c1')]).toEqual(['diagnosis', ['log beside']])
  })
})

describe('after the engine died', () => {
  it('reads a table again, and a capture keeps the files that are read with it', async () => {
    void openFiles({ files: [folder('runs')], mayAttach: false })
    const read = readFailures(['a.pickle', 'b.pickle'], 'inside')
    await answerFailures(0, read)
    const row = read.ok ? read.value.rows[1] : undefined
    if (!row) throw new Error('there is no row')
    openRow(row)
    await answerOpen(0, ready('c1'))
    countCrash()
    expect(reopenAfterCrash('killed')).toBe(true)
    await answerFailures(1, read)
    await answerOpen(1, ready('c2', 'c1'))
    expect(tabs().map(({ status }) => status)).toEqual(['failures', 'ready'])
    expect(sourcesOf('c2')).toEqual(['log beside'])
    expect(sourcesOf('c1')).toEqual([])
  })

  it('keeps the tab of a table whose reading is cancelled, and reads it again on demand', async () => {
    void openFiles({ files: [folder('runs')], mayAttach: false })
    await answerFailures(0, readFailures(['a.log', 'b.log']))
    countCrash()
    reopenAfterCrash('killed')
    await answerFailures(1, failed('query/cancelled'))
    expect(tabs()).toMatchObject([{ status: 'failed', failure: { code: 'query/cancelled' } }])
    reopen(tabs()[0]?.tabId ?? -1)
    await answerFailures(2, readFailures(['a.log', 'b.log']))
    expect(tabs().map(({ status }) => status)).toEqual(['failures'])
  })
})
