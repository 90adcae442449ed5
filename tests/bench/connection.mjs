// An index as the engine opens it, and what measurements of questions share.
import { createRequire } from 'node:module'
import { library } from './places.mjs'

const sqlite3 = createRequire(import.meta.url)('sqlite3')

/** All rows of a question. */
export const ask = (db, sql, parameters = []) =>
  new Promise((resolve, reject) => {
    db.all(sql, parameters, (error, found) => (error ? reject(error) : resolve(found)))
  })

export const open = (path) =>
  new Promise((resolve, reject) => {
    const db = new sqlite3.Database(path, sqlite3.OPEN_READONLY, (error) => {
      if (error) reject(error)
      else db.exec('PRAGMA mmap_size=68719476736', () => db.loadExtension(library, (failure) => (failure ? reject(failure) : resolve(db))))
    })
  })

/** An empty database in memory with the native library. */
export async function openEmpty() {
  const db = await new Promise((resolve, reject) => {
    const opened = new sqlite3.Database(':memory:', (error) => (error ? reject(error) : resolve(opened)))
  })
  await new Promise((resolve, reject) => db.loadExtension(library, (error) => (error ? reject(error) : resolve())))
  return db
}

export const close = (db) => new Promise((resolve) => db.close(resolve))

/** A fixed sequence of numbers in [0, 1): every run asks the same. */
export function numbers() {
  let state = 12345
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return state / 0x80000000
  }
}

/** p50 and p95 of `count` calls, in milliseconds. */
export async function timed(count, call) {
  const times = []
  for (let run = 0; run < count; run += 1) {
    const askedAt = performance.now()
    await call()
    times.push(performance.now() - askedAt)
  }
  times.sort((a, b) => a - b)
  const quantile = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))]
  return { p50: quantile(0.5), p95: quantile(0.95) }
}
