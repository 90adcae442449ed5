// Pairs follow the open captures; cursor and selection go from the capture in front to its partners, once.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import type { JoinMatch } from '../../preload/contract/queries.ts'
import { engine } from '../data/engine-client.ts'
import { useCaptures } from '../state/captures.ts'
import { initialView } from '../state/initial-view.ts'
import { patchView, setView, viewOf } from '../state/view-state.ts'
import { startFollowing } from './follow.ts'
import { isJoined, joinData, pairsOf, partnerOf, useJoins } from './join-data.ts'
import { startPairs } from './pairs.ts'

const device = (index: number) => ({ device: index, eventCount: 1000, firstTimeNs: 0, lastTimeNs: 1e6, ooms: [] })
const capture = (captureId: string, kind: CaptureSummary['kind']) =>
  ({
    captureId,
    kind,
    durationNs: 2e6,
    trace: kind === 'chrome_trace' ? {} : null,
    devices: [device(0), device(1)],
  }) as unknown as CaptureSummary

const snapshot = capture('s', 'torch_snapshot')
const trace = capture('t', 'chrome_trace')

/** Opens these captures as tabs, the last one in front. */
function open(...captures: readonly CaptureSummary[]): void {
  for (const each of captures) if (!viewOf(each.captureId)) setView(each.captureId, initialView(each))
  const tabs = captures.map((each, tabId) => ({
    tabId,
    request: { token: '', name: each.captureId, folder: '', sizeBytes: 0 },
    capture: each,
  }))
  useCaptures.setState({ tabs: tabs.map((tab) => ({ ...tab, status: 'ready' as const })), activeTabId: captures.length - 1 })
}
const bringToFront = (tabId: number) => useCaptures.getState().activate(tabId)

/** What the questions here are about; each has some of it. */
interface Input {
  readonly captureId: string
  readonly event: number
  readonly allocationId: number
}
type Answer = Result<unknown> | Promise<Result<unknown>>
let answers: Record<string, (input: Input) => Answer>
let asked: string[]
const settle = () => new Promise((resolve) => setTimeout(resolve))
const match = (verdict: JoinMatch['verdict']) => ok({ verdict, reason: null, matched: 10 })
/** Twins: event e of the snapshot is event e + 100 of the trace; allocation a is a + 1000. */
const moment = (event: number, isInside = true) => ok({ moment: { event, timeNs: event * 1000, isSameEvent: true, isInside } })
const twin = (allocationId: number) => ok({ partner: { allocationId, device: 0 }, op: null })

let stops: (() => void)[] = []
beforeEach(() => {
  asked = []
  answers = {
    'join.candidates': () => ok({ candidates: [{ captureId: 't', devices: [0], overlapNs: 5 }] }),
    'join.match': () => match('same_run'),
    'join.time': ({ captureId, event }) => moment(captureId === 's' ? event + 100 : event - 100),
    'join.allocation': ({ captureId, allocationId }) => twin(captureId === 's' ? allocationId + 1000 : allocationId - 1000),
  }
  const call = (method: string, input: Input) => {
    asked.push(method)
    return Promise.resolve(answers[method]?.(input) ?? fail('query/failed', method))
  }
  vi.spyOn(engine, 'call').mockImplementation(call as never)
  vi.spyOn(engine, 'latest').mockImplementation(((_key: string, method: string, input: Input) => call(method, input)) as never)
  useCaptures.setState({ tabs: [], activeTabId: undefined })
  stops = [startPairs(), startFollowing()]
})
afterEach(() => {
  for (const stop of stops) stop()
  for (const id of ['s', 't', 'u']) {
    setView(id, undefined)
    joinData(id).setState({ allocations: [], atEdge: undefined })
  }
  vi.restoreAllMocks()
})

const pairs = () => useJoins.getState().pairs

describe('pairs', () => {
  it('are found when the second capture is open, and compared once', async () => {
    open(snapshot)
    await settle()
    expect(asked).toEqual([])
    open(snapshot, trace)
    await settle()
    expect(pairs()).toMatchObject([{ snapshotId: 's', traceId: 't', devices: [0], match: { verdict: 'same_run' } }])
    open(snapshot, trace, capture('u', 'torch_snapshot'))
    await settle()
    expect(asked.filter((method) => method === 'join.match')).toHaveLength(2) // that of u is another pair
    expect(pairsOf(pairs(), 's').map((pair) => partnerOf(pair, 's'))).toEqual(['t'])
  })

  it('are gone with one of their captures', async () => {
    open(snapshot, trace)
    await settle()
    open(snapshot)
    expect(pairs()).toEqual([])
  })

  it('are dropped when a capture was closed while they were compared', async () => {
    answers['join.match'] = () => fail('query/unknown_capture', 'closed')
    open(snapshot, trace)
    await settle()
    expect(pairs()).toEqual([])
  })

  it('keep the failure of a comparison', async () => {
    answers['join.match'] = () => fail('query/failed', 'no')
    open(snapshot, trace)
    await settle()
    expect(pairs()).toMatchObject([{ match: undefined, failure: { code: 'query/failed' } }])
  })

  it.each([
    ['same_run', true],
    ['doubtful', true],
    ['other_run', false],
    ['unknown', false],
  ] as const)('of verdict %s share what is looked at: %s', async (verdict, expected) => {
    answers['join.match'] = () => match(verdict)
    open(snapshot, trace)
    await settle()
    expect(pairs().map(isJoined)).toEqual([expected])
  })
})

describe('the shared cursor', () => {
  beforeEach(async () => {
    open(snapshot, trace)
    await settle()
    bringToFront(0)
  })

  it('goes from the snapshot to the trace, in sight, and not back', async () => {
    patchView('t', { visible: { x0: 0, x1: 1e5 } })
    patchView('s', { cursorEvent: 300 })
    await settle()
    expect(viewOf('t')).toMatchObject({ cursorEvent: 400, visible: { x0: 350_000, x1: 450_000 } })
    expect(viewOf('s')?.cursorEvent).toBe(300)
    bringToFront(1)
    await settle()
    expect(asked.filter((method) => method === 'join.time')).toHaveLength(1)
  })

  it('goes from the trace to the snapshot, and goes away with it', async () => {
    bringToFront(1)
    patchView('t', { cursorEvent: 500 })
    await settle()
    expect(viewOf('s')?.cursorEvent).toBe(400)
    patchView('t', { cursorEvent: undefined })
    expect(viewOf('s')?.cursorEvent).toBeUndefined()
  })

  it('stands where the last move leads, whichever answer comes last', async () => {
    const late: (() => void)[] = []
    answers['join.time'] = ({ event }) => new Promise((resolve) => late.push(() => resolve(moment(event + 100))))
    patchView('s', { cursorEvent: 1 })
    patchView('s', { cursorEvent: 2 })
    for (const answer of late.reverse()) {
      answer()
      await settle()
    }
    expect(viewOf('t')?.cursorEvent).toBe(102)
  })

  it('does not come back when the partner is in front by the time of the answer', async () => {
    patchView('s', { cursorEvent: 7 })
    bringToFront(1)
    await settle()
    expect(viewOf('t')?.cursorEvent).toBe(107)
    expect(asked.filter((method) => method === 'join.time')).toHaveLength(1)
  })

  it('says where it stands at the edge of what the partner recorded', async () => {
    answers['join.time'] = () => moment(-1, false)
    patchView('s', { cursorEvent: 3 })
    await settle()
    expect(viewOf('t')?.cursorEvent).toBe(0)
    expect(joinData('t').getState().atEdge).toEqual({ event: 0, partnerId: 's' })
  })

  it('shows the device that it is about, and tells nothing of devices that only one recorded', async () => {
    patchView('t', { device: 1 })
    patchView('s', { cursorEvent: 3 })
    await settle()
    expect(viewOf('t')).toMatchObject({ device: 0, cursorEvent: 103 })
    patchView('s', { device: 1, cursorEvent: 9 })
    await settle()
    expect(viewOf('t')).toMatchObject({ device: 0, cursorEvent: 103 })
  })

  it('is not shared with a capture of another run', async () => {
    useJoins.setState({ pairs: pairs().map((pair) => ({ ...pair, match: { verdict: 'other_run' } as JoinMatch })) })
    patchView('s', { cursorEvent: 3 })
    await settle()
    expect(viewOf('t')?.cursorEvent).toBeUndefined()
  })
})

it('a pair shares what one of them has when it is found', async () => {
  open(snapshot)
  patchView('s', { cursorEvent: 5, selectedAllocation: 6 })
  open(snapshot, trace)
  await settle()
  await settle()
  expect(viewOf('t')).toMatchObject({ cursorEvent: 105, selectedAllocation: 1006 })
})

describe('the selected allocation', () => {
  beforeEach(async () => {
    open(snapshot, trace)
    await settle()
    bringToFront(0)
  })

  it('is selected in the partner, which then knows of it for its own drawer', async () => {
    patchView('s', { selectedAllocation: 4 })
    await settle()
    expect(viewOf('t')?.selectedAllocation).toBe(1004)
    expect(joinData('s').getState().allocations).toMatchObject([{ partnerId: 't', allocationId: 4, partner: { allocationId: 1004 } }])
    bringToFront(1)
    await settle()
    expect(joinData('t').getState().allocations).toMatchObject([{ partnerId: 's', allocationId: 1004, partner: { allocationId: 4 } }])
    expect(viewOf('s')?.selectedAllocation).toBe(4)
  })

  it('is none in a partner that did not record it, and stays here', async () => {
    patchView('t', { selectedAllocation: 8 })
    answers['join.allocation'] = () => ok({ partner: null, op: null })
    patchView('s', { selectedAllocation: 4 })
    await settle()
    expect(viewOf('t')?.selectedAllocation).toBeUndefined()
    bringToFront(1)
    await settle()
    expect(viewOf('s')?.selectedAllocation).toBe(4)
  })

  it('is taken away in both', async () => {
    patchView('s', { selectedAllocation: 4 })
    await settle()
    patchView('s', { selectedAllocation: undefined })
    await settle()
    expect(viewOf('t')?.selectedAllocation).toBeUndefined()
    expect(joinData('s').getState().allocations).toEqual([])
  })

  it('keeps a failure for the drawer and leaves the partner as it is', async () => {
    patchView('t', { selectedAllocation: 8 })
    answers['join.allocation'] = () => fail('query/failed', 'no')
    patchView('s', { selectedAllocation: 4 })
    await settle()
    expect(joinData('s').getState().allocations).toMatchObject([{ failure: { code: 'query/failed' } }])
    expect(viewOf('t')?.selectedAllocation).toBe(8)
  })
})
