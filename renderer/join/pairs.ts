// Finds the pairs among the open captures whenever one was opened or closed, and compares each of them once.
import { engine } from '../data/engine-client.ts'
import { useCaptures } from '../state/captures.ts'
import { type JoinPair, pairKey, readyCaptures, useJoins } from './join-data.ts'

const readyIds = (): string =>
  readyCaptures()
    .map(({ captureId }) => captureId)
    .join(' ')

class Pairing {
  #round = 0
  readonly #stop: () => void

  constructor() {
    let known = ''
    const update = () => {
      const ids = readyIds()
      if (ids === known) return
      known = ids
      void this.#find()
    }
    this.#stop = useCaptures.subscribe(update)
    update()
  }

  stop(): void {
    this.#round++
    this.#stop()
    useJoins.setState({ pairs: [] })
  }

  async #find(): Promise<void> {
    const round = ++this.#round
    const open = new Set(readyCaptures().map(({ captureId }) => captureId))
    keepPairs(({ snapshotId, traceId }) => open.has(snapshotId) && open.has(traceId))
    const found = await findPairs()
    if (round !== this.#round) return
    const known = new Map(useJoins.getState().pairs.map((pair) => [pairKey(pair), pair]))
    const fresh = found.filter((pair) => !known.has(pairKey(pair)))
    useJoins.setState({ pairs: found.map((pair) => known.get(pairKey(pair)) ?? pair) })
    for (const pair of fresh) void compare(pair)
  }
}

const keepPairs = (passes: (pair: JoinPair) => boolean): void => useJoins.setState(({ pairs }) => ({ pairs: pairs.filter(passes) }))

/** Asked from the snapshots alone: whose candidate a trace is, that is its own candidate. */
async function findPairs(): Promise<JoinPair[]> {
  const captures = readyCaptures()
  const snapshots = captures.filter(({ kind }) => kind === 'torch_snapshot')
  const traceIds = new Set(captures.filter(({ kind }) => kind === 'chrome_trace').map(({ captureId }) => captureId))
  if (traceIds.size === 0) return []
  const pairs = snapshots.map(async ({ captureId: snapshotId }): Promise<JoinPair[]> => {
    const answer = await engine.call('join.candidates', { captureId: snapshotId })
    if (!answer.ok) return [] // closed meanwhile: another round follows
    return answer.value.candidates
      .filter(({ captureId }) => traceIds.has(captureId))
      .map(({ captureId: traceId, devices, overlapNs }) => ({
        snapshotId,
        traceId,
        devices,
        overlapNs,
        match: undefined,
        failure: undefined,
      }))
  })
  return (await Promise.all(pairs)).flat()
}

/** Compares a pair; one of which a capture is closed by now, or which shares no device, is gone. */
async function compare(pair: JoinPair): Promise<void> {
  const { snapshotId, traceId, devices } = pair
  const [device] = devices
  const isThis = (each: JoinPair) => pairKey(each) === pairKey(pair)
  const answer = device === undefined ? undefined : await engine.call('join.match', { snapshotId, traceId, device })
  if (!answer || (!answer.ok && answer.error.code === 'query/unknown_capture')) {
    keepPairs((each) => !isThis(each))
    return
  }
  const part = answer.ok ? { match: answer.value } : { failure: answer.error }
  useJoins.setState(({ pairs }) => ({ pairs: pairs.map((each) => (isThis(each) ? { ...each, ...part } : each)) }))
}

/** Follows the open captures; returns the stop. */
export function startPairs(): () => void {
  const pairing = new Pairing()
  return () => pairing.stop()
}
