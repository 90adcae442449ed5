import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RecentFiles } from './recent-files.ts'
import { languageOf, SettingsStore } from './settings.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-settings-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = () => join(folder, 'settings.json')
const defaults = { theme: 'system', language: 'system', wheelZooms: false }

describe('settings', () => {
  test('start with defaults and remember a change without touching the rest', () => {
    expect(new SettingsStore(folder).current).toEqual(defaults)
    new SettingsStore(folder).change({ language: 'zh-CN' })
    new SettingsStore(folder).change({ theme: 'dark', language: undefined })
    expect(new SettingsStore(folder).current).toEqual({ ...defaults, theme: 'dark', language: 'zh-CN' })
  })

  test('keep what a newer version wrote', () => {
    writeFileSync(file(), '{"theme": "dark", "future": [1]}')
    new SettingsStore(folder).change({ wheelZooms: true })
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toMatchObject({ theme: 'dark', future: [1], wheelZooms: true })
  })

  test.each(['{"theme": "purple"}', '{"theme": "da', '[]', ''])('that are broken (%s) are set aside and replaced by defaults', (text) => {
    writeFileSync(file(), text)
    expect(new SettingsStore(folder).current).toEqual(defaults)
    expect(readFileSync(`${file()}.broken`, 'utf8')).toBe(text)
    expect(existsSync(file())).toBe(false)
  })

  test('tell their listeners', () => {
    const store = new SettingsStore(folder)
    const heard: string[] = []
    store.onChange(({ theme }) => heard.push(theme))
    store.change({ theme: 'light' })
    expect(heard).toEqual(['light'])
  })

  test('choose the language of the system unless one is set', () => {
    const language = (setting: 'system' | 'en' | 'zh-CN', system: string) =>
      languageOf({ theme: 'system', wheelZooms: false, language: setting }, system)
    expect([language('system', 'zh-TW'), language('system', 'de'), language('en', 'zh-CN')]).toEqual(['zh-CN', 'en', 'en'])
  })
})

describe('recent files', () => {
  test('are kept newest first, each once, at most twenty', () => {
    const recent = new RecentFiles(folder)
    for (let index = 0; index < 25; index++) recent.add(`/captures/${index}.pickle`, index)
    recent.add('/captures/10.pickle', 10)
    const names = new RecentFiles(folder).list().map(({ name }) => name)
    expect(names).toHaveLength(20)
    expect(names.slice(0, 3)).toEqual(['10.pickle', '24.pickle', '23.pickle'])
  })

  test('are known by an id, and say when the file is missing', () => {
    const recent = new RecentFiles(folder)
    recent.add(join(folder, 'missing.pickle'), 1)
    const [entry] = recent.list()
    expect(entry).toMatchObject({ missing: true, folder })
    expect(recent.pathOf(entry?.id ?? '')).toBe(join(folder, 'missing.pickle'))
    expect(recent.pathOf('unknown')).toBeUndefined()
    recent.clear()
    expect(new RecentFiles(folder).list()).toEqual([])
  })
})
