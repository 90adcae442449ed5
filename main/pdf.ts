// A finished picture or report as PDF: Chromium prints what the window made, so curves and text stay vectors and fonts are embedded.
import { randomUUID } from 'node:crypto'
import { BrowserWindow, type PrintToPDFOptions, type Session, session } from 'electron'
import { fail, ok, type Result } from '../preload/contract/errors.ts'
import { hardenSession } from './security.ts'

export interface PictureSize {
  readonly width: number // CSS pixels
  readonly height: number
}

const pixelsAnInch = 96
const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
/** Kept in the page's own session: its one page is what is printed, and nothing else answers. */
const scheme = 'tidemark-picture'
const addressStart = `${scheme}://`

const pageOf = (svg: string, { width, height }: PictureSize): string =>
  `<!doctype html><meta charset="utf-8"><style>@page{size:${width}px ${height}px;margin:0}html,body{margin:0}svg{display:block}</style>` +
  svg.replace(/^<\?xml[^>]*\?>\s*/, '')

/** Pages that are being printed, by name. */
const pages = new Map<string, string>()

/** The session of these pages: only they answer in it. */
function pictureSession(): Session {
  const own = session.fromPartition('picture') // in memory
  if (own.protocol.isProtocolHandled(scheme)) return own
  hardenSession(own)
  own.webRequest.onBeforeRequest(({ url }, answer) =>
    answer({ cancel: !url.startsWith(`${scheme}:`) && !/^data:image\/(?:png|svg\+xml)[;,]/.test(url) }),
  )
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy }
  own.protocol.handle(scheme, ({ url }) => {
    const page = pages.get(url.slice(addressStart.length).replace(/\/$/, ''))
    return page === undefined ? new Response(null, { status: 404 }) : new Response(page, { headers })
  })
  return own
}

/** Fails when the page dies: what waits for its print would wait for ever. */
const deathOf = ({ webContents }: BrowserWindow): Promise<never> =>
  new Promise((_resolve, reject) => {
    webContents.once('render-process-gone', (_event, { reason }) => reject(new Error(`the page that prints stopped (${reason})`)))
  })

/** Prints one page of ours. Errors: `export/write_failed`. */
async function print(page: string, options: PrintToPDFOptions): Promise<Result<Uint8Array>> {
  const name = randomUUID()
  pages.set(name, page)
  const preferences = { session: pictureSession(), sandbox: true, contextIsolation: true, javascript: false }
  const window = new BrowserWindow({ show: false, webPreferences: preferences })
  try {
    await window.loadURL(addressStart + name)
    return ok(await Promise.race([window.webContents.printToPDF(options), deathOf(window)]))
  } catch (error) {
    return fail('export/write_failed', error instanceof Error ? error.message : String(error))
  } finally {
    window.destroy()
    pages.delete(name)
  }
}

/** The bytes of a one-page PDF of the picture's size. Errors: `export/write_failed`. */
export function pdfOf(svg: string, size: PictureSize): Promise<Result<Uint8Array>> {
  const pageSize = { width: size.width / pixelsAnInch, height: size.height / pixelsAnInch }
  const margins = { top: 0, bottom: 0, left: 0, right: 0 }
  return print(pageOf(svg, size), { pageSize, margins, printBackground: true, preferCSSPageSize: true, pageRanges: '1' })
}

const marginInches = 0.6
const pageNumbers =
  '<div style="width:100%;font:8px sans-serif;color:#666;text-align:center"><span class="pageNumber"></span> / <span class="totalPages"></span></div>'

/** The bytes of a report's page on A4 with page numbers. Errors: `export/write_failed`. */
export const pdfOfReport = (page: string): Promise<Result<Uint8Array>> =>
  print(page, {
    pageSize: 'A4',
    margins: { top: marginInches, bottom: marginInches, left: marginInches, right: marginInches },
    printBackground: true,
    displayHeaderFooter: true,
    headerTemplate: '<span></span>',
    footerTemplate: pageNumbers,
  })
