import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fingerprintFile, sampleOffsets } from '../../main/engine/fingerprint.ts'
import { sessionKeyOf } from '../../preload/contract/session.ts'
import { scratchFolder } from '../support/paths.ts'
import { codeOf, expectValue } from './engine-client.ts'

const mebibyte = 1024 * 1024

describe('a fingerprint', () => {
  let scratch: ReturnType<typeof scratchFolder>
  beforeEach(() => {
    scratch = scratchFolder('fingerprint')
  })
  afterEach(() => scratch.remove())

  const write = (name: string, data: Uint8Array | string, seconds = 1000) => {
    const path = join(scratch.path, name)
    writeFileSync(path, data)
    utimesSync(path, seconds, seconds)
    return path
  }
  const of = async (path: string) => expectValue(await fingerprintFile(path)).fingerprint

  test('is the same for the same bytes of the same time under another name', async () => {
    expect(await of(write('a', 'content'))).toBe(await of(write('b', 'content')))
  })

  test('changes with a byte, with the time of change and with the size', async () => {
    const original = await of(write('file', 'content'))
    expect(await of(write('file', 'Content'))).not.toBe(original)
    expect(await of(write('file', 'content', 2000))).not.toBe(original)
    expect(await of(write('file', 'content '))).not.toBe(original)
  })

  test('begins alike for the same bytes, whenever they were written, and differently for others', async () => {
    const original = sessionKeyOf(await of(write('file', 'content')))
    expect(original).toMatch(/^[0-9a-f]{20}$/)
    expect(sessionKeyOf(await of(write('copy', 'content', 2000)))).toBe(original)
    expect(sessionKeyOf(await of(write('other', 'Content')))).not.toBe(original)
    expect(sessionKeyOf('of a stranger')).toBeUndefined()
  })

  test('sees the first and the last byte of a file of many samples', async () => {
    const bytes = new Uint8Array(9 * mebibyte)
    const original = await of(write('large', bytes))
    bytes[0] = 1
    const firstChanged = await of(write('large', bytes))
    bytes[0] = 0
    bytes[bytes.length - 1] = 1
    const lastChanged = await of(write('large', bytes))
    expect(new Set([original, firstChanged, lastChanged]).size).toBe(3)
  })

  test('reads at most 64 blocks, evenly spaced', () => {
    const offsets = sampleOffsets(1000 * mebibyte)
    const steps = offsets.slice(1).map((offset, index) => offset - (offsets[index] ?? 0))
    expect(offsets).toHaveLength(64)
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1)
    expect(sampleOffsets(100)).toEqual([0])
  })

  test('is refused with a code for what is no file', async () => {
    expect(codeOf(await fingerprintFile(join(scratch.path, 'missing')))).toBe('file/not_found')
    expect(codeOf(await fingerprintFile(scratch.path))).toBe('file/unreadable')
    expect(codeOf(await fingerprintFile(write('empty', '')))).toBe('file/empty')
  })
})
