// `tidemark diagnose`: why programs ran out of memory, from snapshots, logs and metrics.
import { parseArgs } from 'node:util'
import { type Failure, fail, ok, type Result } from '../../preload/contract/errors.ts'
import { type Language, languages, resolveLanguage } from '../../preload/contract/language.ts'
import { type Cases, type DiagnosedCase, diagnoseGroup } from '../engine/diagnosis/cases.ts'
import { nothingFound } from '../engine/diagnosis/failure-sets.ts'
import { type CaseFailure, readableGroups } from '../engine/diagnosis/inputs.ts'
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
    if (!found.ok) return reportAs(found.error, positionals.join(' '))
    const { cases, unreadable } = found.value
    const reports = () => cases.map((one) => reportOf(one, language))
    if (values.json) process.stdout.write(`${JSON.stringify(reports(), null, 2)}\n`)
    else if (cases.length > 0) process.stdout.write(textOf(cases, language))
    const statuses = unreadable.map(({ file, error }) => reportAs(error, file))
    return statuses.reduce((worst, status) => Math.max(worst, status), 0)
  } finally {
    await session.value.captures.closeAll()
  }
}

const wanted = 'give memory snapshots, logs with the text of an out-of-memory error, metrics of steps (.jsonl), or folders of them'

/** What is no snapshot may be a log or metrics here. Answers the exit status. */
const reportAs = (error: Failure, where: string): number =>
  error.code === 'file/unknown_format' ? reportFailure(error, where, wanted) : reportFailure(error, where)

/** Errors: of the only path when it is not there or of no use, `file/unknown_format` where none is of use; `query/cancelled`. */
async function casesIn(
  { library, captures }: Session,
  paths: readonly string[],
  options: LoadListener,
): Promise<Result<Pick<Cases, 'cases' | 'unreadable'>>> {
  const cases: DiagnosedCase[] = []
  const unreadable: CaseFailure[] = []
  const { signal } = options
  const groups = await readableGroups(library, paths, { unreadable, signal })
  if (!groups.ok && (paths.length === 1 || signal.aborted)) return groups
  for (const group of groups.ok ? groups.value : []) {
    const done = await diagnoseGroup(captures, group, options)
    if (signal.aborted) return fail('query/cancelled', 'The diagnosis was cancelled.')
    // One by one: a call takes no more than about a hundred thousand arguments.
    for (const one of done.cases) cases.push(one)
    for (const one of done.unreadable) unreadable.push(one)
  }
  return cases.length === 0 && unreadable.length === 0 ? nothingFound(true, false) : ok({ cases, unreadable })
}

function textOf(cases: readonly DiagnosedCase[], language: Language): string {
  const [only] = cases
  return cases.length === 1 && only ? caseText(only, language) : tableText(cases, language)
}
