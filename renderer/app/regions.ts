// F6 moves through the parts of the window in reading order.
// What a part of the window is about comes before its other controls: the tab in front, the picture.
const chief = '[role=tab][aria-selected=true], [role=application]'
const focusable = 'button:not(:disabled):not([tabindex="-1"]), select, input, summary, [tabindex="0"]'

/** Focuses the next (or previous) part of the window: its chief or first control, else the part itself. */
export function focusRegion(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')]
  const current = regions.findIndex((region) => region.contains(document.activeElement))
  const start = current < 0 && step < 0 ? 0 : current
  const region = regions[(start + step + regions.length) % regions.length]
  if (!region) return
  const target = region.querySelector<HTMLElement>(chief) ?? region.querySelector<HTMLElement>(focusable)
  if (!target) region.tabIndex = -1
  ;(target ?? region).focus()
}
