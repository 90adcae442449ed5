// What tells one state of a file from another without reading all of it.
import { createHash } from 'node:crypto'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { ok, type Result } from '../../preload/contract/errors.ts'
import { contentDigits } from '../../preload/contract/session.ts'
import { readFailure } from './system-error.ts'

const blockBytes = 64 * 1024
const maxBlocks = 64
const fingerprintDigits = 32

export interface SourceFile {
  readonly path: string
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** Hex digits; changes when size, time of change or a sampled block changes. The first ones (`contentDigits`) do not tell the time. */
  readonly fingerprint: string
}

/** Offsets of the sampled blocks: evenly spaced, the first and the last block always among them. */
export function sampleOffsets(sizeBytes: number): number[] {
  const blocks = Math.ceil(sizeBytes / blockBytes)
  if (blocks <= maxBlocks) return Array.from({ length: blocks }, (_, index) => index * blockBytes)
  const last = sizeBytes - blockBytes
  return Array.from({ length: maxBlocks }, (_, index) => Math.round((last * index) / (maxBlocks - 1)))
}

/** A hash over size and sampled blocks of an open file, in hex digits. */
async function hashContents(file: FileHandle, size: number): Promise<string> {
  const hash = createHash('sha256').update(`${size}\n`)
  const block = new Uint8Array(blockBytes)
  for (const offset of sampleOffsets(size)) {
    const { bytesRead } = await file.read(block, 0, blockBytes, offset)
    hash.update(block.subarray(0, bytesRead))
  }
  return hash.digest('hex')
}

/** Size, time of change and a hash over at most 4 MiB of evenly sampled blocks. Errors: `file/not_found`, `file/unreadable`, `file/empty`. */
export async function fingerprintFile(path: string): Promise<Result<SourceFile>> {
  let file: FileHandle | undefined
  try {
    const found = await stat(path)
    const { size, mtimeMs } = found
    if (!found.isFile()) return { ok: false, error: { code: 'file/unreadable', message: `${path} is not a file.` } }
    if (size === 0) return { ok: false, error: { code: 'file/empty', message: `${path} holds no bytes.` } }
    file = await open(path, 'r')
    const contents = await hashContents(file, size)
    const state = createHash('sha256').update(`${contents} ${mtimeMs}`).digest('hex')
    const fingerprint = contents.slice(0, contentDigits) + state.slice(0, fingerprintDigits - contentDigits)
    return ok({ path, sizeBytes: size, modifiedMs: mtimeMs, fingerprint })
  } catch (error) {
    return { ok: false, error: readFailure(error) }
  } finally {
    await file?.close()
  }
}

/** What a file holds, whenever it was written: a hash over the sampled blocks; undefined where it cannot be read. */
export async function contentHash(path: string): Promise<string | undefined> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    const { size } = await file.stat()
    return await hashContents(file, size)
  } catch {
    return undefined
  } finally {
    await file?.close()
  }
}

/** False when the file was written to or replaced since it was fingerprinted. One that is gone was read whole all the same. */
export async function isUnchanged({ path, sizeBytes, modifiedMs }: SourceFile): Promise<boolean> {
  const now = await stat(path).catch(() => undefined)
  return now === undefined || (now.size === sizeBytes && now.mtimeMs === modifiedMs)
}
