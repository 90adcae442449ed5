// Where the keys go: out of a field by Esc, and back to the view from a button that the mouse pressed.

/** Gives the focus to the picture or table in front, else to the view's part of the window. */
export function focusView(): void {
  const main = document.getElementById('main')
  const target = main?.querySelector<HTMLElement>('[role=application]') ?? main?.querySelector<HTMLElement>('[tabindex="0"]') ?? main
  target?.focus()
}

/** Fields that only look for something. The text of a filter stays: it acts on every view, and has a button that clears it. */
const searchFields = 'search input, input[type=search]'
const textFields = 'input[type=text], input[type=search]'

/** Esc in a field outside dialogs: a search loses its text first, then the view gets the keys. False: the key is not for a field. */
export function escapeField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLInputElement) || !target.matches(textFields) || target.closest('dialog')) return false
  if (target.value === '' || !target.matches(searchFields)) focusView()
  else {
    // As if the user deleted it: the field's own listeners hear of it, and undo brings it back.
    target.select()
    document.execCommand('delete')
  }
  return true
}

const chrome = '[data-region=status] button, [data-region=captures] button, [data-region=views] button, .tool-row button'
const keepsFocus = '[role=tab], [aria-haspopup], [aria-expanded]'

/** A chrome button that the mouse pressed lets go of the focus, else Enter and Space would press it again. `detail` of keys is 0. */
export function leavePressed({ target, detail }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLElement>(chrome) : null
  if (detail > 0 && button && document.activeElement === button && !button.matches(keepsFocus)) focusView()
}
