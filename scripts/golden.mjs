// `node scripts/golden.mjs [--update]`: compares the golden tables with what the index says now, or writes them anew for review.
import { join } from 'node:path'
import { finishWith, isMain, root, run } from './lib/process.mjs'
import { setUp } from './setup.mjs'

async function main() {
  const ready = await setUp([])
  if (ready !== 0) return ready
  const update = process.argv.includes('--update') ? ['--update'] : []
  const done = await run(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', 'tests/golden', ...update])
  return done.status
}

if (isMain(import.meta.url)) finishWith(main())
