// Commands in React.
import { useSyncExternalStore } from 'react'
import { commands } from '../../preload/contract/commands.ts'
import { useShell } from '../state/shell.ts'
import { keyLabel } from './keymap.ts'
import { onCommandsChanged } from './registry.ts'

let version = 0
onCommandsChanged(() => version++)

/** Draws the component again when commands are registered or removed. */
export function useCommandChanges(): void {
  useSyncExternalStore(onCommandsChanged, () => version)
}

/** Tells the first key of a command for people; empty when it has none. */
export function useKeyLabels(): (id: string) => string {
  const mac = useShell((state) => state.info?.platform === 'darwin')
  return (id) => {
    const key = commands.find((command) => command.id === id)?.keys[0]
    return key === undefined ? '' : keyLabel(key, mac)
  }
}

/** The first key of one command. */
export const useKeyLabel = (id: string): string => useKeyLabels()(id)
