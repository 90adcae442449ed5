import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OpenRequests } from './open-requests.ts'
import { RecentFiles } from './recent-files.ts'

vi.mock('electron', () => ({ app: { addRecentDocument: () => undefined }, dialog: {} }))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-open-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a file that is opened again keeps its token, so the window finds its tab; another file gets another', async () => {
  const [first, second] = ['a.pickle', 'b.pickle'].map((name) => join(folder, name)) as [string, string]
  for (const path of [first, second]) writeFileSync(path, 'capture')
  const granted = new Map<string, string>()
  const requested: string[] = []
  const recent = new RecentFiles(join(folder, 'data'))
  const requests = new OpenRequests({
    recent,
    language: () => 'en',
    grant: (token, path) => granted.set(token, path),
    onRequested: ({ token }) => requested.push(token),
    onRefused: ({ message }) => expect.unreachable(message),
  })
  await requests.openAll([first, second])
  await requests.openDropped([{ path: first, name: 'a.pickle' }])
  const [, inList] = await recent.list()
  await requests.openRecent(inList?.id ?? '')
  expect(requested.map((token) => granted.get(token))).toEqual([first, second, first, second])
  expect([requested[2], requested[3]]).toEqual([requested[0], requested[1]])
  expect(new Set(requested).size).toBe(2)
})
