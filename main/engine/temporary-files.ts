// Files in the making: their names carry the number of the process that writes them, which tells later whether they were abandoned.
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemCode } from './system-error.ts'

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}

/** Where this process writes what becomes `path` when it is complete. */
export const temporaryBeside = (path: string): string => `${path}.${process.pid}.tmp`

/** Removes what killed processes left of the same `path`. */
export async function removeAbandonedBeside(path: string): Promise<void> {
  const start = `${basename(path)}.`
  for (const name of await readdir(dirname(path)).catch(() => [])) {
    const pid = name.startsWith(start) ? /^(\d+)\.tmp$/.exec(name.slice(start.length))?.[1] : undefined
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(dirname(path), name), { force: true }).catch(() => undefined)
  }
}
