// What is a click, a drag, a rest and a menu, told by events on a stand-in for the canvas.
import { setMaxListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CanvasPointer, type PointerOwner } from './canvas-pointer.ts'

setMaxListeners(20) // Node warns about more than ten at one signal, which here is no leak

class Host extends EventTarget {
  readonly style = { cursor: '' }
  readonly captured: number[] = []
  getBoundingClientRect = () => ({ left: 100, top: 50 })
  setPointerCapture = (id: number) => this.captured.push(id)
}

let host: Host
let told: string[]
let stop: () => void

const nothingFromPx = 500 // right of it lies nothing

function owner(more: Partial<PointerOwner<string, string>> = {}): PointerOwner<string, string> {
  return {
    dragsAlong: 'both',
    hitAt: ({ xPx }) => (xPx < nothingFromPx ? `at ${xPx}` : undefined),
    hover: (hit) => {
      told.push(`hover ${hit}`)
      return hit ? 'pointer' : 'default'
    },
    leave: () => told.push('leave'),
    begin: (press, _event, isPan) => {
      told.push(`begin ${press.hit}${isPan ? ' pan' : ''}`)
      return 'drag'
    },
    drag: (_drag, { from, at, isFree }) => told.push(`drag ${from.xPx} to ${at.xPx}${isFree ? ' free' : ''}`),
    drop: () => told.push('drop'),
    endDrag: () => told.push('end'),
    click: ({ hit }) => told.push(`click ${hit}`),
    doubleClick: (hit) => told.push(`double ${hit}`),
    menuFrame: () => ({ xPx: 10, yPx: 20, widthPx: 200, heightPx: 90 }),
    beforeMenu: (hit) => told.push(`menu ${hit}`),
    wheel: (_event, { xPx, yPx }) => told.push(`wheel ${xPx} ${yPx}`),
    ...more,
  }
}

function start(more?: Partial<PointerOwner<string, string>>): CanvasPointer<string, string> {
  const openMenu = ({ xPx, yPx }: { readonly xPx: number; readonly yPx: number }) => told.push(`open ${xPx} ${yPx}`)
  const pointer = new CanvasPointer(host as unknown as HTMLElement, openMenu, owner(more))
  stop = () => pointer.stop()
  return pointer
}

/** An event at a place of the canvas, whose corner lies at 100, 50 of the window. */
function send(type: string, xPx = 0, yPx = 0, more: object = {}, target: EventTarget = host): Event {
  const event = new Event(type, { cancelable: true })
  const plain = { button: 0, altKey: false, ctrlKey: false, shiftKey: false, pointerId: 7 }
  Object.assign(event, plain, { clientX: 100 + xPx, clientY: 50 + yPx }, more)
  target.dispatchEvent(event)
  return event
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  host = new Host()
  told = []
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a press', () => {
  it('is a click of what lay under it while it moves less than 4 px, and is hovered anew before', () => {
    start()
    send('pointerdown', 10, 10)
    send('pointermove', 13, 13)
    send('pointerup', 13, 13)
    expect(told).toEqual(['end', 'hover at 13', 'click at 10'])
    expect(host.captured).toEqual([7])
  })

  it('becomes one drag from where it began, and is no click then', () => {
    start()
    send('pointerdown', 10, 10)
    send('pointermove', 10, 14)
    send('pointermove', 30, 14, { ctrlKey: true })
    send('pointerup', 30, 14)
    expect(told).toEqual(['begin at 10', 'drag 10 to 10', 'drag 10 to 30 free', 'drop', 'end', 'hover at 30'])
  })

  it('stays a click however far it moves up where drags have no height', () => {
    start({ dragsAlong: 'x' })
    send('pointerdown', 10, 10)
    send('pointermove', 12, 60)
    send('pointerup', 12, 60)
    expect(told).toEqual(['end', 'hover at 12', 'click at 10'])
  })

  it('is none on nothing, nor with the right button', () => {
    start()
    send('pointerdown', nothingFromPx, 0)
    send('pointerdown', 10, 0, { button: 2 })
    send('pointermove', 90, 0)
    expect(told).toEqual(['hover at 90'])
    expect(host.captured).toEqual([])
  })

  it('is broken off without a drop when the system takes the pointer away', () => {
    start()
    send('pointerdown', 10, 10)
    send('pointermove', 30, 10)
    send('pointercancel')
    send('pointermove', 40, 10)
    expect(told).toEqual(['begin at 10', 'drag 10 to 30', 'end', 'hover at 40'])
  })

  it('may be a drag at once, as on a scroll bar', () => {
    start({ pressed: () => 'scroll' })
    send('pointerdown', 10, 10)
    send('pointermove', 11, 10)
    send('pointerup', 11, 10)
    expect(told).toEqual(['drag 10 to 11', 'drop', 'end', 'hover at 11'])
  })
})

describe('a pan', () => {
  const dragged = (more: object = {}) => {
    told = []
    send('pointerdown', 10, 10, more)
    send('pointermove', 30, 10, more)
    send('pointerup', 30, 10, more)
    return told[0]
  }

  it('begins with the middle button, Shift or Space', () => {
    start()
    expect(dragged()).toBe('begin at 10')
    expect(dragged({ button: 1 })).toBe('begin at 10 pan')
    expect(dragged({ shiftKey: true })).toBe('begin at 10 pan')
    send('keydown', 0, 0, { code: 'Space' })
    expect(dragged()).toBe('begin at 10 pan')
    send('keyup', 0, 0, { code: 'Space' }, window)
    expect(dragged()).toBe('begin at 10')
  })

  it('does not begin with a Space whose release another window got', () => {
    start()
    send('keydown', 0, 0, { code: 'Space' })
    send('blur', 0, 0, {}, window)
    expect(dragged()).toBe('begin at 10')
  })

  it('leaves Space alone where it is a command of the view', () => {
    start()
    expect(send('keydown', 0, 0, { code: 'Space' }).defaultPrevented).toBe(true)
    stop()
    start({ hasSpaceCommand: true })
    expect(send('keydown', 0, 0, { code: 'Space' }).defaultPrevented).toBe(false)
    expect(dragged()).toBe('begin at 10 pan')
  })
})

describe('a resting pointer', () => {
  it('asks once it has rested, and not after a move, a press or leaving', () => {
    const pointer = start()
    const ends: (readonly [string, () => void])[] = [
      ['move', () => send('pointermove', 20, 0)],
      ['press', () => send('pointerdown', 20, 0)],
      ['leave', () => send('pointerleave')],
    ]
    for (const [name, end] of ends) {
      const ask = vi.fn()
      pointer.rest(ask)
      vi.advanceTimersByTime(79)
      end()
      vi.advanceTimersByTime(500)
      expect(ask, name).not.toHaveBeenCalled()
    }
    const ask = vi.fn()
    pointer.rest(ask)
    vi.advanceTimersByTime(80)
    expect(ask).toHaveBeenCalledOnce()
  })

  it('is hovered anew when the picture rests too, unless a button is down or it has left', () => {
    const pointer = start()
    let at: { readonly xPx: number; readonly yPx: number } | undefined = { xPx: 5, yPx: 5 }
    pointer.followPicture(() => at)
    vi.advanceTimersByTime(80)
    expect(told).toEqual(['hover at 5'])
    send('pointerdown', 5, 5)
    pointer.followPicture(() => at)
    vi.advanceTimersByTime(80)
    send('pointercancel')
    at = undefined
    pointer.followPicture(() => at)
    vi.advanceTimersByTime(80)
    expect(told).toEqual(['hover at 5', 'end'])
  })

  it('shows the shape the view names, and keeps what is hovered while a button is down', () => {
    start()
    send('pointermove', 10, 0)
    expect(host.style.cursor).toBe('pointer')
    send('pointermove', nothingFromPx, 0)
    expect(host.style.cursor).toBe('default')
    told = []
    send('pointerdown', 10, 0)
    send('pointerleave')
    expect(told).toEqual([])
  })
})

describe('the menu', () => {
  it('opens at the pointer once the view has selected what lies there', async () => {
    let selected = (): void => {}
    start({ beforeMenu: () => new Promise<void>((resolve) => (selected = resolve)) })
    send('contextmenu', 40, 30, { button: 2 })
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual([])
    selected()
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual(['open 140 80'])
  })

  it('opens in the picture by its key, about nothing anew', async () => {
    start()
    expect(send('contextmenu', 40, 30).defaultPrevented).toBe(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual(['open 210 100'])
  })

  it('does not open without a picture', async () => {
    start({ menuFrame: () => undefined })
    send('contextmenu', 40, 30, { button: 2 })
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual([])
  })
})

it('gives double clicks and the wheel their place, and nothing after it has stopped', () => {
  start()
  send('dblclick', 10, 0)
  send('dblclick', nothingFromPx, 0)
  send('wheel', 30, 40)
  expect(told).toEqual(['double at 10', 'wheel 30 40'])
  stop()
  send('pointermove', 10, 0)
  send('keyup', 0, 0, { code: 'Space' }, window)
  expect(told).toHaveLength(2)
})
