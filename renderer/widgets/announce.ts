// Speaks to assistive technology through one polite live region: at most three texts a second, the newest wins.
const pauseMs = 334

let region: HTMLElement | undefined
let waiting: string | undefined
let timer: ReturnType<typeof setTimeout> | undefined

function liveRegion(): HTMLElement {
  if (region?.isConnected) return region
  region = document.createElement('div')
  region.className = 'visually-hidden'
  region.setAttribute('role', 'status')
  region.setAttribute('aria-live', 'polite')
  document.body.append(region)
  return region
}

function speak(): void {
  timer = undefined
  if (waiting === undefined) return
  liveRegion().textContent = waiting
  waiting = undefined
  timer = setTimeout(speak, pauseMs)
}

/** Says a text when the reader has a pause. */
export function announce(text: string): void {
  waiting = text
  if (timer === undefined) speak()
}
