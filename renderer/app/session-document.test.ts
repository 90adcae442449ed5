import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { type Session, sessionSchema } from '../../preload/contract/session.ts'
import type { ViewId } from '../../preload/contract/shell.ts'
import { captureStores } from '../data/capture-stores.ts'
import { initialView } from '../state/initial-view.ts'
import { addNote, notesOf, setNotes } from '../state/notes.ts'
import { lookOf } from '../state/own-look.ts'
import type { ViewState } from '../state/view-state.ts'
import { sessionOf, viewOfSession } from './session-document.ts'

const deviceSummary = (device: number, eventCount: number): DeviceSummary =>
  ({ device, eventCount, firstTimeNs: 100, lastTimeNs: 1100, ooms: [] }) as unknown as DeviceSummary
const capture = {
  captureId: 'c',
  trace: null,
  hasTimes: true,
  findings: [],
  devices: [deviceSummary(0, 1000), deviceSummary(1, 50)],
} as unknown as CaptureSummary
const all = () => true

interface Look {
  readonly order: string
  readonly scrollPx: number
  readonly hover: boolean
}
const looks = captureStores<Look>({ order: 'size', scrollPx: 0, hover: false })
const look = lookOf(looks, ['order', 'scrollPx'], { order: z.enum(['size', 'age']), scrollPx: z.number().min(0) })

const shown: ViewState = {
  ...initialView(capture),
  view: 'lifetimes',
  visible: { x0: 100, x1: 300 },
  cursorEvent: 150,
  selectedRange: { x0: 120, x1: 140 },
  colorBy: 'age',
  filter: { text: 'linear', minBytes: 1024, within: { stacks: [1, 2], title: 'forward' } },
  showTable: true,
  showLegend: false,
}

/** As it comes from the file. */
const written = (session: Session): Session => sessionSchema.parse(JSON.parse(JSON.stringify(session)))
const restored = (view: Record<string, unknown>, isOffered: (id: ViewId) => boolean = all, of = capture): ViewState =>
  viewOfSession(of, { schemaVersion: 1, view, looks: {}, notes: [] }, isOffered)

describe('a session', () => {
  beforeEach(() => {
    setNotes('c', [])
    looks('c').setState({ order: 'size', scrollPx: 0, hover: false })
  })

  it('brings view, range, cursor, filter, switches, looks and notes back', () => {
    addNote('c', { kind: 'range', device: 0, axis: 'event', x0: 1, x1: 2 }, 'here')
    looks('c').setState({ order: 'age', scrollPx: 12, hover: true })
    const session = written(sessionOf('c', shown, [['lifetimes', look]]))
    expect(viewOfSession(capture, session, all)).toEqual(shown)
    expect(session.notes).toEqual(notesOf('c'))
    look.reset('c')
    look.restore('c', session.looks.lifetimes)
    expect(looks('c').getState()).toMatchObject({ order: 'age', scrollPx: 12 })
    expect(session.looks.lifetimes).toEqual({ order: 'age', scrollPx: 12 })
  })

  it('says of everything in sight that it is everything, so that it stays so', () => {
    const session = sessionOf('c', initialView(capture), [['lifetimes', look]])
    expect(session.view).not.toHaveProperty('visible')
    expect(session.looks).toEqual({})
    expect(viewOfSession(capture, written(session), all)).toEqual(initialView(capture))
  })

  it.each<[string, Record<string, unknown>, Partial<ViewState>]>([
    ['a view that there is not', { view: 'moon' }, { view: 'timeline' }],
    ['a device that there is not', { device: 7, visible: { x0: 1, x1: 9 }, cursorEvent: 3 }, { device: 0, cursorEvent: undefined }],
    ['an axis that there is not', { axis: 'depth' }, { axis: 'event' }],
    ['a range past the end', { visible: { x0: 5000, x1: 6000 } }, { visible: { x0: 0, x1: 1000 } }],
    ['a range that is none', { visible: { x0: 9, x1: 1 } }, { visible: { x0: 0, x1: 1000 } }],
    ['an event past the end', { cursorEvent: 1000 }, { cursorEvent: undefined }],
    ['half an event', { cursorEvent: 1.5 }, { cursorEvent: undefined }],
    ['a selected range past the end', { selectedRange: { x0: 2000, x1: 2001 } }, { selectedRange: undefined }],
    ['an unknown colour', { colorBy: 'taste' }, { colorBy: 'stack' }],
    ['no filter', { filter: 'all' }, { filter: { text: '' } }],
    ['switches that are neither on nor off', { showLegend: 'yes', showTable: 1 }, { showLegend: true, showTable: false }],
  ])('with %s is as at first in that', (_, view, expected) => {
    expect(restored(view)).toMatchObject(expected)
    expect(restored({ ...view, showDetails: false })).toMatchObject({ ...expected, showDetails: false })
  })

  it('is kept inside what there is', () => {
    const { visible, selectedRange } = restored({ visible: { x0: -1e300, x1: 500 }, selectedRange: { x0: 900, x1: 1e300 } })
    expect([visible.x0 > -100, visible.x1 < 1100, visible.x1 > visible.x0]).toEqual([true, true, true])
    expect(selectedRange?.x0).toBe(900)
    expect(selectedRange?.x1).toBeLessThan(1100)
  })

  it('does not show a view that the capture is not offered, nor times where it has none', () => {
    expect(restored({ view: 'trace' }, (id) => id !== 'trace').view).toBe('timeline')
    expect(restored({ axis: 'time' }).full).toEqual({ x0: 100, x1: 1100 })
    expect(restored({ axis: 'time', visible: { x0: 1, x1: 9 } }, all, { ...capture, hasTimes: false })).toMatchObject({
      axis: 'event',
      visible: { x0: 0, x1: 1000 },
    })
  })

  it('keeps the parts of a filter that fit, and those alone', () => {
    const filter = { text: 'x', minBytes: -1, mostEvents: '7', neverFreed: true, within: { stacks: [1, 'a'], title: '' }, later: [] }
    expect(restored({ filter }).filter).toEqual({ text: 'x', neverFreed: true })
  })

  it('leaves a look alone where what was kept does not fit', () => {
    look.restore('c', { order: 'beauty', scrollPx: 5, hover: true, extra: 1 })
    expect(looks('c').getState()).toEqual({ order: 'size', scrollPx: 5, hover: false })
    for (const kept of [null, 7, 'size', [], undefined]) look.restore('c', kept)
    expect(looks('c').getState()).toEqual({ order: 'size', scrollPx: 5, hover: false })
  })
})
