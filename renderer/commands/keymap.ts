// Keys of commands: which command a key press means, and how a key is written for people.
import { type CommandDeclaration, commands } from '../../preload/contract/commands.ts'

interface Key {
  readonly mod: boolean // Ctrl, on macOS ⌘
  readonly ctrl: boolean
  readonly alt: boolean
  readonly shift: boolean
  readonly name: string
}

/** What a key press must tell; a KeyboardEvent does. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

function parseKey(text: string): Key {
  const parts = text.endsWith('+') ? [...text.slice(0, -1).split('+').filter(Boolean), '+'] : text.split('+')
  const modifiers = new Set(parts.slice(0, -1))
  const has = (modifier: string) => modifiers.has(modifier)
  return { mod: has('Mod'), ctrl: has('Ctrl'), alt: has('Alt'), shift: has('Shift'), name: parts.at(-1) ?? '' }
}

const parsed: readonly { readonly command: CommandDeclaration; readonly key: Key }[] = commands.flatMap((command) =>
  command.keys.map((text) => ({ command, key: parseKey(text) })),
)

const isLetterOrDigit = (name: string) => /^[A-Z0-9]$/.test(name)

function sameModifiers(key: Key, press: KeyPress, mac: boolean): boolean {
  const ctrl = key.ctrl || (key.mod && !mac)
  const meta = key.mod && mac
  return press.ctrlKey === ctrl && press.metaKey === meta && press.altKey === key.alt
}

function matches(key: Key, press: KeyPress, mac: boolean): boolean {
  const { name } = key
  const combined = key.mod || key.ctrl
  if (isLetterOrDigit(name)) {
    if (!sameModifiers(key, press, mac) || press.shiftKey !== key.shift) return false
    const physical = press.code === (/[0-9]/.test(name) ? `Digit${name}` : `Key${name}`)
    // With Ctrl the character counts; layouts without Latin letters have only the physical key.
    return combined && /^[\x20-\x7e]$/.test(press.key) ? press.key.toUpperCase() === name : physical
  }
  if (name.length > 1)
    return (press.key === ' ' ? 'Space' : press.key) === name && sameModifiers(key, press, mac) && press.shiftKey === key.shift
  // Punctuation needs Shift or AltGr (Ctrl + Alt) on some layouts: the character decides.
  if (press.key !== name) return false
  return sameModifiers(key, press, mac) || (!combined && press.ctrlKey && press.altKey)
}

/** The command that a key press means. */
export function commandOfKey(press: KeyPress, mac: boolean): CommandDeclaration | undefined {
  return parsed.find(({ key }) => matches(key, press, mac))?.command
}

const names: Readonly<Record<string, string>> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' }
const macModifiers = { mod: '⌘', ctrl: '⌃', alt: '⌥', shift: '⇧' }

/** A key for people: Ctrl Shift P, on macOS ⇧⌘P. */
export function keyLabel(text: string, mac: boolean): string {
  const key = parseKey(text)
  const name = names[key.name] ?? key.name
  if (mac) {
    const { mod, ctrl, alt, shift } = macModifiers
    return `${key.ctrl ? ctrl : ''}${key.alt ? alt : ''}${key.shift ? shift : ''}${key.mod ? mod : ''}${name}`
  }
  return [key.mod || key.ctrl ? 'Ctrl' : '', key.alt ? 'Alt' : '', key.shift ? 'Shift' : '', name].filter(Boolean).join(' ')
}

const heldCommands = /^(view\.(zoom(In|Out)|pan(Left|Right))|select\.|go\.(next|previous)(Item|Step|Events?)|view\.(next|previous)Row)/

/** True for commands that go on while their key is held. */
export const repeats = (id: string): boolean => heldCommands.test(id)
