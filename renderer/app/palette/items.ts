// What the palette offers in each of its modes.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { commands } from '../../../preload/contract/commands.ts'
import { keyLabel } from '../../commands/keymap.ts'
import { canRun, runCommand } from '../../commands/registry.ts'
import { formatBytes, formatCount, formatTime } from '../../i18n/format.ts'
import { translate } from '../../i18n/language.ts'
import { commandTitle } from '../../i18n/texts.ts'
import { useCaptures } from '../../state/captures.ts'
import { goTo, parseTarget, type Target } from '../../state/go-to.ts'
import { filterByFrame, goToFrame } from '../../state/go-to-frame.ts'
import { type PaletteMode, showDialog, showMessage, useShell } from '../../state/shell.ts'
import { askShell } from '../bridge.ts'
import { filterText } from '../filter-words.ts'
import { showTab } from '../open-captures.ts'
import { applyFilter, savedFilters } from '../saved-filters.ts'
import { isOffered, views } from '../views.ts'
import { searchItems } from './search.ts'

export interface PaletteItem {
  readonly id: string
  readonly text: string // what is searched: the titles in every language
  readonly title: string
  readonly kind: string
  readonly hint: string
  readonly enabled: boolean
  readonly run: () => void
}

const prefixes: Readonly<Record<string, PaletteMode>> = { '>': 'commands', ':': 'goTo', '@': 'goTo' }

/** A first letter switches the mode: > commands, : and @ go to. */
export function readTyped(typed: string, mode: PaletteMode): { readonly mode: PaletteMode; readonly text: string } {
  const switched = prefixes[typed.slice(0, 1)]
  return switched ? { mode: switched, text: typed.slice(1).trim() } : { mode, text: typed }
}

/** Everything that fits what was typed, best first. */
export function paletteItems(typed: string, chosen: PaletteMode, capture: CaptureSummary | undefined): readonly PaletteItem[] {
  const { mode, text } = readTyped(typed, chosen)
  if (mode === 'commands') return searchItems([...commandItems(), ...filterItems(capture)], text)
  if (mode === 'recent') return searchItems(recentItems(), text)
  const targets = capture ? goToItems(text, capture) : []
  if (mode === 'goTo') return capture ? [...targets, ...frameItems(text, capture)] : targets
  const known = searchItems([...captureItems(), ...viewItems(capture), ...filterItems(capture)], text)
  const found = text.trim() === '' ? [] : [...searchItems(commandItems(), text), ...searchItems(recentItems(), text)]
  const isNumber = targets.some((item) => item.id !== 'find')
  return isNumber ? [...targets, ...known, ...found] : [...known, ...found, ...targets]
}

// Not offered: the palette itself, and what only doubles another command (search is go.to under the keys that people try).
const hidden: ReadonlySet<string> = new Set(['go.palette', 'go.quickOpen', 'go.escape'])

function commandItems(): PaletteItem[] {
  const mac = useShell.getState().info?.platform === 'darwin'
  const items = commands
    .filter(({ id }) => !hidden.has(id) && isOffered(id))
    .map(({ id, title, keys: [key] }) => ({
      id,
      text: `${title.en} ${title['zh-CN']}`,
      title: commandTitle(id),
      kind: translate('palette.kind.command'),
      hint: key === undefined ? '' : keyLabel(key, mac),
      enabled: canRun(id),
      run: () => void runCommand(id),
    }))
  return [...items.filter((item) => item.enabled), ...items.filter((item) => !item.enabled)]
}

function captureItems(): PaletteItem[] {
  return useCaptures.getState().tabs.map(({ tabId, request: { name, sizeBytes } }) => ({
    id: `tab-${tabId}`,
    text: name,
    title: name,
    kind: translate('palette.kind.capture'),
    hint: sizeBytes > 0 ? formatBytes(sizeBytes) : '',
    enabled: true,
    run: () => showTab(tabId),
  }))
}

function viewItems(capture: CaptureSummary | undefined): PaletteItem[] {
  if (!capture) return []
  return views.map(({ id, digit }) => ({
    id: `view-${id}`,
    text: commandTitle(`view.${id}`),
    title: commandTitle(`view.${id}`),
    kind: translate('palette.kind.view'),
    hint: digit,
    enabled: true,
    run: () => void runCommand(`view.${id}`),
  }))
}

function filterItems(capture: CaptureSummary | undefined): PaletteItem[] {
  if (!capture) return []
  return savedFilters().map((saved) => ({
    id: `filter-${saved.name}`,
    text: `${saved.name} ${saved.text} filter 筛选`,
    title: saved.name,
    kind: filterText('kind'),
    hint: saved.text,
    enabled: true,
    run: () => applyFilter(capture.captureId, saved),
  }))
}

function recentItems(): PaletteItem[] {
  return useShell.getState().recent.map(({ id, name, folder, sizeBytes, missing, isFolder }) => ({
    id: `recent-${id}`,
    text: `${name} ${folder}`,
    title: `${folder.split(/[\\/]/).at(-1) ?? ''}/${name}`,
    kind: translate('palette.kind.recent'),
    hint: missing ? translate('welcome.missing') : isFolder ? translate('failures:recent.folder') : formatBytes(sizeBytes),
    enabled: !missing,
    run: () => void askShell('files.openRecent', { id }),
  }))
}

function targetTitle(target: Target): string {
  if (target.kind === 'event') return translate('palette.goToEvent', { event: formatCount(target.event) })
  if (target.kind === 'time') return translate('palette.goToTime', { time: formatTime(target.timeNs) })
  return translate('palette.goToFind', { text: target.text })
}

function goToItems(text: string, capture: CaptureSummary): PaletteItem[] {
  const target = parseTarget(text)
  if (!target) return []
  const title = targetTitle(target)
  const run = async () => {
    if (!(await goTo(capture, target))) showMessage(`${title} · ${translate('palette.notFound')}`, 'error')
  }
  return [{ id: target.kind, text, title, kind: translate('palette.kind.goTo'), hint: '', enabled: true, run: () => void run() }]
}

/** What is no place of its own is looked for in the stacks. */
function frameItems(typed: string, capture: CaptureSummary): PaletteItem[] {
  const text = typed.trim()
  if (text === '' || parseTarget(text)) return []
  const kind = translate('palette.kind.goTo')
  const title = filterText('frame.largest', { text })
  const run = async () => {
    if (!(await goToFrame(capture, text))) showMessage(`${title} · ${translate('palette.notFound')}`, 'error')
  }
  return [
    { id: 'frame', text, title, kind, hint: '', enabled: true, run: () => void run() },
    {
      id: 'frames',
      text,
      title: filterText('frame.filter', { text }),
      kind,
      hint: '',
      enabled: true,
      run: () => filterByFrame(capture, text),
    },
  ]
}

/** Runs an item and closes the palette first, so that what it opens gets the focus. */
export function chooseItem(item: PaletteItem | undefined): void {
  if (!item?.enabled) return
  showDialog(undefined)
  item.run()
}
