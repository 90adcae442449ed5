// The editor on the page, for commands and for what puts names into it.
let editor: HTMLTextAreaElement | undefined
let examples: HTMLElement | undefined

/** Tells which editor is on the page. */
export function rememberEditor(element: HTMLTextAreaElement | null): void {
  editor = element ?? undefined
}

/** Tells where the menu of examples is on the page. */
export function rememberExamples(element: HTMLElement | null): void {
  examples = element ?? undefined
}

/** Brings the keyboard into the editor. */
export const focusEditor = (): void => editor?.focus()

/** Opens the menu of examples. */
export const openExamples = (): void => examples?.querySelector('button')?.click()

/** Selects a part of the text. */
export function selectText(from: number, to: number): void {
  editor?.focus()
  editor?.setSelectionRange(from, to)
}

/** Puts a text in the place of what is selected, or of [from, caret); it can be undone as if typed. */
export function insertText(text: string, from?: number): void {
  if (!editor) return
  editor.focus()
  if (from !== undefined) editor.setSelectionRange(from, editor.selectionEnd)
  document.execCommand('insertText', false, text)
}
