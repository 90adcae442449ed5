// What the page may do: show our own bundle, and nothing else.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { sharedApp, withApp } from './with-app.ts'

const app = sharedApp()
let server: Server
let asked: string[] = []
let origin = ''

test.beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/html' })
    response.end('<p>elsewhere</p>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
test.afterAll(() => server.close())
test.beforeEach(() => {
  asked = []
})

test('the page has no Node: no process, no require, no module', async () => {
  const kinds = await app().page.evaluate(() =>
    ['process', 'require', 'module', 'Buffer', 'global', 'electron'].map((name) => typeof Reflect.get(globalThis, name)),
  )
  expect(new Set(kinds)).toEqual(new Set(['undefined']))
})

test('every page is sandboxed and isolated, without Node in workers and frames, with web security and no webview', async () => {
  const preferences = await app().electron.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((each) => {
      const found = Reflect.get(each, 'getLastWebPreferences').call(each) as Record<string, unknown>
      const names = [
        'sandbox',
        'contextIsolation',
        'nodeIntegration',
        'nodeIntegrationInWorker',
        'nodeIntegrationInSubFrames',
        'webSecurity',
        'webviewTag',
      ]
      return Object.fromEntries(names.map((name) => [name, found[name] === true]))
    }),
  )
  expect(preferences.length).toBeGreaterThan(0)
  for (const each of preferences) {
    expect(each).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
    })
  }
})

test('the bridge has exactly four functions and cannot be replaced', async () => {
  const bridge = await app().page.evaluate(() => {
    const found: unknown = Reflect.get(window, 'tidemark')
    const kinds = Object.fromEntries(Object.entries(found as object).map(([name, value]) => [name, typeof value]))
    return { kinds, replaced: Reflect.set(window, 'tidemark', {}) && Reflect.get(window, 'tidemark') !== found }
  })
  expect(bridge).toEqual({ kinds: { invoke: 'function', openDropped: 'function', on: 'function', ready: 'function' }, replaced: false })
})

test('inline scripts and inline handlers do not run, and each is reported', async () => {
  const ran = await app().page.evaluate(async () => {
    const reports: string[] = []
    Object.assign(window, { policyReports: reports })
    document.addEventListener('securitypolicyviolation', (event) => reports.push(event.effectiveDirective))
    const script = document.createElement('script')
    script.textContent = 'window.inlineRan = true'
    document.body.append(script)
    const image = document.createElement('img')
    image.setAttribute('onerror', 'window.handlerRan = true')
    image.src = 'data:image/png;base64,broken'
    const failed = new Promise((resolve) => image.addEventListener('error', resolve, { once: true }))
    document.body.append(image)
    await failed
    script.remove()
    image.remove()
    return ['inlineRan', 'handlerRan'].filter((name) => Reflect.has(window, name))
  })
  expect(ran).toEqual([])
  const reports = () => app().page.evaluate(() => Reflect.get(window, 'policyReports') as string[])
  await expect.poll(reports).toEqual(expect.arrayContaining(['script-src-elem', 'script-src-attr']))
})

test('text is never run as code: eval and Function are blocked', async () => {
  const outcome = await app().page.evaluate(async () => {
    const attempt = (run: () => unknown): Promise<string> =>
      new Promise((resolve) =>
        // In a task of its own: while a test's own script runs, the debugger lifts the ban.
        requestAnimationFrame(() => {
          try {
            resolve(`ran: ${run()}`)
          } catch (error) {
            resolve(error instanceof Error ? error.name : 'thrown')
          }
        }),
      )
    const globalEval = Reflect.get(window, 'eval') as (text: string) => unknown
    return [await attempt(() => globalEval('1 + 1')), await attempt(() => new Function('return 2')())]
  })
  expect(outcome).toEqual(['EvalError', 'EvalError'])
})

test('nothing leaves the page: fetch, beacons, images, styles, scripts, frames, sockets', async () => {
  const outcome = await app().page.evaluate(async (elsewhere) => {
    const settle = (work: Promise<unknown>) => work.then(() => 'went out').catch(() => 'blocked')
    const element = (name: string, attributes: Record<string, string>) =>
      new Promise<unknown>((resolve, reject) => {
        const made = document.createElement(name)
        made.addEventListener('load', resolve, { once: true })
        made.addEventListener('error', reject, { once: true })
        for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
        document.body.append(made)
      })
    const socket = () =>
      new Promise<unknown>((resolve, reject) => {
        const made = new WebSocket(elsewhere.replace('http', 'ws'))
        made.onopen = resolve
        made.onerror = reject
      })
    return {
      fetch: await settle(fetch(elsewhere)),
      secure: await settle(fetch('https://example.com/')),
      image: await settle(element('img', { src: `${elsewhere}/a.png` })),
      style: await settle(element('link', { rel: 'stylesheet', href: `${elsewhere}/a.css` })),
      script: await settle(element('script', { src: `${elsewhere}/a.js` })),
      socket: await settle(Promise.resolve().then(socket)),
      file: await settle(fetch('file:///etc/hostname')),
      own: await settle(fetch(location.href)),
    }
  }, origin)
  const blocked = ['fetch', 'secure', 'image', 'style', 'script', 'socket', 'file']
  expect(outcome).toEqual({ ...Object.fromEntries(blocked.map((name) => [name, 'blocked'])), own: 'went out' })
  expect(asked).toEqual([])
})

test('our own scheme serves the bundle only, whatever the path tries', async () => {
  const statuses = await app().page.evaluate(async () => {
    const paths = ['/../package.json', '/..%2f..%2fpackage.json', '/%2e%2e/%2e%2e/package.json', '/..\\..\\package.json', '/nothing.js']
    return Promise.all(paths.map(async (path) => (await fetch(`tidemark://app${path}`)).status))
  })
  expect(new Set(statuses)).toEqual(new Set([404]))
})

test('the page goes nowhere: no navigation, no frames, no new windows', () =>
  // An app of its own: Playwright's locators wait for ever for a navigation that was refused.
  withApp({}, async ({ page, electron }) => {
    const before = await page.evaluate(() => location.href)
    const opened = await page.evaluate(
      (targets) => {
        for (const target of targets) {
          const link = document.createElement('a')
          link.href = target
          document.body.append(link)
          link.click()
          for (const name of ['iframe', 'webview']) {
            const made = document.createElement(name)
            made.setAttribute('src', target)
            document.body.append(made)
          }
        }
        return targets.filter((target) => window.open(target) !== null)
      },
      [origin, 'file:///etc/hostname', 'data:text/html,<p>x</p>'],
    )
    expect(opened).toEqual([])
    // An answer of main that reaches the page and brings a tab: what came before has been dealt with, and the page still works.
    await page.evaluate(() => {
      const bridge = Reflect.get(window, 'tidemark') as { invoke(route: string, input: unknown): Promise<unknown> }
      return bridge.invoke('files.openSample', { name: 'oom' })
    })
    await expect
      .poll(() => page.evaluate(() => document.querySelector('[role=tab]')?.getAttribute('aria-label')))
      .toBe('oom.pickle, ran out of memory')
    expect(await page.evaluate(() => location.href)).toBe(before)
    expect(await electron.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1)
    expect(asked).toEqual([])
  }))

test('permissions are denied: notifications, camera, place, reading the clipboard', async () => {
  const outcome = await app().page.evaluate(async () => ({
    notification: await Notification.requestPermission(),
    camera: await (navigator.mediaDevices?.getUserMedia({ video: true }) ?? Promise.reject(new Error('absent'))).then(
      () => 'granted',
      () => 'denied',
    ),
    place: await new Promise((resolve) =>
      navigator.geolocation.getCurrentPosition(
        () => resolve('granted'),
        () => resolve('denied'),
      ),
    ),
    clipboard: await navigator.clipboard.read().then(
      () => 'granted',
      () => 'denied',
    ),
  }))
  expect(outcome).toEqual({ notification: 'denied', camera: 'denied', place: 'denied', clipboard: 'denied' })
})

test('a page from elsewhere that got hold of the bridge is refused', async () => {
  const answer = await app().electron.evaluate(async ({ app: program, BrowserWindow }) => {
    const preload = `${program.getAppPath()}/out/preload/index.js`
    const foreign = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true, contextIsolation: true } })
    await foreign.loadURL('data:text/html,<p>foreign</p>')
    const asked: unknown = await foreign.webContents.executeJavaScript("window.tidemark.invoke('settings.get', {})")
    foreign.destroy()
    return asked
  })
  expect(answer).toEqual({ ok: false, error: { code: 'query/bad_argument', message: 'The sender is not a page of this app.' } })
})

test('unknown routes and malformed questions are refused with a code', async () => {
  const answers = await app().page.evaluate(async () => {
    const bridge = Reflect.get(window, 'tidemark') as {
      invoke(route: string, input: unknown): Promise<{ ok: boolean; error?: { code: string } }>
    }
    const asked = [
      ['files.read', { path: '/etc/hostname' }],
      ['__proto__', {}],
      ['files.openSample', { name: '../../../etc/hostname' }],
      ['settings.set', { theme: 'pink' }],
      ['export.saveImage', { format: 'exe', suggestedName: 'a', data: '' }],
    ] as const
    return Promise.all(asked.map(async ([route, input]) => (await bridge.invoke(route, input)).error?.code))
  })
  expect(new Set(answers)).toEqual(new Set(['query/bad_argument']))
})
