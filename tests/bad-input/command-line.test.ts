// The same through the whole engine, as a user meets it: exit status, one line that names the code, and nothing left in the cache.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Hostile, hostiles } from '../fixtures/hostile.ts'
import { root, samplePath, scratchFolder } from '../support/paths.ts'

const scratch = scratchFolder('command-line')
afterAll(() => scratch.remove())

const cli = join(root, 'out', 'main', 'cli.js')

function info(file: string, cache: string) {
  const env = { ...process.env, TIDEMARK_CACHE: cache }
  const done = spawnSync(process.execPath, [cli, 'info', file, '--json'], { env, encoding: 'utf8', timeout: 60_000 })
  return { ...done, left: filesUnder(cache) }
}

/** Indexes may stay; temporary files and locks may not. */
function filesUnder(folder: string): string[] {
  mkdirSync(folder, { recursive: true })
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tidemark'))
    .map((entry) => entry.name)
}

const indexesIn = (folder: string) => readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.tidemark'))

/** One of each kind of answer: the rest is tested without the start of a process each. */
const chosen = [
  'empty',
  'png',
  'zip_such_as_a_checkpoint',
  'stack_global_and_reduce',
  'text_of_4_gib_in_14_bytes',
  'lists_200000_deep',
  'json_200000_deep',
  'memo_bomb_of_10_to_the_30',
  'gzip_of_256_mib_of_zeros',
  'an_empty_dict',
]

describe('tidemark info on', () => {
  test.each(chosen)('%s', (name) => {
    const hostile = hostiles.find((candidate) => candidate.name === name) as Hostile
    const file = join(scratch.path, `${name}.pickle`)
    const cache = join(scratch.path, `${name}.cache`)
    writeFileSync(file, hostile.bytes())
    const { status, signal, stderr, left } = info(file, cache)
    expect({ signal, left, indexes: indexesIn(cache) }).toEqual({ signal: null, left: [], indexes: [] })
    expect(status, stderr).toBe(2)
    const code = /^error: ([a-z]+\/[a-z_]+):/m.exec(stderr)?.[1]
    expect(hostile.codes).toContain(code)
  })

  test('a file that is not there', () => {
    const { status, stderr } = info(join(scratch.path, 'nowhere.pickle'), join(scratch.path, 'nowhere.cache'))
    expect(status).toBe(2)
    expect(stderr).toMatch(/^error: file\/not_found:/m)
  })

  test('a folder', () => {
    const { status, stderr } = info(scratch.path, join(scratch.path, 'folder.cache'))
    expect(status).toBe(2)
    expect(stderr).toMatch(/^error: file\//m)
  })

  test('a good file, of which only the index stays', () => {
    const cache = join(scratch.path, 'good.cache')
    const { status, stdout, stderr, left } = info(samplePath('ft_lora'), cache)
    expect(status, stderr).toBe(0)
    expect(left).toEqual([])
    expect(indexesIn(cache)).toHaveLength(1)
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'torch_snapshot' })
  })
})
