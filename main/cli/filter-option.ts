// The option --filter: a text in the filter language, checked, and read for the engine.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { compileFilter, namedEvents } from '../../preload/contract/filter/filter-answers.ts'
import { type FilterContext, type FilterError, filterKeys, parseFilter } from '../../preload/contract/filter/filter-language.ts'
import { namedAllocation } from '../../preload/contract/filter/named-allocation.ts'
import { mostFilterText } from '../../preload/contract/shell.ts'
import type { OpenCapture } from '../engine/open-capture.ts'
import { queryHandlers } from '../engine/queries/index.ts'
import { UsageError } from './usage.ts'

const rightValues: Readonly<Record<(typeof filterKeys)[number], string>> = {
  size: 'size>10MiB, size:1MiB..4MiB',
  requested: 'requested>10MiB',
  life: 'life<40, life>1.5ms',
  made: 'made>2480, made:1ms..2ms, made<peak',
  freed: 'freed>2480, freed:1ms..2ms',
  alive_at: 'alive_at:peak, alive_at:2480, alive_at:1.5ms',
  stack: 'stack:attention',
  stack_id: 'stack_id:12, stack_id:3,5, stack_id:-1',
  address: 'address:0x7f0000000000..0x7f0000ffffff',
  stream: 'stream:0',
  pool: 'pool:default',
  category: 'category:activation,gradient',
  is: 'is:short_lived, is:never_freed, is:freed, is:large, is:no_stack, is:before_history',
}

function reasonOf({ code, key, known }: FilterError): string {
  switch (code) {
    case 'unknownTerm':
      return `is no term: there are ${filterKeys.join(', ')}; text to look for goes in quotes`
    case 'badValue':
      return key === undefined ? 'is not understood' : `is not understood; right would be ${rightValues[key]}`
    case 'notThere':
      return `is not in this capture, which has ${known.join(', ') || 'none'}`
    case 'noNegation':
      return 'cannot be turned round; say it with the opposite comparison'
    case 'noTimes':
      return 'asks for times, which this capture does not have; give events'
    default:
      return 'lacks the quote at its end'
  }
}

/** What is wrong, and where: the term stands between marks in the whole text, and its characters are counted from 1. */
function errorText(text: string, error: FilterError): string {
  const marked = `${text.slice(0, error.at)}»${error.term}«${text.slice(error.end)}`
  return `--filter: ${marked} (from character ${error.at + 1}): the term ${reasonOf(error)}`
}

/** Refuses what no capture could be asked. Throws UsageError. */
export function checkFilter(text: string): void {
  if (text.length > mostFilterText) throw new UsageError(`--filter has at most ${mostFilterText} characters`)
  const named = namedAllocation(text)
  if (named !== undefined) throw new UsageError(`--filter: ${text} names one allocation; to filter by an address write address:${named}`)
  const parsed = parseFilter(text)
  if (!parsed.ok && parsed.error.code !== 'notThere') throw new UsageError(errorText(text, parsed.error))
}

/** The text as the engine reads it; '' lets everything pass. `at`: where the cursor stands. Errors: `query/bad_argument` for what the capture does not have. */
export async function filterOf(
  open: OpenCapture,
  { captureId, streams, pools, hasTimes }: CaptureSummary,
  device: DeviceSummary,
  text: string,
  at: number,
): Promise<Result<string>> {
  const context: FilterContext = { streams, pools, hasTimes, hasFailures: device.ooms.length > 0 }
  const parsed = parseFilter(text, context)
  if (!parsed.ok) return fail('query/bad_argument', errorText(text, parsed.error))
  return compileFilter({}, parsed.terms, {
    findStacks: async (each) => {
      const found = await queryHandlers['stacks.find'](open, { captureId, text: each })
      return found.ok ? ok(found.value.stackIds) : found
    },
    eventAt: async (timeNs) => {
      const found = await queryHandlers['timeline.eventAt'](open, { captureId, device: device.device, timeNs })
      return found.ok ? ok(found.value.event) : found
    },
    named: namedEvents(device, at),
  })
}
