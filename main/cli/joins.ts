// How well a snapshot and a trace match, for `tidemark info --with`.
import { areJoinable, busiestDevice, type CaptureSummary } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { deviceName, formatCount, formatTime } from '../../preload/contract/format.ts'
import type { JoinMatch, JoinReason, JoinVerdict } from '../../preload/contract/queries.ts'
import type { Captures } from '../engine/captures.ts'
import type { Ask } from '../engine/joins.ts'

/** One match a device that both recorded; without any, one that says so. Errors: `query/bad_argument` (two of one kind), as the store. */
export async function matchesOf(captures: Captures, first: CaptureSummary, second: CaptureSummary): Promise<Result<JoinMatch[]>> {
  if (!areJoinable(first.kind, second.kind)) return fail('query/bad_argument', 'Only a snapshot and a trace can be matched.')
  const [own, partner] = first.kind === 'torch_snapshot' ? [first, second] : [second, first]
  const [snapshot, trace] = [captures.get(own.captureId), captures.get(partner.captureId)]
  if (!snapshot.ok) return snapshot
  if (!trace.ok) return trace
  const { signal } = new AbortController()
  const ask: Ask = (capture, question) => capture.ask(signal, question)
  const common = own.devices.filter(({ device }) => device >= 0 && partner.devices.some((each) => each.device === device))
  const devices = common.length > 0 ? common.map(({ device }) => device) : [busiestDevice(own)?.device ?? 0]
  const matches: JoinMatch[] = []
  for (const device of devices) {
    const joined = await captures.joins.of({ snapshot: snapshot.value, trace: trace.value, device }, ask)
    if (!joined.ok) return joined
    matches.push(joined.value.match)
  }
  return ok(matches)
}

const verdicts: Readonly<Record<JoinVerdict, string>> = {
  same_run: 'same run',
  doubtful: 'perhaps the same run',
  other_run: 'another run',
  unknown: 'cannot be compared',
}

const reasons: Readonly<Record<JoinReason, string>> = {
  no_memory: 'one of the two recorded no memory of this device',
  no_times: 'one of the two has no times',
  no_overlap: 'recorded at different times',
  few_allocations: 'too few allocations in the common time to tell',
  few_matches: 'addresses and sizes do not agree',
  some_matches: 'many allocations have no partner',
  wide_spread: 'the times of the partners scatter',
}

/** For people: a line a device. */
export function matchLines(matches: readonly JoinMatch[], { devices }: CaptureSummary, partnerName: string): string[] {
  return matches.map((match) => {
    const type = devices.find(({ device }) => device === match.device)?.deviceType ?? 'cuda'
    const reason = match.reason === null ? '' : `, ${reasons[match.reason]}`
    return `  ${deviceName(match.device, type)} and ${partnerName}: ${verdicts[match.verdict]}${reason}${numbersOf(match)}`
  })
}

function numbersOf({ matched, snapshotAllocations, traceAllocations, clockDifferenceNs, spreadNs }: JoinMatch): string {
  if (clockDifferenceNs === null || spreadNs === null) return ''
  const counts = `${formatCount(matched)} of ${formatCount(snapshotAllocations)} allocations of the snapshot and ${formatCount(traceAllocations)} of the trace are the same`
  return `; in the common time ${counts}, clocks ${formatTime(clockDifferenceNs)} apart ± ${formatTime(spreadNs)}`
}
