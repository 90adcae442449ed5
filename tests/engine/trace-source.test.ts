// The file that a trace's index was made from: the arguments of events are read there, as long as it is what it was.
import { copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { scratchFolder, traceSamplePath } from '../support/paths.ts'
import { capturesIn, EngineClient, expectValue } from './engine-client.ts'

const scratch = scratchFolder('trace-source')
const plainPath = join(scratch.path, 'plain.json')
let engine: EngineClient

beforeAll(() => {
  writeFileSync(plainPath, gunzipSync(readFileSync(traceSamplePath)))
  engine = new EngineClient(capturesIn(join(scratch.path, 'cache')), {
    plain: plainPath,
    index: join(scratch.path, 'alone', 'plain.tidemark'),
  })
})
afterAll(async () => {
  await engine.close()
  scratch.remove()
})

/** Of the first slice, which has some. */
const argsOf = async ({ captureId }: CaptureSummary) => {
  const { args, argsFailure } = await engine.value('trace.slice', { captureId, sliceId: 0 })
  return argsFailure?.code ?? (args && args.length > 0 ? 'no failure' : 'no arguments')
}

test('is read when asked for, and a change or loss of it is said', async () => {
  const opened = await engine.open('plain')
  const kept = readFileSync(plainPath)
  expect(await argsOf(opened)).toBe('no failure')
  truncateSync(plainPath, 1000)
  expect(await argsOf(opened)).toBe('trace/source_changed')
  rmSync(plainPath)
  expect(await argsOf(opened)).toBe('file/not_found')
  writeFileSync(plainPath, kept)
  expect(await argsOf(opened)).toBe('no failure')
  // Another trace of the same size, whose events lie at the same places.
  writeFileSync(plainPath, kept.toString('latin1').replaceAll('"External id"', '"Internal id"'), 'latin1')
  expect(await argsOf(opened)).toBe('trace/source_changed')
  writeFileSync(plainPath, kept)
  expect(await argsOf(opened)).toBe('no failure')
  await engine.captures.close(opened.captureId)
})

test('is looked for beside an index that is opened by itself', async () => {
  const { signal } = new AbortController()
  const target = join(scratch.path, 'alone', 'plain.tidemark')
  mkdirSync(join(scratch.path, 'alone'))
  expectValue(await engine.captures.indexes.buildAt(plainPath, target, { signal, onProgress: () => undefined }))
  const lone = await engine.open('index')
  expect(await argsOf(lone)).toBe('file/not_found')
  copyFileSync(plainPath, join(scratch.path, 'alone', 'plain.json'))
  const beside = await engine.open('index')
  expect(await argsOf(beside)).toBe('no failure')
  rmSync(join(scratch.path, 'alone', 'plain.json'))
  expectValue(await engine.captures.indexes.buildAt(plainPath, target, { signal, onProgress: () => undefined, copyArgs: true }))
  expect(await argsOf(await engine.open('index'))).toBe('no failure')
})
