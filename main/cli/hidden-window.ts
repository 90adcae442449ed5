// Has a hidden window make a file: the order goes to it, and the outcome comes back, through files of a folder of their own.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { type ExportOrder, exportOutcomeSchema } from '../../preload/contract/export-order.ts'
import type { PictureNote } from '../../preload/contract/shell.ts'
import { runElectron } from './electron-process.ts'

/** Answers what is to be said of the picture. Errors: those of the picture or report, `engine/crashed`, `window/no_display`. */
export async function runInHiddenWindow(order: Omit<ExportOrder, 'outcomeFile'>): Promise<Result<readonly PictureNote[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-export-'))
  try {
    const orderFile = join(folder, 'order.json')
    const outcomeFile = join(folder, 'outcome.json')
    await writeFile(orderFile, JSON.stringify({ ...order, outcomeFile } satisfies ExportOrder))
    // A folder of its own: the app may be open, and two Electrons cannot share one.
    const ended = await runElectron([`--user-data-dir=${join(folder, 'user')}`, `--export-job=${orderFile}`], { isQuiet: true })
    if (!ended.ok) return ended
    const outcome = await readFile(outcomeFile, 'utf8').catch(() => undefined)
    if (outcome === undefined)
      return fail('engine/crashed', `Electron ended (status ${ended.value.status}) without an outcome. ${ended.value.lastLines}`)
    const { error, notes = [] } = exportOutcomeSchema.parse(JSON.parse(outcome))
    return error ? { ok: false, error } : ok(notes)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
