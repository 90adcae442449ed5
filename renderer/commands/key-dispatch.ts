// Turns key presses into commands.
import { commandOfKey, repeats } from './keymap.ts'
import { runCommand } from './registry.ts'
import { escapeField, leavePressed } from './view-focus.ts'

const textInputs = /^(text|search|number|email|url|tel|password|date|time)$/
const inDialogs: ReadonlySet<string> = new Set(['go.palette', 'go.quickOpen', 'go.to', 'app.quit', 'app.fullScreen'])

function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return textInputs.test(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
}

/** A character without Ctrl or ⌘ belongs to the text, whatever command has it as a key. */
const isTyping = (event: KeyboardEvent): boolean => event.key.length === 1 && !event.ctrlKey && !event.metaKey

/** Radio buttons and sliders use the arrows themselves. */
function usesArrows(event: KeyboardEvent): boolean {
  return event.key.startsWith('Arrow') && event.target instanceof HTMLInputElement
}

/** Space presses the control that has the focus. */
function pressesControl({ key, target }: KeyboardEvent): boolean {
  return key === ' ' && target instanceof HTMLElement && target.closest('button, summary, input, select, a, [role=tab]') !== null
}

/** Text that is selected on the page is what its key copies. */
const hasSelectedText = (): boolean => (window.getSelection()?.toString() ?? '') !== ''

function onKeyDown(event: KeyboardEvent, mac: boolean): void {
  if (event.defaultPrevented || event.isComposing || usesArrows(event) || pressesControl(event)) return
  if (event.key === 'Escape' && escapeField(event.target)) {
    event.preventDefault()
    return
  }
  const command = commandOfKey(event, mac)
  if (!command || (event.repeat && !repeats(command.id))) return
  if (takesText(event.target) && (!command.inTextFields || isTyping(event))) return
  if (command.id === 'edit.copyDetails' && hasSelectedText()) return
  if (document.querySelector('dialog:modal') && !inDialogs.has(command.id)) return
  const ran = runCommand(command.id)
  // Ctrl combinations must not fall through to the browser (print, bookmarks), even when the command is not available now.
  if (ran || event.ctrlKey || event.metaKey) event.preventDefault()
}

/** The mouse's back and forward buttons. */
function onMouseUp(event: MouseEvent): void {
  const id = event.button === 3 ? 'go.back' : event.button === 4 ? 'go.forward' : undefined
  if (id && runCommand(id)) event.preventDefault()
}

/** Listens to keys and to the mouse's back and forward buttons, as long as the window lives. */
export function startKeys(mac: boolean): void {
  window.addEventListener('keydown', (event) => onKeyDown(event, mac))
  window.addEventListener('mouseup', onMouseUp)
  window.addEventListener('click', leavePressed)
}
