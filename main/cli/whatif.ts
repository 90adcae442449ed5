// `tidemark whatif`: the recorded requests under other settings of the allocator.
import { parseArgs } from 'node:util'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { bytesOf } from '../../preload/contract/filter/filter-units.ts'
import { formatBytes, formatCount, plainSpaces } from '../../preload/contract/format.ts'
import type { WhatIf } from '../../preload/contract/queries.ts'
import type { OpenCapture } from '../engine/open-capture.ts'
import { queryHandlers } from '../engine/queries/index.ts'
import { snakeCase } from '../engine/snake-case.ts'
import { chooseDevice } from './export.ts'
import { parseDevice } from './export-options.ts'
import { reportFailure } from './failure.ts'
import { printable } from './printable.ts'
import { startSession, withProgress } from './session.ts'
import { tableLine, widthsOf } from './terminal-table.ts'
import { UsageError } from './usage.ts'

const options = {
  set: { type: 'string', multiple: true, default: [] as string[] },
  capacity: { type: 'string' },
  device: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

/** The settings of the recording, in the table and before the others. */
const ownSettings = ''

interface Question {
  readonly sets: readonly string[]
  readonly capacityBytes: number | null
  readonly device: number | null
}

interface Answered {
  readonly device: number
  readonly answers: readonly WhatIf[]
}

/** Prints what the allocator would have done. Answers the exit status. */
export async function whatIf(words: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('whatif wants one FILE')
  const question: Question = {
    sets: values.set,
    capacityBytes: parseCapacity(values.capacity),
    device: values.device === undefined ? null : parseDevice(values.device),
  }
  const session = startSession()
  if (!session.ok) return reportFailure(session.error, file)
  const { captures } = session.value
  try {
    const opened = await withProgress((listener) => captures.open(file, listener))
    if (!opened.ok) return reportFailure(opened.error, file)
    const capture = captures.get(opened.value.captureId)
    const answers = capture.ok ? await withProgress(({ signal }) => answersOf(capture.value, question, signal)) : capture
    if (!answers.ok) return reportFailure(answers.error, file)
    process.stdout.write(values.json ? jsonOf(answers.value, question) : tableOf(answers.value, opened.value, question))
    return 0
  } finally {
    await captures.closeAll()
  }
}

function parseCapacity(text: string | undefined): number | null {
  if (text === undefined) return null
  const bytes = Math.round(bytesOf(text) ?? 0)
  if (bytes < 1 || !Number.isSafeInteger(bytes)) throw new UsageError('--capacity wants bytes, such as 4GiB, 1.5GiB, 80GB or 4294967296')
  return bytes
}

/**
 * One answer for the settings of the recording, then one a set. Errors: `snapshot/not_a_snapshot`, `snapshot/no_history`, `query/bad_argument`, as
 * the store.
 */
async function answersOf(capture: OpenCapture, { sets, capacityBytes, device }: Question, signal: AbortSignal): Promise<Result<Answered>> {
  const { captureId, kind } = capture.summary
  if (kind !== 'torch_snapshot') return fail('snapshot/not_a_snapshot', 'It records no requests of an allocator')
  const chosen = chooseDevice(capture.summary, device)
  if (!chosen.ok) return chosen
  if (chosen.value.eventCount === 0)
    return fail('snapshot/no_history', `Device ${chosen.value.device} has no history: there is nothing to run again`)
  const answers: WhatIf[] = []
  for (const settings of [ownSettings, ...sets]) {
    const input = { captureId, device: chosen.value.device, settings, capacityBytes }
    const answer = await capture.ask(signal, () => queryHandlers['whatif.run'](capture, input))
    if (!answer.ok) return answer
    answers.push(answer.value)
  }
  return ok({ device: chosen.value.device, answers })
}

function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [snakeCase(key), snakeCased(each)]))
}

/** One set, or none: one object. Several: an array that begins with the settings of the recording. */
function jsonOf({ device, answers }: Answered, { sets }: Question): string {
  const named = answers.map((answer) => ({ device, ...answer }))
  return `${JSON.stringify(snakeCased(sets.length > 1 ? named : named.at(-1)), null, 2)}\n`
}

const heads = ['settings', 'reserved peak', 'allocated peak', 'largest free', 'fragmented', 'retries', 'out of memory']

function tableOf({ device, answers }: Answered, capture: CaptureSummary, { sets }: Question): string {
  const rows = answers.map((answer, at) => [at === 0 ? 'as recorded' : (sets[at - 1] ?? ''), ...cellsOf(answer)])
  const widths = widthsOf([heads, ...rows])
  const table = [heads, ...rows].map((cells) => tableLine(cells, widths, (at) => at > 0 && at < heads.length - 1))
  const title = capture.devices.length > 1 ? `${capture.sourceName}, device ${device}` : capture.sourceName
  const lines = [title, ...table, ...notesOf(answers)]
  return plainSpaces(`${lines.map(printable).join('\n')}\n`)
}

const cellsOf = (answer: WhatIf): string[] => [
  peakOf(answer),
  formatBytes(answer.allocatedPeakBytes),
  formatBytes(answer.largestFreeBytes),
  `${Math.round(100 * answer.fragmentation)} %`,
  formatCount(answer.retries),
  failureOf(answer),
]

/** Where the outcome is not certain: with what else it may be. */
function peakOf({ isCertain, reservedPeakBytes, leastReservedPeakBytes, mostReservedPeakBytes }: WhatIf): string {
  const range = `${formatBytes(leastReservedPeakBytes)} to ${formatBytes(mostReservedPeakBytes)}`
  return isCertain ? formatBytes(reservedPeakBytes) : `${formatBytes(reservedPeakBytes)} (${range})`
}

function failureOf({ fails, failingEvent, failingBytes, dependsOn }: WhatIf): string {
  const deciding = dependsOn.map((each) => deciders[each]).join(' and ')
  const doubt = deciding === '' ? '' : ` (not certain: it depends on ${deciding})`
  if (!fails || failingEvent === null) return `no${doubt}`
  return `yes, at event ${formatCount(failingEvent)}, ${formatBytes(failingBytes ?? 0)} asked for${doubt}`
}

function notesOf([own, ...others]: readonly WhatIf[]): string[] {
  if (own === undefined) return []
  const { capacity, failedRequest } = own
  const range =
    capacity.leastBytes === null || capacity.mostBytes === null
      ? ''
      : ` (anything from ${formatBytes(capacity.leastBytes)} to ${formatBytes(capacity.mostBytes)} explains the recording)`
  const notes = [
    capacity.bytes === null
      ? 'capacity: no limit is known'
      : `capacity: ${formatBytes(capacity.bytes)}, ${sources[capacity.source]}${range}`,
  ]
  if (failedRequest !== null) {
    const [bytes, least, most] = [failedRequest.bytes, failedRequest.leastBytes, failedRequest.mostBytes].map(formatBytes)
    notes.push(`failed request: the recording has only what it was rounded to, anything from ${least} to ${most}; ${bytes} is taken`)
  }
  if (capacity.source !== 'given') {
    const isExact = own.sameLayout && own.firstDifference === null
    notes.push(
      isExact ? 'as recorded, the simulator reproduces the recording exactly' : 'as recorded, the simulator departs from the recording',
    )
  }
  const isUncapped = capacity.source === 'none' || capacity.source === 'device'
  if (isUncapped && others.some(({ settings }) => settings.garbageCollectionThreshold > 0)) {
    notes.push('garbage is collected only under a cap on the process: give --capacity')
  }
  if (own.fails && others.some((other) => !other.fails)) {
    notes.push('the recording ends at the failure: what the program would have done after it is not known')
  }
  return notes
}

const deciders: Readonly<Record<WhatIf['dependsOn'][number], string>> = {
  capacity: 'the capacity',
  request: 'what the failed request asked for',
}

const sources: Readonly<Record<WhatIf['capacity']['source'], string>> = {
  given: 'as given',
  none: '',
  fraction: 'a cap on the process that explains the failed attempts',
  device: 'what was reserved and what the device had free at the failure',
}
