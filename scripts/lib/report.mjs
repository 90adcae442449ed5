// Counts of tests, read from the suites' own reports, and the one closing line.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, say } from './process.mjs'

/** Where suites leave their reports; ignored by git. */
export const reportFolder = join(root, 'tests', '.out')

export const noCounts = { passed: 0, failed: 0, skipped: 0 }

const add = (a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped })

const readReport = (name) => {
  const file = join(reportFolder, name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

/** Counts of a vitest JSON report. A file that could not even be loaded is one failure. */
export function vitestCounts(name) {
  const report = readReport(name)
  if (report === null) return noCounts
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded, skipped: report.numPendingTests + report.numTodoTests }
}

/** Counts of a Playwright JSON report. A test that passed at the second try has passed. */
export function playwrightCounts(name) {
  const stats = readReport(name)?.stats
  return stats === undefined ? noCounts : { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
}

/** Counts of the native test programs: the sum of their closing lines "N passed, N failed". */
export function nativeCounts(output) {
  const lines = [...output.matchAll(/^(?:.*\s)?(\d+) passed, (\d+) failed/gm)]
  return lines.reduce((sum, [, passed, failed]) => add(sum, { passed: Number(passed), failed: Number(failed), skipped: 0 }), noCounts)
}

/** Collects steps; a step that fails without a failed test of its own counts as one, so the closing line never hides it. */
export class Tally {
  #counts = noCounts
  #failedSteps = []

  /** Notes how `step` ended. */
  add(step, status, counts = noCounts) {
    if (status !== 0) this.#failedSteps.push(step)
    this.#counts = add(this.#counts, status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts)
  }

  /** Prints what failed and was skipped, then the closing line; answers the exit status. */
  close() {
    const { passed, failed, skipped } = this.#counts
    if (this.#failedSteps.length > 0) say(`failed: ${this.#failedSteps.join(', ')}`)
    if (skipped > 0) say(`${skipped} skipped`)
    process.stdout.write(`${passed} passed, ${failed} failed\n`)
    return this.#failedSteps.length === 0 && failed === 0 ? 0 : 1
  }
}
