// The cache between processes, and when the system refuses: one load, no corruption, nothing left behind.
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, copyFileSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { samplePath, scratchFolder } from '../support/paths.ts'
import { cliPath, runCli, startCli } from './cli.ts'
import { writeLongHistory } from './long-history.ts'

const isRoot = process.getuid?.() === 0
const nobody = 65534

let scratch: ReturnType<typeof scratchFolder>
let cache: string
beforeEach(() => {
  scratch = scratchFolder('processes')
  cache = join(scratch.path, 'cache')
  mkdirSync(cache)
  chmodSync(scratch.path, 0o755)
})
afterEach(() => scratch.remove())

const cached = () => readdirSync(cache).sort()

async function untilCached(pattern: RegExp): Promise<void> {
  while (!cached().some((name) => pattern.test(name))) await sleep(5)
}

describe('two processes that open the same file at once', () => {
  test('load it once; the second takes the index of the first', async () => {
    const source = join(scratch.path, 'long.json')
    writeLongHistory(source, 100_000)
    const runs = await Promise.all([0, 1, 2].map(() => runCli(['index', source, '--json'], { cache })))
    expect(runs.map(({ status }) => status)).toEqual([0, 0, 0])
    const waiting = 'Waiting for another process that loads the same file\n'
    expect(runs.map(({ err }) => err).sort()).toEqual(['', waiting, waiting])
    const fromCache = runs.map(({ out }) => JSON.parse(out).fromCache as boolean)
    expect(fromCache.sort()).toEqual([false, true, true])
    expect(cached()).toEqual([expect.stringMatching(/\.tidemark$/)])
  })

  test('are not held up when the one that loads is killed, and its leftovers go', async () => {
    const source = join(scratch.path, 'long.json')
    writeLongHistory(source, 200_000)
    const first = startCli(['index', source], { cache })
    await untilCached(/\.tmp$/)
    const second = startCli(['index', source, '--json'], { cache })
    await sleep(100)
    first.child.kill('SIGKILL')
    await first.done
    const { status, out } = await second.done
    expect([status, JSON.parse(out).fromCache]).toEqual([0, false])
    expect(cached()).toEqual([expect.stringMatching(/\.tidemark$/)])
  })
})

describe('a load that was killed', () => {
  test('leaves a lock and a temporary, which the next load of any file removes', async () => {
    const source = join(scratch.path, 'long.json')
    writeLongHistory(source, 200_000)
    const run = startCli(['index', source], { cache })
    await untilCached(/\.tmp$/)
    run.child.kill('SIGKILL')
    await run.done
    expect(cached().join(' ')).toMatch(/\.tmp \w+\.lock/)
    expect((await runCli(['index', samplePath('oom')], { cache })).status).toBe(0)
    expect(cached()).toEqual([expect.stringMatching(/\.tidemark$/)])
  })

  test('with -o leaves a temporary, which the next with the same OUT removes; that of a running one stays', async () => {
    const source = join(scratch.path, 'long.json')
    const target = join(cache, 'own.tidemark')
    writeLongHistory(source, 200_000)
    const run = startCli(['index', source, '-o', target], { cache })
    await untilCached(/\.tmp$/)
    run.child.kill('SIGKILL')
    await run.done
    const running = `own.tidemark.${process.pid}.tmp`
    writeFileSync(join(cache, running), '')
    expect(cached()).toEqual([`own.tidemark.${run.child.pid}.tmp`, running].sort())
    expect((await runCli(['index', samplePath('oom'), '-o', target], { cache })).status).toBe(0)
    expect(cached()).toEqual(['own.tidemark', running])
  })
})

describe('a load', () => {
  test('that is interrupted from the keyboard ends with status 130 and leaves nothing behind', async () => {
    const source = join(scratch.path, 'long.json')
    writeLongHistory(source, 200_000)
    const run = startCli(['index', source], { cache })
    await untilCached(/\.tmp$/)
    run.child.kill('SIGINT')
    const { status, err } = await run.done
    expect([status, err]).toEqual([130, expect.stringMatching(/^error: query\/cancelled: /)])
    expect(cached()).toEqual([])
  })

  test.each(['in the cache', 'at OUT'])('of a file that is written to meanwhile says so and leaves no index %s', async (where) => {
    const source = join(scratch.path, 'long.json')
    writeLongHistory(source, 200_000)
    const run = startCli(['index', source, ...(where === 'at OUT' ? ['-o', join(cache, 'own.tidemark')] : [])], { cache })
    await untilCached(/\.tmp$/)
    appendFileSync(source, ' ')
    const { status, err } = await run.done
    expect([status, err]).toEqual([2, expect.stringMatching(/^error: file\/unreadable: long\.json changed while it was read/)])
    expect(cached()).toEqual([])
  })

  test('that may not write any more fails with a code and leaves nothing behind', async () => {
    const { status, err } = await runCli(['index', samplePath('ft_lora')], { cache, before: 'ulimit -f 100' })
    expect([status, err]).toEqual([2, expect.stringMatching(/^error: index\/(write_failed|disk_full): /)])
    expect(cached()).toEqual([])
  })

  const full = join(tmpdir(), `tidemark-full-${process.pid}`)
  mkdirSync(full)
  afterAll(() => rmdirSync(full))
  const mountFull = (limit = 'size=200k') => spawnSync('mount', ['-t', 'tmpfs', '-o', limit, 'tidemark-test', full]).status === 0
  const canMount = mountFull()
  if (canMount) spawnSync('umount', [full])
  test.skipIf(!canMount)('on a full disk fails with index/disk_full and leaves nothing behind', async () => {
    mountFull()
    try {
      const { status, err } = await runCli(['index', samplePath('ft_lora')], { cache: full })
      expect([status, err]).toEqual([2, expect.stringMatching(/^error: index\/disk_full: .+: free some space/)])
      expect(readdirSync(full)).toEqual([])
    } finally {
      spawnSync('umount', [full])
    }
  })

  test.skipIf(!canMount)('on a disk too full for a lock fails with index/disk_full, too', async () => {
    mountFull('nr_inodes=2')
    try {
      const { status, err } = await runCli(['index', samplePath('ft_lora')], { cache: join(full, 'cache') })
      expect([status, err]).toEqual([2, expect.stringMatching(/^error: index\/disk_full: .+: free some space/)])
    } finally {
      spawnSync('umount', [full])
    }
  })
})

describe('a cache folder that cannot be written', () => {
  // Root may write everywhere, so there the command runs as somebody else.
  const asOther = isRoot ? { uid: nobody } : {}
  const canBeOther = !isRoot || spawnSync('test', ['-r', cliPath], { uid: nobody, gid: nobody }).status === 0

  test.skipIf(!canBeOther)('is answered with index/cache_unusable and what to do', async () => {
    chmodSync(cache, 0o555)
    const { status, err } = await runCli(['info', samplePath('oom')], { cache, ...asOther })
    expect([status, err]).toEqual([2, expect.stringMatching(/^error: index\/cache_unusable: .+: set TIDEMARK_CACHE/)])
    expect(cached()).toEqual([])
  })

  test.skipIf(!canBeOther)('still serves the indexes that it has', async () => {
    const source = join(scratch.path, 'oom.pickle')
    copyFileSync(samplePath('oom'), source)
    expect((await runCli(['index', source], { cache })).status).toBe(0)
    chmodSync(cache, 0o555)
    const { status, out } = await runCli(['info', source, '--json'], { cache, ...asOther })
    expect([status, JSON.parse(out).fromCache]).toEqual([0, true])
  })

  test('is answered with index/cache_unusable when it cannot even be made', async () => {
    const { status, err } = await runCli(['index', samplePath('oom')], { cache: join(samplePath('oom'), 'cache') })
    expect([status, err]).toEqual([2, expect.stringMatching(/^error: index\/cache_unusable: /)])
  })
})
