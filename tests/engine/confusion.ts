// The corpus of labelled runs, its diagnoses, and their confusion table.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Captures } from '../../main/engine/captures.ts'
import { type DiagnosedCase, diagnoseGroup } from '../../main/engine/diagnosis/cases.ts'
import type { InputGroup } from '../../main/engine/diagnosis/inputs.ts'
import type { LabelledRun } from '../support/corpus.ts'
import { quietly } from './engine-client.ts'

export interface Judged extends LabelledRun {
  readonly found: DiagnosedCase
}

/** What the diagnosis may see of a run. */
export type View = 'all' | 'snapshot' | 'text'

/** The diagnoses of a run's files. Its label is in a file too, which is read as any text is: only the message of the failure is found there. */
export async function judge(captures: Captures, run: LabelledRun, view: View): Promise<Judged[]> {
  const files = readdirSync(run.folder).sort()
  const of = (pattern: RegExp): string[] => files.filter((name) => pattern.test(name)).map((name) => join(run.folder, name))
  const group: InputGroup = {
    folder: run.folder,
    snapshots: view === 'text' ? [] : of(/\.pickle$/),
    metrics: view === 'snapshot' ? [] : of(/\.jsonl$/),
    logs: view === 'snapshot' ? [] : of(/^truth\.json$/),
  }
  const { cases, unreadable } = await diagnoseGroup(captures, group, quietly)
  if (unreadable.length > 0) throw new Error(`${unreadable[0]?.file}: ${unreadable[0]?.error.message}`)
  return cases.map((found) => ({ ...run, found }))
}

/** One line a label: how often each verdict came first. */
export function confusionTable(judged: readonly Judged[]): string {
  const verdictOf = ({ found }: Judged): string => `${found.diagnosis.verdict.label}${found.diagnosis.verdict.isUncertain ? ' ?' : ''}`
  const lines = [...new Set(judged.map(({ label }) => label))].sort().map((label) => {
    const own = judged.filter((each) => each.label === label)
    const counts = new Map<string, number>()
    for (const each of own) counts.set(verdictOf(each), (counts.get(verdictOf(each)) ?? 0) + 1)
    const shown = [...counts].sort((a, b) => b[1] - a[1]).map(([verdict, count]) => `${count} × ${verdict}`)
    return `${label.padEnd(24)} ${String(own.length).padStart(3)}   ${shown.join(', ')}`
  })
  return ['label                    runs  first verdict (? = said to be uncertain)', ...lines].join('\n')
}
