import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CacheFolder } from '../../main/engine/cache-folder.ts'
import { scratchFolder } from '../support/paths.ts'
import { codeOf, expectValue } from './engine-client.ts'

/** The number of a process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '0']).pid

describe('the cache folder', () => {
  let scratch: ReturnType<typeof scratchFolder>
  beforeEach(() => {
    scratch = scratchFolder('cache')
  })
  afterEach(() => scratch.remove())

  const write = (name: string, bytes: number, ageSeconds: number) => {
    const path = join(scratch.path, name)
    writeFileSync(path, new Uint8Array(bytes))
    const at = Date.now() / 1000 - ageSeconds
    utimesSync(path, at, at)
    return path
  }
  const names = () => readdirSync(scratch.path).sort()

  test('is made with the folders around it', async () => {
    const path = join(scratch.path, 'a', 'b', 'c')
    expectValue(await new CacheFolder(path, 100).prepare())
    expectValue(await new CacheFolder(path, 100).prepare())
    expect(existsSync(path)).toBe(true)
  })

  test.skipIf(process.platform !== 'linux')('is given up where the system makes no folders', async () => {
    expect(codeOf(await new CacheFolder('/proc/tidemark/cache', 100).prepare())).toBe('index/cache_unusable')
  })

  test('evicts the least recently used indexes until the rest fits', async () => {
    for (const [name, age] of [
      ['a', 30],
      ['b', 20],
      ['c', 10],
    ] as const)
      write(`${name}.tidemark`, 100, age)
    await new CacheFolder(scratch.path, 200).evict(new Set())
    expect(names()).toEqual(['b.tidemark', 'c.tidemark'])
  })

  test('counts a touched index as used now', async () => {
    const old = write('a.tidemark', 100, 30)
    write('b.tidemark', 100, 20)
    const cache = new CacheFolder(scratch.path, 100)
    await cache.touch(old)
    await cache.evict(new Set())
    expect(names()).toEqual(['a.tidemark'])
  })

  test('never evicts an index in use, and nothing that is no index', async () => {
    const used = write('used.tidemark', 100, 30)
    write('notes.txt', 100, 40)
    write('other.tidemark', 100, 10)
    await new CacheFolder(scratch.path, 0).evict(new Set([used]))
    expect(names()).toEqual(['notes.txt', 'used.tidemark'])
  })

  test('removes temporaries of dead processes, keeps those of living ones and those still written to', async () => {
    const dead = deadPid()
    write(`aa.${dead}.0.tmp`, 10, 3600)
    const living = write(`bb.${process.pid}.0.tmp`, 10, 3600)
    const growing = write(`cc.${dead}.0.tmp`, 10, 0)
    expectValue(await new CacheFolder(scratch.path, 0).prepare())
    expect(names().map((name) => join(scratch.path, name))).toEqual([living, growing])
  })

  test('removes all temporaries of a fingerprint for the holder of its lock', async () => {
    write(`aa.${deadPid()}.0.tmp`, 10, 0)
    write(`ab.${deadPid()}.0.tmp`, 10, 0)
    await new CacheFolder(scratch.path, 0).removeTemporaries('aa')
    expect(names()).toHaveLength(1)
    expect(names()[0]).toMatch(/^ab\./)
  })

  test('answers a code when it cannot be made', async () => {
    const file = write('file', 1, 0)
    expect(codeOf(await new CacheFolder(join(file, 'folder'), 0).prepare())).toBe('index/cache_unusable')
  })

  test('lies where TIDEMARK_CACHE says, with the limit of TIDEMARK_CACHE_LIMIT', () => {
    const cache = CacheFolder.fromEnvironment({ TIDEMARK_CACHE: '/somewhere', TIDEMARK_CACHE_LIMIT: '1000' })
    expect([cache.path, cache.limitBytes]).toEqual(['/somewhere', 1000])
    expect(CacheFolder.fromEnvironment({}).limitBytes).toBe(20 * 1024 ** 3)
    expect(CacheFolder.fromEnvironment({ TIDEMARK_CACHE_LIMIT: 'much' }).limitBytes).toBe(20 * 1024 ** 3)
  })

  test('gives every temporary a name of its own', () => {
    const cache = new CacheFolder(scratch.path, 0)
    expect(cache.temporaryPath('aa')).not.toBe(cache.temporaryPath('aa'))
    expect(existsSync(cache.temporaryPath('aa'))).toBe(false)
  })
})
