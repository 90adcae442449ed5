// The open captures as tabs, each in one of three states. Settled facts only; pointer-rate state lives with its view.
import { create } from 'zustand'
import type { CaptureSummary, LoadProgress } from '../../preload/contract/capture.ts'
import type { Failure } from '../../preload/contract/errors.ts'

export type CaptureTab = {
  readonly tabId: number
  readonly token: string
  readonly name: string
  readonly folder: string
  readonly sizeBytes: number
} & (
  | { readonly status: 'loading'; readonly progress: LoadProgress | undefined; readonly startedAtMs: number; readonly cancel: () => void }
  | { readonly status: 'ready'; readonly capture: CaptureSummary }
  | { readonly status: 'failed'; readonly failure: Failure }
)

interface CapturesState {
  readonly tabs: readonly CaptureTab[]
  readonly activeTabId: number | undefined
  readonly engineUp: boolean
  setTabs(tabs: readonly CaptureTab[], activeTabId?: number): void
  patchTab(tabId: number, next: (tab: CaptureTab) => CaptureTab): void
  activate(tabId: number | undefined): void
  setEngineUp(up: boolean): void
}

export const useCaptures = create<CapturesState>((set) => ({
  tabs: [],
  activeTabId: undefined,
  engineUp: false,
  setTabs: (tabs, activeTabId) => set((state) => ({ tabs, activeTabId: activeTabId ?? state.activeTabId })),
  patchTab: (tabId, next) => set((state) => ({ tabs: state.tabs.map((tab) => (tab.tabId === tabId ? next(tab) : tab)) })),
  activate: (activeTabId) => set({ activeTabId }),
  setEngineUp: (engineUp) => set({ engineUp }),
}))

/** The tab in front, when its capture is ready. */
export function activeCapture(state: CapturesState): CaptureSummary | undefined {
  const tab = state.tabs.find((each) => each.tabId === state.activeTabId)
  return tab?.status === 'ready' ? tab.capture : undefined
}

/** What a tab is called: the file's name, with its folder when another tab has the same name. */
export function tabName(tab: CaptureTab, tabs: readonly CaptureTab[]): string {
  const isShared = tabs.some((other) => other.tabId !== tab.tabId && other.name === tab.name)
  return isShared && tab.folder !== '' ? `${tab.folder}/${tab.name}` : tab.name
}
