// The menu as data, from the same list of commands that palette, keys and help read.
import type { MenuItemConstructorOptions } from 'electron'
import { type CommandDeclaration, commands, type MenuName, menus } from '../preload/contract/commands.ts'
import type { Language } from '../preload/contract/language.ts'

export interface MenuContext {
  readonly language: Language
  readonly isMac: boolean
  readonly run: (commandId: string) => void
}

const electronNames: Readonly<Record<string, string>> = {
  Mod: 'CmdOrCtrl',
  Ctrl: 'Control',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  Escape: 'Esc',
}

/** A key of the command list in Electron's spelling. */
export function acceleratorOf(key: string): string {
  if (key === '+') return 'Plus'
  return key
    .split('+')
    .map((part) => electronNames[part] ?? part)
    .join('+')
}

const hasModifier = (key: string): boolean => key.length > 1 && key.includes('+')

/**
 * Keys are shown here but handled in the window, which knows about text fields and input methods. macOS handles every accelerator that it
 * shows, so plain letters are left out there: they would be taken from text fields.
 */
function itemOf(command: CommandDeclaration, { language, isMac, run }: MenuContext): MenuItemConstructorOptions {
  const [key] = command.keys
  const isShown = key !== undefined && (!isMac || hasModifier(key))
  return {
    id: command.id,
    label: command.title[language],
    click: () => run(command.id),
    ...(isShown ? { accelerator: acceleratorOf(key), registerAccelerator: command.id === 'app.quit' } : {}),
  }
}

/** What acts on text alone; undo and redo are commands, which know about notes too. */
const editRoles: readonly MenuItemConstructorOptions[] = [
  { type: 'separator' },
  { role: 'cut' },
  { role: 'copy' },
  { role: 'paste' },
  { role: 'selectAll' },
]

function itemsOf(name: MenuName, context: MenuContext): MenuItemConstructorOptions[] {
  const items: MenuItemConstructorOptions[] = []
  let section: number | undefined
  for (const command of commands) {
    if (command.menu?.name !== name || (context.isMac && command.id === 'app.quit')) continue
    if (section !== undefined && section !== command.menu.section) {
      if (name === 'edit' && section === 1) items.push(...editRoles)
      items.push({ type: 'separator' })
    }
    section = command.menu.section
    items.push(itemOf(command, context))
  }
  return items
}

/** The whole menu bar. */
export function menuTemplate(context: MenuContext): MenuItemConstructorOptions[] {
  const bar = menus.map(({ name, title }): MenuItemConstructorOptions => {
    const role = name === 'help' ? { role: 'help' as const } : {}
    return { id: name, label: title[context.language], submenu: itemsOf(name, context), ...role }
  })
  if (!context.isMac) return bar
  return [{ role: 'appMenu' }, ...bar.slice(0, -1), { role: 'windowMenu' }, ...bar.slice(-1)]
}
