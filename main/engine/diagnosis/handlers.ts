// Answers the questions about failures. Those of an open snapshot wait for its other questions.
import { basename, dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { DiagnosisPage, EngineMethod, EngineOutput } from '../../../preload/contract/queries.ts'
import type { Captures } from '../captures.ts'
import type { OpenCapture } from '../open-capture.ts'
import type { CheckedInput, DiagnosisMethod } from '../queries/query.ts'
import type { LoadListener } from '../shared-loads.ts'
import { measureCapture } from './capture-measures.ts'
import { diagnoseMeasured, type LoggedFailure } from './cases.ts'
import type { FailureSets } from './failure-sets.ts'
import { groupInputs } from './inputs.ts'
import { lostNote, pageOf } from './page/page.ts'
import type { Texts } from './types.ts'
import { say } from './words.ts'

export interface DiagnosisDesk {
  readonly captures: Captures
  readonly failures: FailureSets
  readonly pathOf: (token: string) => string | undefined
  readonly ask: <T>(capture: OpenCapture, question: () => Promise<Result<T>>) => Promise<Result<T>>
}

type DiagnosisHandler<M extends DiagnosisMethod> = (
  desk: DiagnosisDesk,
  input: CheckedInput<M>,
  options: LoadListener,
) => Promise<Result<EngineOutput<M>>>

export const diagnosisHandlers: { readonly [M in DiagnosisMethod]: DiagnosisHandler<M> } = {
  'diagnosis.capture': async (desk, { captureId, sources }, { signal }) => {
    const capture = desk.captures.get(captureId)
    const paths = pathsOf(desk, sources)
    if (!capture.ok) return capture
    if (!paths.ok) return paths
    return diagnoseOpen(desk, capture.value, paths.value, signal)
  },
  'failures.open': async (desk, { tokens, text }, options) => {
    const paths = pathsOf(desk, tokens)
    return paths.ok ? desk.failures.open(paths.value, text, options) : paths
  },
  'failures.case': ({ failures }, { failuresId, index }, options) => failures.page(failuresId, index, options),
  'failures.close': async ({ failures }, { failuresId }) => {
    failures.close(failuresId)
    return ok({})
  },
}

export const isDiagnosisMethod = (method: EngineMethod): method is DiagnosisMethod => Object.hasOwn(diagnosisHandlers, method)

function pathsOf({ pathOf }: DiagnosisDesk, tokens: readonly string[]): Result<string[]> {
  const paths = tokens.flatMap((token) => pathOf(token) ?? [])
  return paths.length === tokens.length ? ok(paths) : fail('file/not_found', 'One of these files was not chosen in this window.')
}

async function diagnoseOpen(
  desk: DiagnosisDesk,
  capture: OpenCapture,
  sources: readonly string[],
  signal: AbortSignal,
): Promise<Result<DiagnosisPage>> {
  const given = await Promise.all(sources.map(async (path) => ({ path, groups: await groupInputs(desk.captures.library, [path], signal) })))
  const beside = await groupInputs(desk.captures.library, [join(dirname(capture.path), 'metrics.jsonl')])
  const groups = [...given.map((each) => each.groups), beside].flatMap((each) => (each.ok ? each.value : []))
  const group = {
    folder: dirname(capture.path),
    snapshots: [capture.path],
    metrics: [...new Set(groups.flatMap(({ metrics }) => metrics))],
    logs: [...new Set(groups.flatMap(({ logs }) => logs))],
  }
  // Two turns, so that the views' questions need not wait for the logs to be read.
  const measured = await desk.ask(capture, () => measureCapture(capture))
  if (!measured.ok) return measured
  const { found, others, unreadable } = await diagnoseMeasured(capture.path, measured.value, group, signal)
  const lost = [...given.filter((each) => !each.groups.ok).map(({ path }) => path), ...unreadable.map(({ file }) => file)]
  const notes = [...lost.filter((path) => sources.includes(path)).map(lostNote), ...othersNotes(others)]
  const { diagnosis } = found
  return desk.ask(capture, () => pageOf({ ...found, diagnosis: { ...diagnosis, needs: [...diagnosis.needs, ...notes] } }, capture, signal))
}

/** A log whose failures are all others'. */
function othersNotes(others: readonly LoggedFailure[]): Texts[] {
  const counts = new Map<string, number>()
  for (const { file } of others) counts.set(file, (counts.get(file) ?? 0) + 1)
  return [...counts].map(([file, count]) => say('source_of_others', { name: basename(file), count }))
}
