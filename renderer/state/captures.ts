// The open captures, and tables of failures, as tabs, each in one of its states. Settled facts only; pointer-rate state lives with its view.
import { create } from 'zustand'
import type { CaptureSummary, LoadProgress } from '../../preload/contract/capture.ts'
import type { Failures } from '../../preload/contract/diagnosis.ts'
import type { Failure } from '../../preload/contract/errors.ts'

/** What failures are read from: files and folders, or a pasted text. */
export interface FailuresSource {
  readonly tokens: readonly string[]
  readonly text: string | null
}

/** A file or folder to open, as the main process offers it. */
export interface OpenRequest {
  readonly token: string // '' for a file that could not even be offered
  readonly name: string
  readonly folder: string
  readonly sizeBytes: number
  readonly isFolder?: boolean | undefined
  readonly failures?: FailuresSource | undefined // it is opened as a table of failures; else it is a capture, or not known yet
}

export type CaptureTab = {
  readonly tabId: number
  readonly request: OpenRequest
} & (
  | { readonly status: 'loading'; readonly progress: LoadProgress | undefined; readonly startedAtMs: number; readonly cancel: () => void }
  | { readonly status: 'ready'; readonly capture: CaptureSummary }
  | { readonly status: 'failures'; readonly failures: Failures } // ready, and no capture
  | { readonly status: 'failed'; readonly failure: Failure }
)

interface CapturesState {
  readonly tabs: readonly CaptureTab[]
  readonly activeTabId: number | undefined
  readonly engine: 'up' | 'starting' | 'stopped' // stopped: none follows by itself
  setTabs(tabs: readonly CaptureTab[], activeTabId?: number): void
  patchTab(tabId: number, next: (tab: CaptureTab) => CaptureTab): void
  activate(tabId: number | undefined): void
}

export const useCaptures = create<CapturesState>((set) => ({
  tabs: [],
  activeTabId: undefined,
  engine: 'starting',
  setTabs: (tabs, activeTabId) => set((state) => ({ tabs, activeTabId: activeTabId ?? state.activeTabId })),
  patchTab: (tabId, next) => set((state) => ({ tabs: state.tabs.map((tab) => (tab.tabId === tabId ? next(tab) : tab)) })),
  activate: (activeTabId) => set({ activeTabId }),
}))

/** The tab in front. */
export const activeTab = ({ tabs, activeTabId }: Pick<CapturesState, 'tabs' | 'activeTabId'>): CaptureTab | undefined =>
  tabs.find((tab) => tab.tabId === activeTabId)

/** The capture of the tab in front, when it is ready. */
export function activeCapture(state: CapturesState): CaptureSummary | undefined {
  const tab = activeTab(state)
  return tab?.status === 'ready' ? tab.capture : undefined
}

const besideTabs = new Map<string, CaptureSummary>()

/** Makes a capture without a tab known: one that is only exported. */
export function knowCapture(capture: CaptureSummary): void {
  besideTabs.set(capture.captureId, capture)
}

/** An open capture. */
export function captureOf(captureId: string): CaptureSummary | undefined {
  for (const tab of useCaptures.getState().tabs) if (tab.status === 'ready' && tab.capture.captureId === captureId) return tab.capture
  return besideTabs.get(captureId)
}

/** What a tab is called: the file's name, with its folder when another tab has the same name. */
export function tabName({ tabId, request }: CaptureTab, tabs: readonly CaptureTab[]): string {
  const { name, folder } = request
  const isShared = tabs.some((other) => other.tabId !== tabId && other.request.name === name)
  return isShared && folder !== '' ? `${folder}/${name}` : name
}
