// The window's title and the progress in the task bar follow the tabs.
import { useEffect } from 'react'
import { activeTab, useCaptures } from '../state/captures.ts'
import { askShell } from './bridge.ts'
import { loadShare } from './load-progress.ts'

const none = -1
const indeterminate = 2

/** Keeps title and task-bar progress up to date. */
export function useTitle(): void {
  const name = useCaptures((state) => activeTab(state)?.request.name)
  const progress = useCaptures((state) => {
    const loading = state.tabs.filter((tab) => tab.status === 'loading')
    if (loading.length === 0) return none
    const shares = loading.map(loadShare)
    const known = shares.filter((share) => share !== undefined)
    // Whole percents: the task bar needs no more, and each change is a message to the main process.
    return known.length < shares.length ? indeterminate : Math.round(Math.min(...known) * 100) / 100
  })
  const title = name === undefined ? 'Tidemark' : `${name} – Tidemark`
  useEffect(() => {
    document.title = title
    void askShell('app.setTitle', { title, progress })
  }, [title, progress])
}
