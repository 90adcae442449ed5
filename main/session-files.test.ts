import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '../preload/contract/session.ts'
import { readSessionDocument, SessionFiles } from './session-files.ts'

const keyOf = (index: number): string => index.toString(16).padStart(20, '0')
const session = (view: Session['view'] = {}): Session => ({ schemaVersion: 1, view, looks: {}, notes: [] })

describe('the files of sessions', () => {
  let userData: string
  beforeEach(() => {
    userData = mkdtempSync(join(tmpdir(), 'tidemark-sessions-'))
  })
  afterEach(() => rmSync(userData, { recursive: true, force: true }))

  const pathOf = (key: string): string => join(userData, 'sessions', `${key}.json`)
  const put = (key: string, text: string) => {
    mkdirSync(join(userData, 'sessions'), { recursive: true })
    writeFileSync(pathOf(key), text)
  }

  test('of colleagues are read as they are, and what is no such file is none and stays where it is', () => {
    const path = join(userData, 'x.tidemark-session.json')
    const document = { kind: 'tidemark-session', sourceName: 'run.pickle', key: keyOf(7), session: session({ view: 'flame' }) }
    writeFileSync(path, JSON.stringify(document))
    expect(readSessionDocument(path)).toEqual(document)
    for (const text of ['', '{"session":', JSON.stringify({ session: session() }), JSON.stringify({ ...document, key: '../../x' })]) {
      writeFileSync(path, text)
      expect(readSessionDocument(path)).toBeNull()
      expect(readFileSync(path, 'utf8')).toBe(text)
    }
    expect(readSessionDocument(join(userData, 'none'))).toBeNull()
  })

  test('of colleagues are read behind a byte order mark, and not from what is no file', () => {
    const path = join(userData, 'x.tidemark-session.json')
    const document = { kind: 'tidemark-session', sourceName: 'run.pickle', key: keyOf(7), session: session({ view: 'flame' }) }
    writeFileSync(path, `\ufeff${JSON.stringify(document)}`)
    expect(readSessionDocument(path)).toEqual(document)
    expect(readSessionDocument('/dev/zero')).toBeNull()
  })

  test('give back what was saved under a key, and nothing under another', () => {
    const kept = session({ view: 'flame', visible: { x0: 1, x1: 2 } })
    expect(new SessionFiles(userData).save(keyOf(1), kept)).toBe(true)
    expect(new SessionFiles(userData).load(keyOf(1))).toEqual(kept)
    expect(new SessionFiles(userData).load(keyOf(2))).toBeNull()
    expect(readdirSync(join(userData, 'sessions'))).toEqual([`${keyOf(1)}.json`])
  })

  test('are read behind a byte order mark, which some editors write', () => {
    put(keyOf(1), `\ufeff${JSON.stringify({ session: session({ text: 'a' }) })}`)
    expect(new SessionFiles(userData).load(keyOf(1))).toEqual(session({ text: 'a' }))
  })

  test.each([
    ['no JSON', '{"session":'],
    ['another version', JSON.stringify({ session: { ...session(), schemaVersion: 2 } })],
    ['another shape', '{"session":{"schemaVersion":1,"view":[],"looks":{},"notes":[]}}'],
    ['more notes than are kept', JSON.stringify({ session: { ...session(), notes: Array(501).fill({}) } })],
    ['more bytes than are read', ' '.repeat(17 * 2 ** 20) + JSON.stringify({ session: session() })],
  ])('are set aside when they hold %s', (_, text) => {
    put(keyOf(1), text)
    const files = new SessionFiles(userData)
    expect(files.load(keyOf(1))).toBeNull()
    expect(readFileSync(`${pathOf(keyOf(1))}.broken`, 'utf8')).toBe(text)
    expect(files.save(keyOf(1), session())).toBe(true)
    expect(files.load(keyOf(1))).toEqual(session())
  })

  test('are refused when they are too large to be read again', () => {
    const files = new SessionFiles(userData)
    expect(files.save(keyOf(1), session({ text: 'a'.repeat(2 ** 20) }))).toBe(false)
    expect(existsSync(pathOf(keyOf(1)))).toBe(false)
  })

  test('stay few: those written longest ago go', () => {
    const files = new SessionFiles(userData, 3)
    for (let index = 0; index < 3; index++) {
      files.save(keyOf(index), session())
      utimesSync(pathOf(keyOf(index)), 1000 + index, 1000 + index)
    }
    files.save(keyOf(0), session()) // written again: it stays
    files.save(keyOf(3), session())
    expect([0, 1, 2, 3].map((index) => existsSync(pathOf(keyOf(index))))).toEqual([true, false, true, true])
  })

  test('are forgotten all at once, and what is not ours stays', () => {
    const files = new SessionFiles(userData)
    put(keyOf(2), 'broken')
    files.load(keyOf(2))
    files.save(keyOf(1), session())
    writeFileSync(join(userData, 'sessions', 'mine.txt'), '')
    mkdirSync(pathOf(keyOf(0))) // before the files, in the order of names
    files.clear()
    expect(readdirSync(join(userData, 'sessions'))).toEqual([`${keyOf(0)}.json`, 'mine.txt'])
    rmSync(join(userData, 'sessions'), { recursive: true })
    expect(() => files.clear()).not.toThrow()
  })
})
