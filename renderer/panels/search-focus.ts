// Brings the keyboard to the search box of the view in front.

export const searchInputId = 'view-search'

/** Focuses the box and selects its text; false while it is not on the screen. */
export function focusSearch(): boolean {
  const input = document.getElementById(searchInputId)
  if (!(input instanceof HTMLInputElement)) return false
  input.focus()
  input.select()
  return true
}
