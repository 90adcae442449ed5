// What the benchmarks of SQL questions share: an index through node-sqlite3 with the native library, random places, and the table of times.
import sqlite3 from 'sqlite3'

/** The addon and the indexes a benchmark is called with; without them says how to call it, and ends. */
export function argumentsOf(script) {
  const [addon, ...indexes] = process.argv.slice(2)
  if (addon && indexes.length > 0) return { addon, indexes }
  console.error(`usage: node ${script} ADDON INDEX…`)
  process.exit(1)
}

/** An index, read only, with the native library. */
export async function openIndex(path, addon) {
  const db = await new Promise((resolve, reject) => {
    const opened = new sqlite3.Database(path, sqlite3.OPEN_READONLY, (error) => (error ? reject(error) : resolve(opened)))
  })
  await new Promise((resolve, reject) => db.loadExtension(addon, (error) => (error ? reject(error) : resolve())))
  return db
}

/** All rows of a question. */
export const all = (db, sql, ...values) =>
  new Promise((resolve, reject) => db.all(sql, values, (error, rows) => (error ? reject(error) : resolve(rows))))

/** The first row of a question. */
export const get = (db, sql, ...values) =>
  new Promise((resolve, reject) => db.get(sql, values, (error, row) => (error ? reject(error) : resolve(row))))

/** A repeatable stream of numbers in [0, 1): the views must be the same in every run. */
export function numbers(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Prints how long a question takes, and the processor time of all threads, which other work on the machine changes less. */
export async function measure(name, rounds, run) {
  const times = []
  const processor = []
  for (let round = 0; round < rounds; round++) {
    const [start, startCpu] = [performance.now(), process.cpuUsage()]
    await run()
    times.push(performance.now() - start)
    const { user, system } = process.cpuUsage(startCpu)
    processor.push((user + system) / 1000)
  }
  for (const values of [times, processor]) values.sort((a, b) => a - b)
  const at = (values, share) => values[Math.min(values.length - 1, Math.floor(values.length * share))].toFixed(2).padStart(8)
  const shown = [0.5, 0.95].map((share) => `p${share * 100} ${at(times, share)} (processor ${at(processor, share)})`)
  console.log(`  ${name.padEnd(40)} ${shown.join('  ')}  max ${at(times, 1)} ms`)
}
