import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
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
    onRequested: ({ files }) => requested.push(...files.map(({ token }) => token)),
    onRefused: ({ message }) => expect.unreachable(message),
    onSession: (path) => expect.unreachable(path),
  })
  await requests.openAll([first, second])
  await requests.openDropped([{ path: first, name: 'a.pickle' }])
  const [, inList] = await recent.list()
  await requests.openRecent(inList?.id ?? '')
  expect(requested.map((token) => granted.get(token))).toEqual([first, second, first, second])
  expect([requested[2], requested[3]]).toEqual([requested[0], requested[1]])
  expect(new Set(requested).size).toBe(2)
})

test('what comes in together is told together, folders flagged, and what is not there is refused', async () => {
  const log = join(folder, 'train.log')
  writeFileSync(log, 'step 1')
  const told: unknown[] = []
  const refused: string[] = []
  const requests = new OpenRequests({
    recent: new RecentFiles(join(folder, 'data')),
    language: () => 'en',
    grant: () => undefined,
    onRequested: ({ files, mayAttach }) => told.push([files.map(({ name, isFolder }) => [name, isFolder]), mayAttach]),
    onRefused: ({ name, code }) => refused.push(`${name} ${code}`),
    onSession: (path) => expect.unreachable(path),
  })
  await requests.openDropped([log, join(folder, 'gone.log'), folder].map((path) => ({ path, name: basename(path) })))
  await requests.openAll([log])
  expect(told).toEqual([
    [
      [
        ['train.log', false],
        [basename(folder), true],
      ],
      true,
    ],
    [[['train.log', false]], false],
  ])
  expect(refused).toEqual(['gone.log file/not_found'])
})

test('a session that was saved as a file is no capture, whichever way it comes in', async () => {
  const session = join(folder, 'run.tidemark-session.json')
  writeFileSync(session, '{}')
  const shown: string[] = []
  const requests = new OpenRequests({
    recent: new RecentFiles(join(folder, 'data')),
    language: () => 'en',
    grant: () => expect.unreachable('a session needs no token'),
    onRequested: () => expect.unreachable('nothing else was opened'),
    onRefused: ({ message }) => expect.unreachable(message),
    onSession: (path) => shown.push(path),
  })
  await requests.openAll([session])
  await requests.openDropped([{ path: session, name: 'run.tidemark-session.json' }])
  expect(shown).toEqual([session, session])
})
