// Addresses of our own pages: what belongs to the bundle and what may be asked for. Pure.
import { join, normalize, sep } from 'node:path'

export const appScheme = 'tidemark'
const appOrigin = `${appScheme}://app`
export const appPage = `${appOrigin}/index.html`

export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // React and the virtual lists set style attributes; a style cannot run code.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** True for a page of our own bundle. */
export const isOwnPage = (url: string): boolean => url === appOrigin || url.startsWith(`${appOrigin}/`)

const allowedProtocols = [`${appScheme}:`, 'devtools:', 'data:', 'blob:']

/** True when a request may leave the renderer: only to our bundle and to data that the page made itself. */
export function isAllowedRequest(url: string): boolean {
  const protocol = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0].toLowerCase() ?? ''
  return allowedProtocols.includes(protocol) && (protocol !== `${appScheme}:` || isOwnPage(url))
}

/** The file of `folder` that a URL names; undefined for another host, a path outside of the folder or one that cannot be decoded. */
export function fileOfUrl(url: string, folder: string): string | undefined {
  let path: string
  try {
    const { hostname, pathname } = new URL(url)
    if (hostname !== 'app') return undefined
    path = decodeURIComponent(pathname)
  } catch {
    return undefined
  }
  if (path.includes('\0')) return undefined
  const file = normalize(join(folder, path === '/' ? 'index.html' : path))
  return file.startsWith(folder + sep) ? file : undefined
}
