// What the window may ask of main: every call is checked for its sender and its fields, and answered with a value or a coded failure.
import { ipcMain } from 'electron'
import { z } from 'zod'
import { fail, ok, type Result } from '../preload/contract/errors.ts'
import { type ShellOutput, type ShellRoute, shellRoutes } from '../preload/contract/shell.ts'
import { isTrustedSender } from './security.ts'

export type RouteInput<R extends ShellRoute> = z.output<(typeof shellRoutes)[R]['input']>
type Answer<T> = T | Result<T> | Promise<T | Result<T>>
export type RouteHandlers = { readonly [R in ShellRoute]: (input: RouteInput<R>) => Answer<ShellOutput<R>> }

export interface WindowListeners {
  readonly onReady: () => void
  readonly onDropped: (files: readonly { readonly path: string; readonly name: string }[]) => void
}

const droppedSchema = z.array(z.object({ path: z.string(), name: z.string() })).max(1000)

const isRoute = (route: unknown): route is ShellRoute => typeof route === 'string' && Object.hasOwn(shellRoutes, route)

const isResult = (value: unknown): value is Result<unknown> => typeof value === 'object' && value !== null && 'ok' in value

async function answerRoute<R extends ShellRoute>(handlers: RouteHandlers, route: R, input: unknown): Promise<Result<unknown>> {
  const parsed = shellRoutes[route].input.safeParse(input)
  if (!parsed.success) return fail('query/bad_argument', `${route}: ${parsed.error.issues[0]?.message ?? 'malformed'}`)
  try {
    // The compiler does not see that the schema of R yields the input of R.
    const value: unknown = await handlers[route](parsed.data as RouteInput<R>)
    return isResult(value) ? value : ok(value)
  } catch (error) {
    return fail('engine/internal', `${route}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Starts to answer the window. Call once. */
export function serveShell(handlers: RouteHandlers, listeners: WindowListeners): void {
  ipcMain.handle('tidemark:invoke', (event, route: unknown, input: unknown) => {
    if (!isTrustedSender(event)) return fail('query/bad_argument', 'The sender is not a page of this app.')
    return isRoute(route) ? answerRoute(handlers, route, input) : fail('query/bad_argument', 'There is no such route.')
  })
  ipcMain.on('tidemark:ready', (event) => {
    if (isTrustedSender(event)) listeners.onReady()
  })
  ipcMain.on('tidemark:dropped', (event, files: unknown) => {
    const parsed = droppedSchema.safeParse(files)
    if (isTrustedSender(event) && parsed.success) listeners.onDropped(parsed.data)
  })
}
