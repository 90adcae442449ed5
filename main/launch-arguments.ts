// What a command line of the app asks for. Pure, because Electron's own switches and its two ways to start make it easy to get wrong.
import { resolve } from 'node:path'

export interface Launch {
  /** Absolute paths. */
  readonly files: readonly string[]
  /** JSON file of a picture or report to make without a window (command line). */
  readonly exportJob: string | undefined
}

const exportJobSwitch = '--export-job='

/**
 * argv: as the process got it; appPath: folder of the app, which precedes its arguments unless packaged; workingFolder: what relative paths
 * refer to.
 */
export function parseLaunch(
  argv: readonly string[],
  options: { readonly appPath: string | undefined; readonly workingFolder: string },
): Launch {
  const { appPath, workingFolder } = options
  const appAt = appPath === undefined ? 0 : argv.findIndex((argument, index) => index > 0 && resolve(workingFolder, argument) === appPath)
  const own = argv.slice(Math.max(appAt, 0) + 1)
  const files = own.filter((argument) => argument !== '' && !argument.startsWith('-')).map((argument) => resolve(workingFolder, argument))
  const job = own.find((argument) => argument.startsWith(exportJobSwitch))?.slice(exportJobSwitch.length)
  return { files, exportJob: job === undefined ? undefined : resolve(workingFolder, job) }
}
