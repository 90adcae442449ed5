// Import directions (ARCHITECTURE.md): the path of a file tells its runtime, and so what it may import.
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { root, say } from './lib/process.mjs'

const areas = ['main', 'preload', 'renderer', 'tests']
const isSource = (name) => /\.(ts|tsx|mts|mjs)$/.test(name)
const isNode = (name) => name.startsWith('node:') || builtinModules.includes(name)
const within = (path, folder) => path === folder || path.startsWith(`${folder}/`)
/** The view that a path lies in; files beside the view folders belong to all of them. */
const viewOf = (path) => /^renderer\/views\/([^/.]+)\//.exec(`${path}/`)?.[1]
const isTest = (file) => /\.test\.tsx?$/.test(file)

/** Each rule: which files it binds, which imports it forbids (a package name, or a path from the root), and why. */
const rules = [
  {
    binds: (file) => within(file, 'preload/contract'),
    forbids: (name) => name !== 'zod' && !within(name, 'preload/contract'),
    why: 'the contract imports only itself and zod',
    excuses: isTest,
  },
  {
    binds: (file) => within(file, 'preload') && !within(file, 'preload/contract'),
    forbids: (name) => name !== 'electron' && !within(name, 'preload'),
    why: 'the bridge imports only electron and the contract',
  },
  {
    binds: (file) => within(file, 'main/engine') || within(file, 'main/cli') || file === 'main/cli.ts',
    forbids: (name) => name === 'electron' || name.startsWith('electron/'),
    why: 'the engine and the command line also run without Electron',
  },
  {
    binds: (file) => within(file, 'main/engine'),
    forbids: (name) => within(name, 'main') && !within(name, 'main/engine'),
    why: 'the engine stands alone',
  },
  {
    binds: (file) => within(file, 'main'),
    forbids: (name) => within(name, 'renderer') || (within(name, 'preload') && !within(name, 'preload/contract')),
    why: 'main meets the window only through the contract',
  },
  {
    binds: (file) => within(file, 'renderer') && !isTest(file),
    forbids: (name) =>
      within(name, 'main') || (within(name, 'preload') && !within(name, 'preload/contract')) || name === 'electron' || isNode(name),
    why: 'the window is a sandboxed page: no main process, no Electron, no Node',
  },
  {
    binds: (file) => viewOf(file) !== undefined,
    forbids: (name, file) => viewOf(name) !== undefined && viewOf(name) !== viewOf(file),
    why: 'no view imports another view',
  },
  {
    binds: (file) => within(file, 'renderer') && !within(file, 'renderer/app') && !within(file, 'renderer/views'),
    forbids: (name) => viewOf(name) !== undefined,
    why: 'what views share does not import one',
  },
  {
    binds: (file) => within(file, 'renderer/diagnosis') && !isTest(file),
    forbids: (name) => within(name, 'renderer/report'),
    why: 'a report holds a diagnosis, not the other way round',
  },
  {
    binds: (file) => areas.slice(0, 3).some((area) => within(file, area)),
    forbids: (name) => within(name, 'tests') || within(name, 'scripts'),
    why: 'what ships does not import what tests it',
    excuses: isTest,
  },
]

function* sourcesUnder(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory() && !entry.name.startsWith('.')) yield* sourcesUnder(path)
    else if (entry.isFile() && isSource(entry.name)) yield path
  }
}

/** Package name, or the path from the root for a relative import. */
const resolved = (name, file) =>
  name.startsWith('.')
    ? relative(root, join(root, dirname(file), name))
        .split(sep)
        .join('/')
    : name

const importPattern = /(?:^|[\s;}])(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

let problems = 0
for (const file of areas.flatMap((area) => [...sourcesUnder(area)])) {
  const text = readFileSync(join(root, file), 'utf8')
  for (const [, plain, dynamic] of text.matchAll(importPattern)) {
    const name = resolved(plain ?? dynamic, file)
    for (const rule of rules.filter((candidate) => candidate.binds(file) && !candidate.excuses?.(file) && candidate.forbids(name, file))) {
      say(`${file}: imports ${plain ?? dynamic}: ${rule.why}`)
      problems += 1
    }
  }
}
process.exitCode = problems === 0 ? 0 : 1
