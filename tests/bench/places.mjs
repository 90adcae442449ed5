// Where the benchmark finds the library, the command line and the captures.
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const corpus = process.env.TIDEMARK_CORPUS ?? join(homedir(), '.cache', 'tidemark-corpus')

export const library = join(root, 'native', 'build', 'Release', 'tidemark.node')
export const commandLine = join(root, 'out', 'main', 'cli.js')

/** Folder for indexes; ignored by git. */
export const outFolder = join(root, 'tests', '.out', 'bench')
mkdirSync(outFolder, { recursive: true })

function corpusFile(...parts) {
  const path = join(corpus, ...parts)
  if (existsSync(path)) return path
  process.stderr.write(`missing: ${path} (tests/README.md says how to get the corpus); its lines are left out\n`)
  return null
}

/** A snapshot of the corpus by group/case, or null with a word about it. */
export const capture = (name) => corpusFile(name, 'snapshot.pickle')

/** A Chrome trace of the corpus, likewise. */
export const trace = (name) => corpusFile(name, 'trace.json')
