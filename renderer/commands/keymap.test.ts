import { describe, expect, it } from 'vitest'
import { commands } from '../../preload/contract/commands.ts'
import { commandOfKey, type KeyPress, keyLabel } from './keymap.ts'

const press = (key: string, code: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers,
})
const idOf = (key: KeyPress, mac = false) => commandOfKey(key, mac)?.id

describe('keys', () => {
  it('takes letters by their place, so WASD works on AZERTY and with an input method on', () => {
    expect(idOf(press('z', 'KeyW'))).toBe('view.zoomIn')
    expect(idOf(press('Process', 'KeyW'))).toBe('view.zoomIn')
    expect(idOf(press('W', 'KeyW', { shiftKey: true }))).toBe('view.zoomInFast')
  })

  it('takes letters with Ctrl by their character', () => {
    expect(idOf(press('o', 'KeyS', { ctrlKey: true }))).toBe('file.open')
    expect(idOf(press('щ', 'KeyO', { ctrlKey: true }))).toBe('file.open')
    expect(idOf(press('P', 'KeyP', { ctrlKey: true, shiftKey: true }))).toBe('go.palette')
    expect(idOf(press('p', 'KeyP', { ctrlKey: true }))).toBe('go.quickOpen')
  })

  it('takes digits by their place and punctuation by its character', () => {
    expect(idOf(press('&', 'Digit1'))).toBe('view.timeline')
    expect(idOf(press('?', 'Minus', { shiftKey: true }))).toBe('help.keys')
    expect(idOf(press('+', 'Equal', { shiftKey: true }))).toBe('view.zoomIn')
    expect(idOf(press(',', 'Comma', { ctrlKey: true }))).toBe('file.settings')
    expect(idOf(press(',', 'Comma'))).toBe('go.previousItem')
  })

  it('takes Space by its name', () => {
    expect(idOf(press(' ', 'Space'))).toBe('go.play')
    expect(idOf(press('ArrowDown', 'ArrowDown', { shiftKey: true }))).toBe('go.nextEvents')
  })

  it('uses the command key on macOS', () => {
    expect(idOf(press('o', 'KeyO', { metaKey: true }), true)).toBe('file.open')
    expect(idOf(press('o', 'KeyO', { ctrlKey: true }), true)).toBeUndefined()
    expect(idOf(press('Tab', 'Tab', { ctrlKey: true }), true)).toBe('file.nextTab')
  })

  it('writes keys as each system does', () => {
    expect(keyLabel('Mod+Shift+P', false)).toBe('Ctrl Shift P')
    expect(keyLabel('Mod+Shift+P', true)).toBe('⇧⌘P')
    expect(keyLabel('Alt+ArrowLeft', false)).toBe('Alt ←')
    expect(keyLabel('+', false)).toBe('+')
  })

  it('gives no key to two commands', () => {
    const keys = commands.flatMap((command) => command.keys)
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  })
})
