// A command is one object that menu, palette, keys, buttons and help read. Declared as data in preload/contract/commands.ts (so that
// main can build the menu); what it does is registered here by the part of the window that knows how.
export interface CommandAction {
  /** False greys the command out wherever it is offered. */
  readonly when?: () => boolean
  readonly run: () => void
}

// What is registered for each command, the action that counts last.
const actions = new Map<string, readonly CommandAction[]>()
const listeners = new Set<() => void>()

const actionOf = (id: string): CommandAction | undefined => actions.get(id)?.at(-1)

/** Registers what commands do; returns the removal. A later registration of an id hides the earlier ones until removed; the order of removals does not matter. */
export function registerCommands(added: Readonly<Record<string, CommandAction>>): () => void {
  for (const [id, action] of Object.entries(added)) actions.set(id, [...(actions.get(id) ?? []), action])
  for (const listener of listeners) listener()
  return () => {
    for (const [id, action] of Object.entries(added))
      actions.set(
        id,
        (actions.get(id) ?? []).filter((each) => each !== action),
      )
    for (const listener of listeners) listener()
  }
}

export const canRun = (id: string): boolean => {
  const action = actionOf(id)
  return action !== undefined && (action.when?.() ?? true)
}

/** Runs a command when it is registered and allowed now; says whether it ran. */
export function runCommand(id: string): boolean {
  if (!canRun(id)) return false
  actionOf(id)?.run()
  return true
}

/** Calls back when the set of registered commands changes. */
export function onCommandsChanged(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
