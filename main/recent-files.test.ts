import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FilePresence } from './file-presence.ts'
import { RecentFiles } from './recent-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-recent-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('recent files', () => {
  test('are kept newest first, each once, at most twenty', async () => {
    const recent = new RecentFiles(folder)
    for (let index = 0; index < 25; index++) recent.add(`/captures/${index}.pickle`, index)
    recent.add('/captures/10.pickle', 10)
    const names = (await new RecentFiles(folder).list()).map(({ name }) => name)
    expect(names).toHaveLength(20)
    expect(names.slice(0, 3)).toEqual(['10.pickle', '24.pickle', '23.pickle'])
  })

  test('are known by an id, and say when the file is missing', async () => {
    const recent = new RecentFiles(folder)
    writeFileSync(join(folder, 'here.pickle'), '')
    recent.add(join(folder, 'here.pickle'), 1)
    recent.add(join(folder, 'missing.pickle'), 1)
    const [missing, here] = await recent.list()
    expect([missing, here]).toMatchObject([
      { missing: true, folder },
      { missing: false, folder },
    ])
    expect(recent.pathOf(missing?.id ?? '')).toBe(join(folder, 'missing.pickle'))
    expect(recent.pathOf('unknown')).toBeUndefined()
    recent.clear()
    expect(await new RecentFiles(folder).list()).toEqual([])
  })

  test('on a drive that does not answer count as missing, asked for once, and hold up no others', async () => {
    const asked: string[] = []
    const never = new Promise<boolean>(() => undefined)
    const presence = new FilePresence((path) => {
      asked.push(path)
      return path.startsWith('/dead/') ? never : Promise.resolve(true)
    }, 20)
    const recent = new RecentFiles(folder, presence)
    for (const path of ['/dead/a', '/dead/b', '/disk/c']) recent.add(path, 1)
    const missing = async () => (await recent.list()).map((file) => `${file.name} ${file.missing}`)
    expect(await missing()).toEqual(['c false', 'b true', 'a true'])
    expect(await missing()).toEqual(['c false', 'b true', 'a true'])
    expect(asked.filter((path) => path.startsWith('/dead/'))).toEqual(['/dead/b'])
  })
})
