// `tidemark diagnose`: why programs ran out of memory, from snapshots, logs and metrics.
import { parseArgs } from 'node:util'
import { type CaseFailure, type DiagnosedCase, diagnoseGroup } from '../engine/diagnosis/cases.ts'
import { groupInputs } from '../engine/diagnosis/inputs.ts'
import { reportOf } from '../engine/diagnosis/report.ts'
import type { Language } from '../engine/diagnosis/types.ts'
import { caseText, tableText } from './diagnosis-text.ts'
import { exitStatusOf, reportFailure } from './failure.ts'
import { startSession, withProgress } from './session.ts'
import { UsageError } from './usage.ts'

const languages: readonly Language[] = ['en', 'zh-CN']

/** Prints a table of failures with verdicts, of one failure the whole diagnosis. Answers the exit status. */
export async function diagnoseFiles(words: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, language: { type: 'string', default: 'en' } },
  })
  const language = languages.find((each) => each === values.language)
  if (positionals.length === 0) throw new UsageError('diagnose wants FILES, or a folder of them')
  if (!language) throw new UsageError(`--language is one of ${languages.join(', ')}`)
  const session = startSession()
  if (!session.ok) return reportFailure(session.error, positionals.join(' '))
  const { library, captures } = session.value
  try {
    const groups = await groupInputs(library, positionals)
    if (!groups.ok) return reportFailure(groups.error, positionals.join(' '))
    const cases: DiagnosedCase[] = []
    const unreadable: CaseFailure[] = []
    const ended = await withProgress(async (options) => {
      for (const group of groups.value) {
        if (options.signal.aborted) break
        const done = await diagnoseGroup(captures, group, options)
        cases.push(...done.cases)
        unreadable.push(...done.unreadable)
      }
      return options.signal.aborted
    })
    if (ended) return exitStatusOf('query/cancelled')
    process.stdout.write(
      values.json
        ? `${JSON.stringify(
            cases.map((one) => reportOf(one, language)),
            null,
            2,
          )}\n`
        : textOf(cases, language),
    )
    const statuses = unreadable.map(({ file, error }) => reportFailure(error, file))
    return Math.max(0, ...statuses)
  } finally {
    await captures.closeAll()
  }
}

function textOf(cases: readonly DiagnosedCase[], language: Language): string {
  const [only] = cases
  return cases.length === 1 && only ? caseText(only, language) : tableText(cases, language)
}
