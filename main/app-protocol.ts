// The renderer's bundle under a scheme of its own: no file:// page, and a strict policy on every answer.
import { readFile } from 'node:fs/promises'
import { extname, normalize } from 'node:path'
import { protocol, type Session } from 'electron'
import { appScheme, contentSecurityPolicy, fileOfUrl } from './app-url.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

async function answer(request: Request, folder: string): Promise<Response> {
  const file = fileOfUrl(request.url, folder)
  const contentType = file === undefined ? undefined : contentTypes[extname(file)]
  if (file === undefined || contentType === undefined || request.method !== 'GET') return new Response(null, { status: 404 })
  const body = await readFile(file).catch(() => undefined)
  if (!body) return new Response(null, { status: 404 })
  return new Response(new Uint8Array(body), {
    headers: {
      'Content-Type': contentType,
      'Content-Security-Policy': contentSecurityPolicy,
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Opener-Policy': 'same-origin',
    },
  })
}

/** Serves the bundle in `folder` to the pages of a session. */
export function serveApp(session: Session, folder: string): void {
  const root = normalize(folder)
  session.protocol.handle(appScheme, (request) => answer(request, root))
}
