// `npm run pictures`: the window in every theme, language and size, as files in tests/.out/pictures to look at.
import { build } from './build.mjs'
import { resolveElectron } from './electron.mjs'
import { finishWith, isMain } from './lib/process.mjs'
import { runWindows } from './lib/windows.mjs'
import { setUp } from './setup.mjs'

async function main() {
  const ready = await setUp(['electron', 'display', 'test'])
  if (ready !== 0) return ready
  const electron = await resolveElectron()
  if (electron === null) return 1
  const built = await build(electron)
  return built === 0 ? (await runWindows(electron, ['pictures'])).status : built
}

if (isMain(import.meta.url)) finishWith(main())
