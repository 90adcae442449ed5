// The window's line to the main process. A page without the bridge (a browser) renders and says so.
import { type ErrorCode, errorCodeSchema, fail, type Result } from '../../preload/contract/errors.ts'
import type { ShellEvent, ShellEventData, ShellInput, ShellOutput, ShellRoute, TidemarkBridge } from '../../preload/contract/shell.ts'

declare global {
  interface Window {
    readonly tidemark?: TidemarkBridge
    /** Resolves when no question is unanswered and nothing waits to be drawn. For tests. */
    __tidemarkIdle?: () => Promise<void>
  }
}

/** False when the page runs outside Tidemark. */
export const hasBridge = (): boolean => window.tidemark !== undefined

const knownCode = (code: string): ErrorCode => {
  const parsed = errorCodeSchema.safeParse(code)
  return parsed.success ? parsed.data : 'engine/internal'
}

/** Asks the main process. Never throws. */
export async function askShell<R extends ShellRoute>(route: R, input: ShellInput<R>): Promise<Result<ShellOutput<R>>> {
  if (!window.tidemark) return fail('engine/internal', `${route}: no bridge`)
  try {
    const answer = await window.tidemark.invoke(route, input)
    return answer.ok ? answer : fail(knownCode(answer.error.code), answer.error.message)
  } catch (error) {
    return fail('engine/internal', `${route}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Listens to the main process; returns the removal. */
export function onShell<E extends ShellEvent>(event: E, listener: (data: ShellEventData<E>) => void): () => void {
  return window.tidemark?.on(event, listener) ?? (() => {})
}
