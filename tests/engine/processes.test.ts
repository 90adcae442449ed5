// The cache between processes, and when the system refuses: one load, no corruption, nothing left behind.
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs'
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
    expect(runs.map(({ status, err }) => [status, err])).toEqual([0, 1, 2].map(() => [0, '']))
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

  test('that may not write any more fails with a code and leaves nothing behind', async () => {
    const { status, err } = await runCli(['index', samplePath('ft_lora')], { cache, before: 'ulimit -f 100' })
    expect([status, err]).toEqual([2, expect.stringMatching(/^error: index\/(write_failed|disk_full): /)])
    expect(cached()).toEqual([])
  })

  const full = join(tmpdir(), `tidemark-full-${process.pid}`)
  mkdirSync(full)
  afterAll(() => rmdirSync(full))
  const mountFull = () => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200k', 'tidemark-test', full]).status === 0
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
