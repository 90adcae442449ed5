import { describe, expect, test } from 'vitest'
import { contentSecurityPolicy, fileOfUrl, isAllowedRequest, isOwnPage } from './app-url.ts'

describe('the app scheme', () => {
  const folder = '/app/out/renderer'

  test('serves files of the bundle', () => {
    expect(fileOfUrl('tidemark://app/', folder)).toBe(`${folder}/index.html`)
    expect(fileOfUrl('tidemark://app/assets/index-1.js?v=1#x', folder)).toBe(`${folder}/assets/index-1.js`)
    expect(fileOfUrl('tidemark://app/a%20b.png', folder)).toBe(`${folder}/a b.png`)
  })

  test.each([
    'tidemark://app/..%2f..%2fpackage.json',
    'tidemark://app/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    'tidemark://app/..%2frenderer-evil/x.js',
    'tidemark://app/a%00.js',
    'tidemark://app/%',
    'tidemark://other/index.html',
    'nonsense',
  ])('never leaves it: %s', (url) => {
    const file = fileOfUrl(url, folder)
    expect(file === undefined || file.startsWith(`${folder}/`)).toBe(true)
    expect(file ?? '').not.toContain('evil')
  })

  test('knows its own pages', () => {
    expect(['tidemark://app/index.html', 'tidemark://app'].map(isOwnPage)).toEqual([true, true])
    expect(['tidemark://app.evil/', 'tidemark://other/', 'https://app/', 'file:///index.html', ''].map(isOwnPage)).toEqual(
      Array(5).fill(false),
    )
  })
})

describe('a request of a page', () => {
  test.each([
    'https://example.com/',
    'http://localhost/',
    'ws://localhost/',
    'wss://x/',
    'file:///etc/passwd',
    'ftp://x/',
    'tidemark://other/',
    '',
  ])('is denied: %s', (url) => expect(isAllowedRequest(url)).toBe(false))

  test.each(['tidemark://app/index.html', 'data:image/png;base64,AA==', 'blob:tidemark://app/1', 'devtools://devtools/x.js'])(
    'is allowed: %s',
    (url) => expect(isAllowedRequest(url)).toBe(true),
  )
})

test('the policy allows no code but the bundle, no evaluation and nothing by default', () => {
  expect(contentSecurityPolicy).toContain("default-src 'none'")
  expect(contentSecurityPolicy).toContain("script-src 'self';")
  expect(contentSecurityPolicy).not.toMatch(/unsafe-eval|https?:|\*/)
})
