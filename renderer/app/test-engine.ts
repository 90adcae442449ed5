// An engine that answers when a test says so.
import { vi } from 'vitest'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { Failures } from '../../preload/contract/diagnosis.ts'
import type { ErrorCode, Result } from '../../preload/contract/errors.ts'
import { type CallOptions, engine } from '../data/engine-client.ts'
import { type CaptureTab, type OpenRequest, useCaptures } from '../state/captures.ts'
import { takeSources } from '../state/diagnosis-sources.ts'
import { viewStates } from '../state/view-state.ts'

vi.stubGlobal('window', {})

const capture = (captureId: string, fingerprint: string): CaptureSummary => ({
  captureId,
  kind: 'torch_snapshot',
  sourceName: 'a.pickle',
  sourceBytes: 1,
  formatDetail: '',
  fingerprint,
  fromCache: false,
  indexBytes: 1,
  startUnixUs: null,
  durationNs: null,
  eventCount: 0,
  hasHistory: true,
  hasBlocks: true,
  trace: null,
  profile: null,
  hasTimes: false,
  devices: [],
  streams: [],
  pools: [],
  settings: null,
  findings: [],
})

interface Call {
  readonly method: string
  readonly input: unknown
  readonly options: CallOptions | undefined
  readonly answer: (result: Result<unknown>) => void
}

/** Every question so far. */
export const calls: Call[] = []
vi.spyOn(engine, 'call').mockImplementation(((method: string, input: unknown, options?: CallOptions) => {
  return new Promise((answer) => calls.push({ method, input, options, answer }))
}) as never)

const asked = (method: string): Call[] => calls.filter((call) => call.method === method)
export const opens = (): Call[] => asked('capture.open')
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
/** Answers the n-th question of a method, and waits for what it brings. */
export async function answerCall(method: string, at: number, result: Result<unknown>): Promise<void> {
  asked(method)[at]?.answer(result)
  await settled()
}
export const answerOpen = (at: number, result: Result<unknown>): Promise<void> => answerCall('capture.open', at, result)
export const tabs = (): readonly CaptureTab[] => useCaptures.getState().tabs
export const frontTabId = (): number | undefined => useCaptures.getState().activeTabId
export const request = (token: string): OpenRequest => ({ token, name: `${token}.pickle`, folder: 'runs', sizeBytes: 1 })
export const ready = (captureId: string, fingerprint = captureId) => ({ ok: true as const, value: capture(captureId, fingerprint) })
export const failed = (code: ErrorCode) => ({ ok: false as const, error: { code, message: '' } })

/** What was read: a row a name. */
export const readFailures = (names: readonly string[], captureToken: string | null = null): Result<Failures> => ({
  ok: true,
  value: {
    failuresId: `set ${names.join()}`,
    rows: names.map((name, index) => ({
      ...{ index, name, label: 'steady_leak', confidence: 0.9, isUncertain: false, isFailure: true, reason: 'exhausted' },
      ...{
        evidence: null,
        requestedBytes: 2 ** 31,
        device: 0,
        pattern: 0,
        captureToken,
        sourceTokens: captureToken === null ? [] : ['log beside'],
      },
    })),
    total: names.length,
    patterns: [{ label: 'steady_leak', reason: 'exhausted', place: '', count: names.length, share: 1 }],
    unreadable: [],
    unreadableTotal: 0,
  },
})

/** No tabs, no questions. */
export function forgetCalls(): void {
  for (const tab of tabs()) if (tab.status === 'ready') takeSources(tab.capture.captureId)
  useCaptures.setState({ tabs: [], activeTabId: undefined })
  viewStates.setState({ byCapture: {} })
  calls.length = 0
}
