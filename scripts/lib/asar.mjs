// Writes Electron's archive format for a handful of small files.
import { writeFileSync } from 'node:fs'

/** Writes `files` (name → text) as a flat asar archive. */
export function writeAsar(path, files) {
  const index = { files: {} }
  const bodies = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const body = Buffer.from(text)
    index.files[name] = { size: body.length, offset: String(offset) }
    offset += body.length
    bodies.push(body)
  }
  // Chromium's Pickle framing: each length counts what follows it; the text is padded to four bytes.
  const text = Buffer.from(JSON.stringify(index))
  const padded = Math.ceil(text.length / 4) * 4
  const head = Buffer.alloc(16 + padded)
  head.writeUInt32LE(4, 0)
  head.writeUInt32LE(8 + padded, 4)
  head.writeUInt32LE(4 + padded, 8)
  head.writeUInt32LE(text.length, 12)
  text.copy(head, 16)
  writeFileSync(path, Buffer.concat([head, ...bodies]))
}
