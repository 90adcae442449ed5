// Takes sqlite3.h and sqlite3ext.h out of the SQLite source archive that the installed npm package `sqlite3` carries,
// into native/deps/, so that the library is compiled against the headers of the SQLite it will meet.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

const WANTED = ['sqlite3.h', 'sqlite3ext.h']
const BLOCK = 512 // bytes of a tar header, and the unit that members are padded to

/** Yields {name, data} for the regular files of a ustar archive (POSIX.1-1988 layout). */
function* members(tar) {
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const text = (from, length) => tar.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '')
    const size = Number.parseInt(text(124, 12).trim() || '0', 8)
    const type = text(156, 1)
    if (type === '0' || type === '') yield { name: text(0, 100), data: tar.subarray(at + BLOCK, at + BLOCK + size) }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}

const here = dirname(fileURLToPath(import.meta.url))
const source = join(dirname(createRequire(import.meta.url).resolve('sqlite3/package.json')), 'deps')
const archiveName = readdirSync(source).find((name) => /^sqlite-autoconf-.*\.tar\.gz$/.test(name))
if (!archiveName) throw new Error(`no sqlite-autoconf archive in ${source}`)
const archive = join(source, archiveName)
const target = join(here, 'deps')
const fresh = (name) => existsSync(join(target, name)) && statSync(join(target, name)).mtimeMs >= statSync(archive).mtimeMs

if (!WANTED.every(fresh)) {
  mkdirSync(target, { recursive: true })
  for (const { name, data } of members(gunzipSync(readFileSync(archive)))) {
    const base = name.split('/').slice(1).join('/')
    if (WANTED.includes(base)) writeFileSync(join(target, base), data)
  }
  for (const name of WANTED) if (!existsSync(join(target, name))) throw new Error(`${archive} has no ${name}`)
}
console.log('deps')
