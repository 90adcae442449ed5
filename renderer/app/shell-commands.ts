// What the commands of the window do. Views register theirs; a command of the same id that a view registers later comes first.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { Settings } from '../../preload/contract/shell.ts'
import { type CommandAction, registerCommands } from '../commands/registry.ts'
import { activeCapture, activeTab, useCaptures } from '../state/captures.ts'
import { deviceOf } from '../state/initial-view.ts'
import { type Dialog, type PaletteMode, showDialog, useShell } from '../state/shell.ts'
import { viewHistory } from '../state/view-history.ts'
import { patchView, type ViewState, viewOf } from '../state/view-state.ts'
import { askShell } from './bridge.ts'
import { copyImage, saveLiveCsv } from './export-image.ts'
import { closeTab, reopen, showTab } from './open-captures.ts'
import { focusRegion } from './regions.ts'
import { changeSettings } from './settings.ts'

type Actions = Readonly<Record<string, CommandAction>>

const tabInFront = () => activeTab(useCaptures.getState())

const shownCapture = (): CaptureSummary | undefined => (useShell.getState().showWelcome ? undefined : activeCapture(useCaptures.getState()))

/** A command that needs an open capture in front. */
function onCapture(
  run: (capture: CaptureSummary, view: ViewState) => void,
  when: (capture: CaptureSummary, view: ViewState) => boolean = () => true,
): CommandAction {
  const withView = <T>(use: (capture: CaptureSummary, view: ViewState) => T): T | undefined => {
    const capture = shownCapture()
    const view = capture && viewOf(capture.captureId)
    return capture && view ? use(capture, view) : undefined
  }
  return { when: () => withView(when) ?? false, run: () => withView(run) }
}

const onShownDevice = (capture: CaptureSummary, view: ViewState) => deviceOf(capture, view.device)
const hasEvents = (capture: CaptureSummary, view: ViewState) => (onShownDevice(capture, view)?.eventCount ?? 0) > 0

function moveTab(step: number): void {
  const { tabs, activeTabId } = useCaptures.getState()
  const index = tabs.findIndex((tab) => tab.tabId === activeTabId)
  const next = tabs[(index + step + tabs.length) % tabs.length]
  if (next) showTab(next.tabId)
}

async function clearRecent(): Promise<void> {
  await askShell('files.clearRecent', {})
  useShell.setState({ recent: [] })
}

const severalTabs = () => useCaptures.getState().tabs.length > 1

const fileCommands: Actions = {
  'file.open': { run: () => void askShell('files.openDialog', {}) },
  'file.openRecent': { when: () => useShell.getState().recent.length > 0, run: () => showPalette('recent') },
  'file.clearRecent': { when: () => useShell.getState().recent.length > 0, run: () => void clearRecent() },
  'file.cancelLoad': { when: () => tabInFront()?.status === 'loading', run: cancelLoad },
  'file.rebuildIndex': { when: () => tabInFront()?.status === 'ready', run: () => reopen(tabInFront()?.tabId ?? -1, true) },
  'file.exportImage': onCapture(() => showDialog({ kind: 'export' }), hasEvents),
  'file.exportCsv': onCapture((capture) => void saveLiveCsv(capture), hasEvents),
  'file.settings': showing({ kind: 'settings' }),
  'file.nextTab': { when: severalTabs, run: () => moveTab(1) },
  'file.previousTab': { when: severalTabs, run: () => moveTab(-1) },
  'file.closeTab': { when: () => tabInFront() !== undefined, run: () => closeTab(tabInFront()?.tabId ?? -1) },
  'edit.copyImage': onCapture((capture) => void copyImage(capture), hasEvents),
  'app.quit': { run: () => void askShell('app.quit', {}) },
  'app.fullScreen': { run: () => void askShell('app.toggleFullScreen', {}) },
}

const viewCommands: Actions = {
  'view.timeline': { when: () => tabInFront() !== undefined, run: () => useShell.setState({ showWelcome: false }) },
  'view.drawer': onCapture(({ captureId }, view) => patchView(captureId, { showDetails: !view.showDetails }), hasEvents),
  'view.sideBar': onCapture(() => useShell.setState((state) => ({ showSideBar: !state.showSideBar }))),
  'theme.light': setting({ theme: 'light' }),
  'theme.dark': setting({ theme: 'dark' }),
  'theme.system': setting({ theme: 'system' }),
  'language.en': setting({ language: 'en' }),
  'language.zh-CN': setting({ language: 'zh-CN' }),
  'language.system': setting({ language: 'system' }),
}

const goCommands: Actions = {
  'go.palette': { run: () => showPalette('commands') },
  'go.quickOpen': { run: () => showPalette('quick') },
  'go.to': onCapture(() => showPalette('goTo'), hasEvents),
  'go.back': historyCommand('back'),
  'go.forward': historyCommand('forward'),
  'go.nextRegion': { run: () => focusRegion(1) },
  'go.previousRegion': { run: () => focusRegion(-1) },
  'go.escape': { run: stepBack },
  'help.keys': showing({ kind: 'keys' }),
  'help.about': showing({ kind: 'about' }),
  'help.welcome': { run: () => useShell.setState((state) => ({ showWelcome: tabInFront() !== undefined && !state.showWelcome })) },
}

function showPalette(mode: PaletteMode): void {
  showDialog({ kind: 'palette', mode })
}

function showing(dialog: Dialog): CommandAction {
  return { run: () => showDialog(dialog) }
}

function setting(patch: Partial<Settings>): CommandAction {
  return { run: () => void changeSettings(patch) }
}

function historyCommand(direction: 'back' | 'forward'): CommandAction {
  return onCapture(
    ({ captureId }) => viewHistory.go(captureId, direction),
    ({ captureId }) => viewHistory.canGo(captureId, direction),
  )
}

function cancelLoad(): void {
  const tab = tabInFront()
  if (tab?.status === 'loading') tab.cancel()
}

/** Esc outside a view: leaves the welcome page, or cancels the load in front. It never closes a file. */
function stepBack(): void {
  const { showWelcome } = useShell.getState()
  if (showWelcome && tabInFront()) {
    useShell.setState({ showWelcome: false })
    return
  }
  cancelLoad()
}

/** Registers what the window itself can do. */
export function registerShellCommands(): void {
  registerCommands({ ...fileCommands, ...viewCommands, ...goCommands })
}
