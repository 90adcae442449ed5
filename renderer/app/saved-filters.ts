// Filters that the user keeps under a name, in the settings: for every capture, so without what belongs to one.
import type { SavedFilter } from '../../preload/contract/shell.ts'
import { termsOf } from '../state/filter.ts'
import { showMessage, useShell } from '../state/shell.ts'
import { type AllocationFilter, patchView, readFilter, viewOf } from '../state/view-state.ts'
import { announce } from '../widgets/announce.ts'
import { errorWords, filterText } from './filter-words.ts'
import { changeSettings } from './settings.ts'

export const savedFilters = (): readonly SavedFilter[] => useShell.getState().settings.filters ?? []

const others = (name: string): SavedFilter[] => savedFilters().filter((each) => each.name !== name)

/** Keeps a filter under a name; one of the same name is replaced. */
export async function saveFilter(name: string, { text, minBytes, mostEvents, neverFreed }: AllocationFilter): Promise<void> {
  const saved: SavedFilter = {
    name,
    text: text.trim(),
    ...(minBytes === undefined ? {} : { minBytes }),
    ...(mostEvents === undefined ? {} : { mostEvents }),
    ...(neverFreed ? { neverFreed } : {}),
  }
  await changeSettings({ filters: [...others(name), saved] })
  announce(filterText('saved.said', { name }))
}

export async function removeFilter(name: string): Promise<void> {
  await changeSettings({ filters: others(name) })
  announce(filterText('saved.removed', { name }))
}

/** Sets the filter of a capture in front; what the capture does not have is told, and the filter before stays. */
export function applyFilter(captureId: string, saved: SavedFilter): void {
  if (!viewOf(captureId)) return
  const filter = readFilter(saved)
  const parsed = termsOf(captureId, filter.text)
  if (!parsed.ok) {
    showMessage(errorWords(parsed.error), 'error')
    return
  }
  patchView(captureId, { filter })
}
