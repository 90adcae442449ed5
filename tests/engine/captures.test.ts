// The cache of indexes as users meet it: what is reused, what is rebuilt, what is left behind.
import {
  appendFileSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import sqlite3 from 'sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { IndexStore } from '../../main/engine/index-store.ts'
import type { StageProgress } from '../../main/engine/jobs.ts'
import { loadStages } from '../../preload/contract/capture.ts'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { capturesIn, codeOf, expectValue, quietly } from './engine-client.ts'
import { writeLongHistory } from './long-history.ts'

let scratch: ReturnType<typeof scratchFolder>
let source: string
let cache: string
beforeEach(() => {
  scratch = scratchFolder('captures')
  source = join(scratch.path, 'source.pickle')
  cache = join(scratch.path, 'cache')
  copyFileSync(samplePath('ft_lora'), source)
})
afterEach(() => scratch.remove())

const openOnce = async (path = source, options = {}) => {
  const captures = capturesIn(cache)
  const opened = await captures.open(path, { ...quietly, ...options })
  await captures.closeAll()
  return opened
}
const summaryOf = async (path = source) => expectValue(await openOnce(path))
const cached = () => readdirSync(cache).sort()
const cachedIndex = () => join(cache, cached().find((name) => name.endsWith('.tidemark')) ?? 'none')

function change(path: string, statement: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const db = new sqlite3.Database(path)
    db.exec(statement, (error) => (error ? reject(error) : db.close(() => resolve())))
  })
}

describe('the index of a capture', () => {
  test('is all that a load leaves in the cache, under its final name', async () => {
    const { fingerprint } = await summaryOf()
    expect(cached()).toEqual([`${fingerprint}.tidemark`])
  })

  test('is reused by the next opening, which answers the same', async () => {
    const built = await summaryOf()
    const reused = await summaryOf()
    expect([built.fromCache, reused.fromCache]).toEqual([false, true])
    expect({ ...reused, fromCache: false, captureId: built.captureId }).toEqual(built)
  })

  test('is opened once only when it is reused', async () => {
    await summaryOf()
    const open = vi.spyOn(IndexStore, 'open')
    expect((await summaryOf()).fromCache).toBe(true)
    expect((await summaryOf(cachedIndex())).fromCache).toBe(true)
    expect(open.mock.calls.map(([path]) => path)).toEqual([cachedIndex(), cachedIndex()])
    open.mockRestore()
  })

  test('is built anew when the source changed, even when only its time did', async () => {
    const first = await summaryOf()
    utimesSync(source, 1000, 1000)
    const touched = await summaryOf()
    appendFileSync(source, 'more')
    const grown = await summaryOf()
    expect([touched.fromCache, grown.fromCache]).toEqual([false, false])
    expect(new Set([first, touched, grown].map(({ fingerprint }) => fingerprint)).size).toBe(3)
  })

  test.each([
    ['another version of the program', "UPDATE capture SET tool_version = '0.0.1'"],
    ['another layout', 'UPDATE capture SET schema_version = 0'],
    ['nobody (no row in capture)', 'DELETE FROM capture'],
  ])('is built anew when it was made by %s', async (_by, statement) => {
    await summaryOf()
    await change(cachedIndex(), statement)
    expect((await summaryOf()).fromCache).toBe(false)
    expect((await summaryOf()).fromCache).toBe(true)
  })

  test.each([
    ['cut short', (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['empty', (path: string) => truncateSync(path, 0)],
    ['overwritten at its head', (path: string) => writeSync(openSync(path, 'r+'), 'x'.repeat(200), 0)],
    ['overwritten in its first page', (path: string) => writeSync(openSync(path, 'r+'), new Uint8Array(3000), 0, 3000, 100)],
    ['another file altogether', (path: string) => writeFileSync(path, 'no index')],
  ])('is built anew when it is %s', async (_how, damage) => {
    const built = await summaryOf()
    damage(cachedIndex())
    const rebuilt = await summaryOf()
    expect({ ...rebuilt, captureId: built.captureId }).toEqual(built)
    expect(cached()).toHaveLength(1)
  })

  test('is built anew on demand', async () => {
    await summaryOf()
    expect(expectValue(await openOnce(source, { rebuild: true })).fromCache).toBe(false)
  })

  test('can be opened itself, wherever it lies, and refuses to be what it is not', async () => {
    const built = await summaryOf()
    const copy = join(scratch.path, 'copy.tidemark')
    copyFileSync(cachedIndex(), copy)
    expect(await summaryOf(copy)).toMatchObject({ fingerprint: built.fingerprint, devices: built.devices })
    truncateSync(copy, 50_000)
    expect(codeOf(await openOnce(copy))).toBe('index/not_an_index')
    const foreign = join(scratch.path, 'foreign.db')
    await change(foreign, 'CREATE TABLE t(x)')
    expect(codeOf(await openOnce(foreign))).toBe('index/not_an_index')
  })

  test('is evicted when it was used longest ago and the cache is above its limit', async () => {
    const oom = await summaryOf(samplePath('oom'))
    const two = await summaryOf(samplePath('two_devices'))
    const old = Date.now() / 1000 - 3600
    utimesSync(join(cache, `${oom.fingerprint}.tidemark`), old, old)
    const { indexBytes, fingerprint } = await summaryOf()
    rmSync(join(cache, `${fingerprint}.tidemark`))
    const captures = capturesIn(cache, oom.indexBytes + two.indexBytes + indexBytes - 1)
    const lora = expectValue(await captures.open(source, quietly))
    await captures.closeAll()
    expect(cached()).toEqual([`${lora.fingerprint}.tidemark`, `${two.fingerprint}.tidemark`].sort())
  })

  test('stays while its capture is open, whatever the limit', async () => {
    const captures = capturesIn(cache, 0)
    const oom = expectValue(await captures.open(samplePath('oom'), quietly))
    const lora = expectValue(await captures.open(source, quietly))
    expect(cached()).toEqual([`${oom.fingerprint}.tidemark`, `${lora.fingerprint}.tidemark`].sort())
    await captures.close(oom.captureId)
    const two = expectValue(await captures.open(samplePath('two_devices'), quietly))
    expect(cached()).toEqual([`${lora.fingerprint}.tidemark`, `${two.fingerprint}.tidemark`].sort())
    await captures.closeAll()
  })
})

describe('a file that cannot be read', () => {
  test.each([
    ['file/not_found', () => join(scratch.path, 'missing.pickle')],
    ['file/unreadable', () => scratch.path],
    ['file/empty', () => written('')],
    [
      'file/truncated',
      () =>
        written(
          gzipSync(readFileSync(samplePath('oom')))
            .subarray(0, 12)
            .toString('latin1'),
        ),
    ],
    ['file/unknown_format', () => written('Dear diary, today I trained a model.')],
    ['snapshot/forbidden_opcode', () => written('\x80\x04cos\nsystem\nX\x04\x00\x00\x00true\x85R.')],
    ['trace/not_a_trace', () => written('{"traceEvents": []}')],
  ])('is answered with %s and leaves nothing behind', async (code, path) => {
    expect(codeOf(await openOnce(path()))).toBe(code)
    expect(readdirSync(scratch.path).includes('cache') ? cached() : []).toEqual([])
  })

  const written = (text: string) => {
    const path = join(scratch.path, 'file')
    writeFileSync(path, text, 'latin1')
    return path
  }
})

describe('a running load', () => {
  beforeEach(() => writeLongHistory(source, 150_000))

  test('goes through the stages in order, with bytes and rate while it reads', async () => {
    const heard: StageProgress[] = []
    expectValue(await openOnce(source, { onProgress: (progress: StageProgress) => heard.push(progress) }))
    const stages = heard.map(({ stage }) => loadStages.indexOf(stage))
    expect(stages).toEqual([...stages].sort((a, b) => a - b))
    expect(heard[0]?.stage).toBe('recognise')
    const reading = heard.filter(({ stage }) => stage === 'read')
    expect(reading.length).toBeGreaterThan(2)
    expect(reading.at(-1)).toMatchObject({ total: statSync(source).size })
    expect(reading.some(({ bytesPerSecond }) => (bytesPerSecond ?? 0) > 1e6)).toBe(true)
    expect(reading.map(({ done }) => done)).toEqual(reading.map(({ done }) => done).sort((a, b) => a - b))
  })

  test('never holds up the event loop for 50 ms of its own work', async () => {
    let worst = 0
    let last = performance.now()
    let busyAtLast = process.cpuUsage()
    const timer = setInterval(() => {
      const now = performance.now()
      // On a crowded machine the process is not run at all for a while: what counts is the processor time that this thread could have used.
      const used = process.cpuUsage(busyAtLast)
      worst = Math.max(worst, Math.min(now - last - 10, (used.user + used.system) / 1000))
      last = now
      busyAtLast = process.cpuUsage()
    }, 10)
    expectValue(await openOnce())
    clearInterval(timer)
    expect(worst).toBeLessThan(50)
  })

  test('stops within 200 ms of a cancel and leaves nothing behind', async () => {
    const controller = new AbortController()
    let tellReading: () => void = () => undefined
    const reading = new Promise<void>((resolve) => {
      tellReading = resolve
    })
    const onProgress = ({ stage, done }: StageProgress) => {
      if (stage === 'read' && done > 0) tellReading()
    }
    const opening = openOnce(source, { signal: controller.signal, onProgress })
    await reading
    expect(cached().some((name) => name.endsWith('.tmp'))).toBe(true)
    const startedAt = performance.now()
    controller.abort()
    expect(codeOf(await opening)).toBe('query/cancelled')
    expect(performance.now() - startedAt).toBeLessThan(200)
    expect(cached()).toEqual([])
  })

  test('is shared by all who open the same file in one process', async () => {
    const captures = capturesIn(cache)
    const opened = await Promise.all([captures.open(source, quietly), captures.open(source, quietly)])
    const later = expectValue(await captures.open(source, quietly))
    // One that was not shared would have waited for the lock and then found the index in the cache.
    expect([...opened.map((each) => expectValue(each).fromCache), later.fromCache]).toEqual([false, false, true])
    expect(new Set(opened.map((each) => expectValue(each).captureId)).size).toBe(2)
    await captures.closeAll()
  })

  test('goes on for the others when one cancels', async () => {
    const captures = capturesIn(cache)
    const controller = new AbortController()
    const opening = [captures.open(source, { ...quietly, signal: controller.signal }), captures.open(source, quietly)] as const
    await sleep(100)
    controller.abort()
    expect((await Promise.all(opening)).map(codeOf)).toEqual(['query/cancelled', 'no failure'])
    await captures.closeAll()
  })
})
