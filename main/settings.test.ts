import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SettingsStore } from './settings.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-settings-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = () => join(folder, 'settings.json')
const defaults = { keepSessions: true, theme: 'system', language: 'system' }

describe('settings', () => {
  test('start with defaults and remember a change without touching the rest', () => {
    expect(new SettingsStore(folder).current).toEqual(defaults)
    new SettingsStore(folder).change({ language: 'zh-CN' })
    new SettingsStore(folder).change({ theme: 'dark', language: undefined })
    expect(new SettingsStore(folder).current).toEqual({ ...defaults, theme: 'dark', language: 'zh-CN' })
  })

  test('keep what a newer version wrote', () => {
    writeFileSync(file(), '{"theme": "dark", "future": [1]}')
    new SettingsStore(folder).change({ language: 'en' })
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toMatchObject({ theme: 'dark', future: [1], language: 'en' })
  })

  test.each(['{"theme": "purple"}', '{"theme": "da', '[]', ''])(
    'that are broken (%s) are set aside, replaced by defaults, and said to be',
    (text) => {
      writeFileSync(file(), text)
      const store = new SettingsStore(folder)
      expect([store.current, store.reset]).toEqual([defaults, { keptAs: 'settings.json.broken' }])
      expect(readFileSync(`${file()}.broken`, 'utf8')).toBe(text)
      expect(existsSync(file())).toBe(false)
      expect(new SettingsStore(folder).reset).toBeUndefined()
    },
  )

  test('tell their listeners', () => {
    const store = new SettingsStore(folder)
    const heard: string[] = []
    store.onChange(({ theme }) => heard.push(theme))
    store.change({ theme: 'light' })
    expect(heard).toEqual(['light'])
  })
})
