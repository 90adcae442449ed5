// The engine as a process of the system, for tests that end it.
import { type ElectronApplication, expect } from '@playwright/test'

/** The process id of the engine that runs. */
export async function enginePid(electron: ElectronApplication): Promise<number | undefined> {
  return electron.evaluate(
    ({ app }) =>
      app.getAppMetrics().find((each) => each.type === 'Utility' && [each.name, each.serviceName].includes('tidemark-engine'))?.pid,
  )
}

/** Kills the engine and waits until another one runs. */
export async function killEngine(electron: ElectronApplication): Promise<void> {
  const before = await enginePid(electron)
  if (before === undefined) throw new Error('no engine runs')
  process.kill(before, 'SIGKILL')
  await expect.poll(async () => [undefined, before].includes(await enginePid(electron))).toBe(false)
}
