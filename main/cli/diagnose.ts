// `tidemark diagnose`: why programs ran out of memory, from snapshots, logs and metrics.
import { parseArgs } from 'node:util'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { type Language, languages, resolveLanguage } from '../../preload/contract/language.ts'
import { type CaseFailure, type Cases, type DiagnosedCase, diagnoseGroup } from '../engine/diagnosis/cases.ts'
import { groupInputs } from '../engine/diagnosis/inputs.ts'
import { reportOf } from '../engine/diagnosis/report.ts'
import type { LoadListener } from '../engine/shared-loads.ts'
import { caseText, tableText } from './diagnosis-text.ts'
import { oneOf, systemLocale } from './export-options.ts'
import { reportFailure } from './failure.ts'
import { type Session, startSession, withProgress } from './session.ts'
import { UsageError } from './usage.ts'

/** Prints a table of failures with verdicts, of one failure the whole diagnosis. Answers the exit status. */
export async function diagnoseFiles(words: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      language: { type: 'string', default: resolveLanguage('system', systemLocale()) },
    },
  })
  const language = oneOf(languages, values.language, '--language')
  if (positionals.length === 0) throw new UsageError('diagnose wants FILES, or a folder of them')
  const session = startSession()
  if (!session.ok) return reportFailure(session.error, positionals.join(' '))
  try {
    const found = await withProgress((options) => casesIn(session.value, positionals, options))
    if (!found.ok) return reportFailure(found.error, positionals.join(' '))
    const { cases, unreadable } = found.value
    const reports = () => cases.map((one) => reportOf(one, language))
    process.stdout.write(values.json ? `${JSON.stringify(reports(), null, 2)}\n` : textOf(cases, language))
    const statuses = unreadable.map(({ file, error }) => reportFailure(error, file))
    return statuses.reduce((worst, status) => Math.max(worst, status), 0)
  } finally {
    await session.value.captures.closeAll()
  }
}

/** Errors: of a path that is not there or of no use; `query/cancelled`. */
async function casesIn(
  { library, captures }: Session,
  paths: readonly string[],
  options: LoadListener,
): Promise<Result<Pick<Cases, 'cases' | 'unreadable'>>> {
  const groups = await groupInputs(library, paths, options.signal)
  if (!groups.ok) return groups
  const cases: DiagnosedCase[] = []
  const unreadable: CaseFailure[] = []
  for (const group of groups.value) {
    const done = await diagnoseGroup(captures, group, options)
    if (options.signal.aborted) return fail('query/cancelled', 'The diagnosis was cancelled.')
    // One by one: a call takes no more than about a hundred thousand arguments.
    for (const one of done.cases) cases.push(one)
    for (const one of done.unreadable) unreadable.push(one)
  }
  return ok({ cases, unreadable })
}

function textOf(cases: readonly DiagnosedCase[], language: Language): string {
  const [only] = cases
  return cases.length === 1 && only ? caseText(only, language) : tableText(cases, language)
}
