// Answers the questions about failures. Those of an open snapshot wait for its other questions.
import { basename, dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import { type DiagnosisPage, type EngineMethod, type EngineOutput, textOfSource } from '../../../preload/contract/queries.ts'
import type { Captures } from '../captures.ts'
import type { OpenCapture } from '../open-capture.ts'
import type { CheckedInput, DiagnosisMethod } from '../queries/query.ts'
import type { LoadListener } from '../shared-loads.ts'
import { diagnoseMeasured, type LoggedFailure, type MeasuredDiagnosis, readSources, rebuilt } from './cases.ts'
import type { FailureSets } from './failure-sets.ts'
import { groupInputs } from './inputs.ts'
import { readLogText } from './log-text.ts'
import { measureWith } from './metrics-fit.ts'
import { lostNote, pageOf } from './page/page.ts'
import { isPasted, openSourcesOf, pastedFile } from './page-sources.ts'
import { underNamedCap } from './simulations.ts'
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
    const given = openSources(desk, sources)
    if (!capture.ok) return capture
    if (!given.ok) return given
    return diagnoseOpen(desk, capture.value, given.value, signal)
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

/** A file that is read with an open snapshot, or a text with the name that stands for it. */
interface OpenSource {
  readonly file: string
  readonly text: string | null
}

function openSources(desk: DiagnosisDesk, tokens: readonly string[]): Result<OpenSource[]> {
  const paths = pathsOf(
    desk,
    tokens.filter((token) => textOfSource(token) === null),
  )
  if (!paths.ok) return paths
  const files = [...paths.value]
  let texts = 0
  return ok(
    tokens.map((token) => {
      const text = textOfSource(token)
      return { file: text === null ? (files.shift() ?? '') : pastedFile(texts++), text }
    }),
  )
}

async function diagnoseOpen(
  desk: DiagnosisDesk,
  capture: OpenCapture,
  sources: readonly OpenSource[],
  signal: AbortSignal,
): Promise<Result<DiagnosisPage>> {
  const paths = sources.flatMap(({ file, text }) => (text === null ? [file] : []))
  const given = await Promise.all(paths.map(async (path) => ({ path, groups: await groupInputs(desk.captures.library, [path], signal) })))
  const beside = await groupInputs(desk.captures.library, [join(dirname(capture.path), 'metrics.jsonl')])
  const groups = [...given.map((each) => each.groups), beside].flatMap((each) => (each.ok ? each.value : []))
  const group = {
    folder: dirname(capture.path),
    snapshots: [capture.path],
    metrics: [...new Set(groups.flatMap(({ metrics }) => metrics))],
    logs: [...new Set(groups.flatMap(({ logs }) => logs))],
  }
  const pasted = sources.flatMap(({ file, text }) =>
    text === null ? [] : readLogText(text).failures.map((failure): LoggedFailure => ({ file, failure })),
  )
  // Before the capture's turn, so that the views' questions need not wait for the logs to be read.
  const told = await readSources(group, pasted, signal)
  const growths = told.metrics.map(({ growth }) => growth)
  const measured = await desk.ask(capture, () => measureWith(capture, growths))
  if (!measured.ok) return measured
  const first = diagnoseMeasured(capture.path, measured.value, group, told)
  const named = await desk.ask(capture, () => underNamedCap(capture, measured.value.measures, first.found.log))
  if (!named.ok) return named
  const found = named.value === measured.value.measures ? first.found : rebuilt(first.found, named.value)
  const diagnosed = { ...first, found }
  const lost = new Set([...given.filter((each) => !each.groups.ok).map(({ path }) => path), ...told.unreadable.map(({ file }) => file)])
  const notes = [...paths.filter((path) => lost.has(path)).map(lostNote), ...othersNotes(diagnosed)]
  const { diagnosis } = found
  const one = { ...found, diagnosis: { ...diagnosis, needs: [...diagnosis.needs, ...notes] } }
  const page = await desk.ask(capture, () => pageOf(one, capture, signal))
  const shown = sources.map(({ file }) => ({ file, isLost: lost.has(file) }))
  return page.ok ? ok({ ...page.value, sources: openSourcesOf(shown, told, diagnosed) }) : page
}

/** Logs whose failures are all others', where nothing tells of this one. */
function othersNotes({ found, others }: MeasuredDiagnosis): Texts[] {
  if (found.log) return []
  const counts = new Map<string, number>()
  for (const { file } of others) if (!isPasted(file)) counts.set(file, (counts.get(file) ?? 0) + 1)
  return [...counts].map(([file, count]) => say('source_of_others', { name: basename(file), count }))
}
