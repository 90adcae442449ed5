// The failures that a window has opened: what is kept of each is where it comes from; its page is made when it is asked for.
import { randomUUID } from 'node:crypto'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { DiagnosisPage, Failures } from '../../../preload/contract/queries.ts'
import type { Captures } from '../captures.ts'
import type { LoadListener } from '../shared-loads.ts'
import { measureCapture } from './capture-measures.ts'
import { type Cases, type DiagnosedCase, diagnoseGroup, type Kept, type LoggedFailure, rebuilt, tooManyFailures } from './cases.ts'
import { maxRows, tableOf } from './failure-rows.ts'
import { type CaseFailure, type InputGroup, readableGroups } from './inputs.ts'
import { type LogReading, readLogText } from './log-text.ts'
import { pageOf } from './page/page.ts'
import { pastedName } from './page-sources.ts'
import { underNamedCap } from './simulations.ts'

/** What the patterns of a table are counted over. */
const maxCases = 20_000

export class FailureSets {
  readonly #captures: Captures
  readonly #onFound: (token: string, path: string) => void
  /** Until they are closed: a window has one a tab. */
  readonly #sets = new Map<string, readonly Kept[]>()
  readonly #tokens = new Map<string, string>()
  readonly #paths = new Map<string, string>()

  /** onFound: hears of each token that a table gives. */
  constructor(captures: Captures, onFound: (token: string, path: string) => void = () => {}) {
    this.#captures = captures
    this.#onFound = onFound
  }

  /** Path of a file that was found in what the user chose, by the token that a table gave for it. */
  pathOf(token: string): string | undefined {
    return this.#paths.get(token)
  }

  /** Errors: `file/*` where nothing can be read, `file/unknown_format` where nothing is of use, `query/cancelled`. */
  async open(paths: readonly string[], text: string | null, options: LoadListener): Promise<Result<Failures>> {
    const lost: CaseFailure[] = []
    const found =
      paths.length === 0
        ? ok<InputGroup[]>([])
        : await readableGroups(this.#captures.library, paths, { unreadable: lost, signal: options.signal })
    if (!found.ok) return found
    const told = text === null ? noReading : readLogText(text)
    const pasted = told.failures.map((failure): LoggedFailure => ({ file: pastedName, failure }))
    if (told.leftOut > 0) lost.push({ file: pastedName, error: tooManyFailures(told.leftOut) })
    // The text belongs to the only run beside it, else to none.
    const groups = pasted.length > 0 && found.value.length !== 1 ? [...found.value, noFiles] : found.value
    const { cases, total, ...rest } = await this.#diagnoseAll(groups, pasted, options)
    if (options.signal.aborted) return fail('query/cancelled', 'The failures were not wanted any more.')
    const unreadable = [...lost, ...rest.unreadable]
    const [first] = unreadable
    if (cases.length === 0)
      return first && paths.length === 1 ? { ok: false, error: first.error } : nothingFound(paths.length > 0, text !== null)
    const named = new Set(paths)
    const silent = rest.silentLogs.filter((file) => named.has(file)).map((file) => ({ file, error: tellsNothing }))
    const sources = { cases, total, unreadable: [...unreadable, ...silent], tokenOf: (path: string) => this.#tokenOf(path) }
    return ok({ failuresId: this.#keep(cases), ...tableOf(sources) })
  }

  /** All groups, one after the other. total: of the cases, with those that are too many to keep. After the signal the answer is of no use. */
  async #diagnoseAll(
    groups: readonly InputGroup[],
    pasted: readonly LoggedFailure[],
    options: LoadListener,
  ): Promise<Cases & { readonly total: number }> {
    const cases: DiagnosedCase[] = []
    const unreadable: CaseFailure[] = []
    const silentLogs: string[] = []
    let total = 0
    for (const [at, group] of groups.entries()) {
      if (options.signal.aborted) break
      // How far one snapshot is says nothing of the whole, only that it goes on.
      const onProgress = () => options.onProgress({ stage: 'summarise', done: at, total: groups.length, bytesPerSecond: null })
      onProgress()
      const isOfText = groups.length === 1 || group === noFiles
      const done = await diagnoseGroup(this.#captures, group, { ...options, onProgress }, isOfText ? pasted : [])
      // A text that tells of no failure says nothing.
      const telling = done.cases.filter(({ snapshot, log, metrics }) => snapshot !== null || log !== null || metrics !== null)
      total += telling.length
      cases.push(...telling.slice(0, maxCases - cases.length))
      // One by one: a call takes no more than about a hundred thousand arguments.
      for (const one of done.unreadable) unreadable.push(one)
      for (const file of done.silentLogs) silentLogs.push(file)
    }
    return { cases, unreadable, silentLogs, total }
  }

  /** Errors: `query/bad_argument`, those of opening the snapshot, as the store. */
  async page(failuresId: string, index: number, options: LoadListener): Promise<Result<DiagnosisPage>> {
    const kept = this.#sets.get(failuresId)?.[index]
    if (!kept) return fail('query/bad_argument', `There is no failure ${index} of ${failuresId.slice(0, 100)}.`)
    const { signal } = options
    if (kept.snapshot === null) return pageOf(rebuilt(kept, null), null, signal)
    return this.#captures.askOnce(kept.snapshot, options, async (capture) => {
      const measured = await measureCapture(capture)
      const told = measured.ok ? await underNamedCap(capture, measured.value, kept.log) : measured
      return told.ok ? pageOf(rebuilt(kept, told.value), capture, signal) : told
    })
  }

  /** Forgets a table. Closing an unknown one is no failure. */
  close(failuresId: string): void {
    this.#sets.delete(failuresId)
  }

  #keep(cases: readonly DiagnosedCase[]): string {
    const id = randomUUID()
    const kept = cases.slice(0, maxRows).map(({ capture: _, diagnosis: __, ...sources }) => sources)
    this.#sets.set(id, kept)
    return id
  }

  #tokenOf(path: string): string {
    const known = this.#tokens.get(path)
    if (known !== undefined) return known
    const token = randomUUID()
    this.#tokens.set(path, token)
    this.#paths.set(token, path)
    this.#onFound(token, path)
    return token
  }
}

/** Of a log that the user named. */
const tellsNothing = { code: 'file/unknown_format', message: 'The text tells of no failure.' } as const

const noReading: Pick<LogReading, 'failures' | 'leftOut'> = { failures: [], leftOut: 0 }
const noFiles: InputGroup = { folder: '', snapshots: [], metrics: [], logs: [] }

/** Where nothing is of use. */
export function nothingFound(isOfFiles: boolean, isOfText: boolean): Result<never> {
  const lookedFor = [
    ...(isOfFiles
      ? ['memory snapshots (.pickle, .pkl, .pt, .json, .gz, .tidemark), logs that tell of a failure, and metrics (.jsonl)']
      : []),
    ...(isOfText ? ['the message of an out-of-memory error in the text'] : []),
  ]
  return fail('file/unknown_format', `Looked for ${lookedFor.join(', and for ') || 'files'}: found none.`)
}
