// The window's line to the main process: what arrives is checked here. A page without the bridge (a browser) renders and says so.
import { fail, type Result } from '../../preload/contract/errors.ts'
import {
  type ShellEvent,
  type ShellEventData,
  type ShellInput,
  type ShellOutput,
  type ShellRoute,
  shellAnswerSchema,
  shellEvents,
  shellRoutes,
  type TidemarkBridge,
} from '../../preload/contract/shell.ts'

declare global {
  interface Window {
    readonly tidemark?: TidemarkBridge
    /** Resolves when no question is unanswered and nothing waits to be drawn. For tests. */
    __tidemarkIdle?: () => Promise<void>
  }
}

/** False when the page runs outside Tidemark. */
export const hasBridge = (): boolean => window.tidemark !== undefined

/** Asks the main process. Never throws; an answer that is not what the contract says is `engine/internal`. */
export async function askShell<R extends ShellRoute>(route: R, input: ShellInput<R>): Promise<Result<ShellOutput<R>>> {
  if (!window.tidemark) return fail('engine/internal', `${route}: no bridge`)
  try {
    const answer = shellAnswerSchema.parse(await window.tidemark.invoke(route, input))
    if (!answer.ok) return { ok: false, error: answer.error }
    // The compiler does not see that the schema of R yields the output of R.
    return { ok: true, value: shellRoutes[route].output.parse(answer.value) as ShellOutput<R> }
  } catch (error) {
    return fail('engine/internal', `${route}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Listens to the main process; returns the removal. An event that is not what the contract says is reported and passed over. */
export function onShell<E extends ShellEvent>(event: E, listener: (data: ShellEventData<E>) => void): () => void {
  const hear = (data: unknown) => {
    const parsed = shellEvents[event].safeParse(data)
    if (parsed.success) listener(parsed.data as ShellEventData<E>)
    else console.error(`${event}: ${parsed.error.message}`)
  }
  return window.tidemark?.on(event, hear) ?? (() => {})
}
