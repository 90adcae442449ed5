import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, test } from 'vitest'
import { commands } from '../preload/contract/commands.ts'
import { acceleratorOf, menuTemplate } from './menu-template.ts'

const itemsOf = (bar: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  bar.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []))
const context = { language: 'en' as const, isMac: false, run: () => undefined }

describe('the menu', () => {
  test('has every command that names a menu, once, and runs it by its id', () => {
    const ran: string[] = []
    const items = itemsOf(menuTemplate({ ...context, run: (id) => ran.push(id) })).filter(({ id }) => id !== undefined)
    for (const item of items) (item.click as () => void)()
    const expected = commands.filter(({ menu }) => menu !== null).map(({ id }) => id)
    expect([...ran].sort()).toEqual([...expected].sort())
  })

  test('speaks the language', () => {
    expect(menuTemplate({ ...context, language: 'zh-CN' }).map(({ label }) => label)).toEqual(['文件', '编辑', '视图', '转到', '帮助'])
  })

  test('shows the keys of the command list and leaves their handling to the window', () => {
    const items = new Map(itemsOf(menuTemplate(context)).map((item) => [item.id, item]))
    expect(items.get('file.open')).toMatchObject({ accelerator: 'CmdOrCtrl+O', registerAccelerator: false })
    expect(items.get('view.zoomIn')).toMatchObject({ accelerator: 'W', registerAccelerator: false })
    expect(items.get('app.quit')).toMatchObject({ accelerator: 'CmdOrCtrl+Q', registerAccelerator: true })
  })

  test('leaves plain letters out on macOS, where they would be taken from text fields', () => {
    const items = new Map(itemsOf(menuTemplate({ ...context, isMac: true })).map((item) => [item.id, item]))
    expect(items.get('view.zoomIn')?.accelerator).toBeUndefined()
    expect(items.get('file.open')?.accelerator).toBe('CmdOrCtrl+O')
    expect(items.has('app.quit')).toBe(false)
  })

  test('spells keys as Electron does', () => {
    expect(['Alt+ArrowLeft', 'Ctrl+Tab', 'Mod+Shift+P', '+', 'Escape'].map(acceleratorOf)).toEqual([
      'Alt+Left',
      'Control+Tab',
      'CmdOrCtrl+Shift+P',
      'Plus',
      'Esc',
    ])
  })
})

describe('the command list', () => {
  test('gives no id and no key twice', () => {
    const ids = commands.map(({ id }) => id)
    const keys = commands.flatMap((command) => command.keys)
    expect(ids).toEqual([...new Set(ids)])
    expect(keys).toEqual([...new Set(keys)])
  })
})
