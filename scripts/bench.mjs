// `npm run bench [-- --only=snapshots|traces] [-- --huge]`: ratios measured on this machine, as one table. Exit status 1 when one is missed.
import { join } from 'node:path'
import { build } from './build.mjs'
import { resolveElectron } from './electron.mjs'
import { finishWith, isMain, root, run } from './lib/process.mjs'
import { setUp } from './setup.mjs'

async function main() {
  const ready = await setUp([])
  if (ready !== 0) return ready
  const electron = await resolveElectron()
  if (electron === null) return 1
  const built = await build(electron)
  if (built !== 0) return built
  return (await run(process.execPath, [join(root, 'tests', 'bench', 'main.mjs'), ...process.argv.slice(2)])).status
}

if (isMain(import.meta.url)) finishWith(main())
