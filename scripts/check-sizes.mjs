// Size limits that the linter does not know: lines in a file (all languages), and lines in a C++ function.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, say } from './lib/process.mjs'

const maxFileLines = 400
const maxFunctionLines = 60
const folders = ['main', 'preload', 'renderer', 'native/src', 'native/tests', 'tests', 'scripts']
const isSource = (name) => /\.(ts|tsx|mts|mjs|cjs|cc|cpp|h|css)$/.test(name)
const isCpp = (name) => /\.(cc|cpp|h)$/.test(name)

function* sourcesUnder(folder) {
  let entries = []
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true })
  } catch {
    return // a folder that is not there yet has no long files
  }
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'build') yield* sourcesUnder(path)
    else if (entry.isFile() && isSource(entry.name)) yield path
  }
}

/**
 * Functions of a C++ file as [first line, length]. In our layout (two spaces, namespaces not indented) the body of a function at file or
 * class level opens with a line that ends in "{" and closes with "}" at the indent of its head; a constructor's list of members is
 * indented by four more.
 */
function* cppFunctions(lines) {
  for (let at = 0; at < lines.length; at += 1) {
    const head = /^( {0,6})(: )?\S.*[)}]\s*(?:(?:const|noexcept|override|mutable|->\s*[\w:<>*&, ]+)\s*)*\{$/.exec(lines[at])
    const indent = (head?.[1]?.length ?? 0) - (head?.[2] === undefined ? 0 : 4)
    if (head === null || indent < 0 || indent > 2 || /^\s*(if|for|while|switch|else|do|catch|namespace|\}|return)\b/.test(lines[at]))
      continue
    const close = `${' '.repeat(indent)}}`
    const end = lines.findIndex((line, index) => index > at && (line === close || line === `${close};`))
    if (end > at) yield [at + 1, end - at + 1]
  }
}

let problems = 0
const complain = (text) => {
  say(text)
  problems += 1
}

for (const file of folders.flatMap((folder) => [...sourcesUnder(folder)])) {
  const lines = readFileSync(join(root, file), 'utf8').replace(/\n$/, '').split('\n')
  if (lines.length > maxFileLines) complain(`${file}: ${lines.length} lines; the limit is ${maxFileLines}`)
  if (!isCpp(file)) continue
  for (const [line, length] of cppFunctions(lines)) {
    if (length > maxFunctionLines) complain(`${file}:${line}: a function of ${length} lines; the limit is ${maxFunctionLines}`)
  }
}
process.exitCode = problems === 0 ? 0 : 1
