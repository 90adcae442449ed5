// What the commands of the window do. Views register theirs; a command of the same id that a view registers later comes first.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { Settings, ViewId } from '../../preload/contract/shell.ts'
import { type CommandAction, registerCommands } from '../commands/registry.ts'
import { noteText } from '../i18n/part-texts.ts'
import { goToCapture } from '../join/go.ts'
import { isJoined, pairsOf, partnerOf, readyCapture, useJoins } from '../join/join-data.ts'
import { activeCapture, activeTab, useCaptures } from '../state/captures.ts'
import { type FilterChip, isFiltering, sameFilter, toggleChip, withoutStacks } from '../state/filter.ts'
import { deviceOf, hasFailed } from '../state/initial-view.ts'
import * as notes from '../state/notes.ts'
import { wantPart } from '../state/page-part.ts'
import { type Dialog, type PaletteMode, showDialog, useShell } from '../state/shell.ts'
import { showIn } from '../state/show-in.ts'
import { stepBy, stepToFirst, stepToLast } from '../state/step.ts'
import { viewHistory } from '../state/view-history.ts'
import { noFilter, patchView, type ViewState, viewOf } from '../state/view-state.ts'
import { announce } from '../widgets/announce.ts'
import { askShell } from './bridge.ts'
import { copyImage, saveCsv } from './export-image.ts'
import { focusFilter } from './filter-field.tsx'
import { closeTab, reopen, showTab } from './open-captures.ts'
import { pasteText } from './paste-text.ts'
import { focusRegion } from './regions.ts'
import { openSession, saveSessionAs } from './session-file.ts'
import { resetViews, saveSession } from './sessions.ts'
import { changeSettings } from './settings.ts'
import { activeView, canLeadTo, canShow, hasDetails, hasView } from './views.ts'

const manyEvents = 100

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

const hasEvents = (capture: CaptureSummary, view: ViewState) => (deviceOf(capture, view.device)?.eventCount ?? 0) > 0
/** The view in front has something to show. */
const isShown = (capture: CaptureSummary, { device }: ViewState) => canShow(activeView(capture), capture, device)

/** Opens or closes the drawer; with nothing to tell it says how to select. */
function toggleDrawer(capture: CaptureSummary, view: ViewState): void {
  const { captureId } = capture
  if (hasDetails(capture, view)) patchView(captureId, { showDetails: !view.showDetails, showEmptyDetails: false })
  else patchView(captureId, { showEmptyDetails: !view.showEmptyDetails })
}

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
  'file.open': { run: () => void askShell('files.openDialog', { kind: 'files' }) },
  'file.openFolder': { run: () => void askShell('files.openDialog', { kind: 'folders' }) },
  'file.openRecent': { when: () => useShell.getState().recent.length > 0, run: () => showPalette('recent') },
  'file.clearRecent': { when: () => useShell.getState().recent.length > 0, run: () => void clearRecent() },
  'file.cancelLoad': { when: () => tabInFront()?.status === 'loading', run: cancelLoad },
  'file.rebuildIndex': { when: () => tabInFront()?.status === 'ready', run: () => reopen(tabInFront()?.tabId ?? -1, true) },
  'file.exportImage': onCapture(() => showDialog({ kind: 'export' }), isShown),
  'file.exportReport': onCapture(
    () => showDialog({ kind: 'report' }),
    ({ profile }) => profile === null,
  ),
  'file.exportCsv': onCapture((capture) => void saveCsv(capture), isShown),
  'file.saveSession': onCapture((capture) => void saveSession(capture)),
  'file.saveSessionAs': onCapture((capture) => void saveSessionAs(capture)),
  'file.openSession': { run: () => void openSession() },
  'file.settings': showing({ kind: 'settings' }),
  'file.nextTab': { when: severalTabs, run: () => moveTab(1) },
  'file.previousTab': { when: severalTabs, run: () => moveTab(-1) },
  'file.closeTab': { when: () => tabInFront() !== undefined, run: () => closeTab(tabInFront()?.tabId ?? -1) },
  'edit.undo': edit('undo', notes.canUndo, notes.undo),
  'edit.redo': edit('redo', notes.canRedo, notes.redo),
  'edit.pasteText': { run: () => void pasteText() },
  'edit.copyImage': onCapture((capture) => void copyImage(capture), isShown),
  'app.quit': { run: () => void askShell('app.quit', {}) },
  'app.fullScreen': { run: () => void askShell('app.toggleFullScreen', {}) },
}

const viewCommands: Actions = {
  'view.timeline': view('timeline'),
  'view.lifetimes': view('lifetimes'),
  'view.blocks': view('blocks'),
  'view.fragmentation': view('fragmentation'),
  'view.flame': view('flame'),
  'view.trace': view('trace'),
  'view.sql': view('sql'),
  'view.allocations': view('allocations'),
  'view.diagnosis': view('diagnosis'),
  'view.triedSettings': onCapture(
    ({ captureId }) => {
      wantPart('tried')
      patchView(captureId, { view: 'diagnosis' })
    },
    (capture) => hasFailed(capture),
  ),
  'showIn.timeline': showingIn('timeline'),
  'showIn.lifetimes': showingIn('lifetimes'),
  'showIn.blocks': showingIn('blocks'),
  'showIn.fragmentation': showingIn('fragmentation'),
  'showIn.flame': showingIn('flame'),
  'showIn.trace': showingIn('trace'),
  'showIn.sql': showingIn('sql'),
  'showIn.allocations': showingIn('allocations'),
  'showIn.diagnosis': showingIn('diagnosis'),
  'view.drawer': onCapture(toggleDrawer, isShown),
  'view.reset': onCapture(resetViews),
  'view.sideBar': onCapture(() => useShell.setState((state) => ({ showSideBar: !state.showSideBar }))),
  'theme.light': setting({ theme: 'light' }),
  'theme.dark': setting({ theme: 'dark' }),
  'theme.system': setting({ theme: 'system' }),
  'language.en': setting({ language: 'en' }),
  'language.zh-CN': setting({ language: 'zh-CN' }),
  'language.system': setting({ language: 'system' }),
}

const filterCommands: Actions = {
  'filter.large': chip('large'),
  'filter.temporary': chip('temporary'),
  'filter.neverFreed': chip('neverFreed'),
  'filter.edit': onCapture(focusFilter, isShown),
  'filter.save': onCapture(
    () => showDialog({ kind: 'saveFilter' }),
    (_, { filter }) => isFiltering(withoutStacks(filter)),
  ),
  'filter.clear': onCapture(
    ({ captureId }) => patchView(captureId, { filter: noFilter }),
    (_, { filter }) => !sameFilter(filter, noFilter),
  ),
}

const goCommands: Actions = {
  'go.palette': { run: () => showPalette('commands') },
  'go.quickOpen': { run: () => showPalette('quick') },
  'go.to': onCapture(() => showPalette('goTo'), hasEvents),
  'go.search': onCapture(() => showPalette('goTo'), hasEvents), // a view with a search of its own brings that
  'go.back': historyCommand('back'),
  'go.up': historyCommand('back'), // a view with levels goes up one first
  'go.forward': historyCommand('forward'),
  'go.firstEvent': onCapture(stepToFirst, hasEvents),
  'go.previousEvent': onCapture((capture) => stepBy(capture, -1), hasEvents),
  'go.nextEvent': onCapture((capture) => stepBy(capture, 1), hasEvents),
  'go.lastEvent': onCapture(stepToLast, hasEvents),
  'go.previousEvents': onCapture((capture) => stepBy(capture, -manyEvents), hasEvents),
  'go.nextEvents': onCapture((capture) => stepBy(capture, manyEvents), hasEvents),
  'go.nextRegion': { run: () => focusRegion(1) },
  'go.previousRegion': { run: () => focusRegion(-1) },
  'go.escape': { run: stepBack },
  'help.keys': showing({ kind: 'keys' }),
  'help.about': showing({ kind: 'about' }),
  'help.welcome': { run: () => useShell.setState((state) => ({ showWelcome: tabInFront() !== undefined && !state.showWelcome })) },
}

/** Shows a view of the tab in front, also from behind the welcome page; of its partner of the same run where only that has it. */
function view(id: ViewId): CommandAction {
  return {
    when: () => tabInFront() !== undefined && (hasView(id, activeCapture(useCaptures.getState())) || partnerWith(id) !== undefined),
    run: () => {
      useShell.setState({ showWelcome: false })
      const capture = activeCapture(useCaptures.getState())
      const shown = capture && hasView(id, capture) ? capture : partnerWith(id)
      if (!shown) return
      patchView(shown.captureId, { view: id })
      if (shown !== capture) goToCapture(shown.captureId)
    },
  }
}

/** A capture that is joined with the one in front and is offered a view. */
function partnerWith(id: ViewId): CaptureSummary | undefined {
  const capture = activeCapture(useCaptures.getState())
  if (!capture) return undefined
  const pairs = pairsOf(useJoins.getState().pairs, capture.captureId).filter(isJoined)
  return pairs.flatMap((pair) => readyCapture(partnerOf(pair, capture.captureId)) ?? []).find((partner) => hasView(id, partner))
}

function showingIn(id: ViewId): CommandAction {
  return onCapture(
    (capture) => void showIn(capture, id),
    (capture) => canLeadTo(id, capture) && activeView(capture).id !== id,
  )
}

function chip(name: FilterChip): CommandAction {
  return onCapture(({ captureId }) => toggleChip(captureId, name), isShown)
}

/** Of the text field that has the focus, else of the notes of the capture in front. */
function edit(kind: 'undo' | 'redo', can: (captureId: string) => boolean, run: (captureId: string) => void): CommandAction {
  const isInText = () => document.activeElement?.matches('input, textarea') ?? false
  const ofNotes = onCapture(
    ({ captureId }) => {
      run(captureId)
      announce(noteText(kind === 'undo' ? 'undone' : 'redone'))
    },
    ({ captureId }) => can(captureId),
  )
  return {
    when: () => isInText() || (ofNotes.when?.() ?? false),
    run: () => (isInText() ? document.execCommand(kind) : ofNotes.run()),
  }
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
  registerCommands({ ...fileCommands, ...viewCommands, ...filterCommands, ...goCommands })
}
