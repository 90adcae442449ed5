// A command is one object that menu, palette, keys, buttons and help read. Declared as data in preload/contract/commands.ts (so that
// main can build the menu); what it does is registered here by the part of the window that knows how.
export interface CommandAction {
  /** False greys the command out wherever it is offered. */
  readonly when?: () => boolean
  readonly run: () => void
}

const actions = new Map<string, CommandAction>()
const listeners = new Set<() => void>()

/** Registers what commands do; returns the removal. A later registration of an id hides the earlier one until removed. */
export function registerCommands(added: Readonly<Record<string, CommandAction>>): () => void {
  const replaced = new Map<string, CommandAction | undefined>()
  for (const [id, action] of Object.entries(added)) {
    replaced.set(id, actions.get(id))
    actions.set(id, action)
  }
  for (const listener of listeners) listener()
  return () => {
    for (const [id, action] of replaced) {
      if (actions.get(id) !== added[id]) continue
      if (action) actions.set(id, action)
      else actions.delete(id)
    }
    for (const listener of listeners) listener()
  }
}

export const canRun = (id: string): boolean => {
  const action = actions.get(id)
  return action !== undefined && (action.when?.() ?? true)
}

/** Runs a command when it is registered and allowed now; says whether it ran. */
export function runCommand(id: string): boolean {
  if (!canRun(id)) return false
  actions.get(id)?.run()
  return true
}

/** Calls back when the set of registered commands changes. */
export function onCommandsChanged(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
