// `npm run check`: format, lint, types, unit and golden tests, native tests. Ends with one line "N passed, N failed".
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, relative } from 'node:path'
import { build } from './build.mjs'
import { electronEnvironment, resolveElectron } from './electron.mjs'
import { finishWith, isMain, root, run, say } from './lib/process.mjs'
import { nativeCounts, reportFolder, Tally, vitestCounts } from './lib/report.mjs'
import { setUp } from './setup.mjs'

const tool = (...parts) => join(root, 'node_modules', ...parts)

/** Checks of the text: quick, and each names the command that mends it. */
const textChecks = [
  { step: 'format and lint', args: [tool('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--colors=off'], mend: 'npx biome check --write' },
  { step: 'import directions', args: ['scripts/check-imports.mjs'] },
  { step: 'file sizes', args: ['scripts/check-sizes.mjs'] },
  { step: 'types', args: [tool('typescript', 'bin', 'tsc'), '-p', '.'] },
]

async function checkText(tally) {
  for (const { step, args, mend } of textChecks) {
    say(`— ${step}`)
    const { status } = await run(process.execPath, args)
    if (status !== 0 && mend !== undefined) say(`to mend: ${mend}`)
    tally.add(step, status)
  }
}

async function checkUnits(tally, env) {
  say('— unit, golden and engine tests')
  if (!existsSync(corpusFolder()))
    say('The corpus of real captures is not here: its tests are skipped (tests/README.md says how to get it).')
  const report = 'vitest.json'
  rmSync(join(reportFolder, report), { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${join(reportFolder, report)}`]
  const { status } = await run(process.execPath, [tool('vitest', 'vitest.mjs'), 'run', ...reporters], { env })
  tally.add('unit tests', status, vitestCounts(report))
}

const corpusFolder = () => process.env.TIDEMARK_CORPUS ?? join(homedir(), '.cache', 'tidemark-corpus')

const nativeTests = join(root, 'native', 'tests')

/** Folders with a makefile are suites (goal `test`), test_*.mjs beside them ask the built library; all end with "N passed, N failed". */
function nativeSuites() {
  const folders = ['.', ...readdirSync(nativeTests)].map((name) => join(nativeTests, name))
  const made = folders.filter((folder) => existsSync(join(folder, 'Makefile')))
  const asked = made.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^test_.*\.mjs$/.test(name))
      .map((name) => join(folder, name)),
  )
  return [
    ...made.map((folder) => ({ program: 'make', args: ['-s', '-j2', '-C', folder, 'test'], step: relative(root, folder) })),
    ...asked.map((file) => ({ program: process.execPath, args: [file], step: relative(root, file) })),
  ]
}

async function checkNative(tally) {
  for (const { program, args, step } of nativeSuites()) {
    say(`— ${step}`)
    const { status, output } = await run(program, args, { capture: true })
    tally.add(step, status, nativeCounts(output))
  }
  say('— fuzzing the readers, a fixed number of times, with sanitizers')
  const fuzz = await run('make', ['-s', '-j2', '-C', nativeTests, 'fuzz'], { capture: true, quiet: true })
  if (fuzz.status !== 0) say(fuzz.output)
  tally.add('fuzz', fuzz.status)
}

/** Sets up and builds what the tests ask; answers the Electron in use, null when the set-up failed. */
export async function prepare(tally, purposes) {
  const ready = await setUp(purposes)
  const electron = ready === 0 ? await resolveElectron() : null
  if (electron === null) {
    tally.add('set-up', 1)
    return null
  }
  mkdirSync(reportFolder, { recursive: true })
  rmSync(join(reportFolder, 'captures'), { recursive: true, force: true }) // what the last run generated
  tally.add('build', await build(electron))
  return electron
}

/** All checks into `tally`, one after the other. */
export async function check(tally, electron) {
  await checkText(tally)
  await checkNative(tally)
  await checkUnits(tally, electronEnvironment(electron))
}

async function main() {
  const tally = new Tally()
  const electron = await prepare(tally, ['electron', 'test'])
  if (electron !== null) await check(tally, electron)
  return tally.close()
}

if (isMain(import.meta.url)) finishWith(main())
