// Files of hundreds of megabytes: Python reads them, since our own slow reader would need more memory than a test may take. Without stacks.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { scratchFolder } from '../support/paths.ts'
import { type RefSnapshot, toSnapshot } from './snapshot.ts'
import type { PyDict } from './unpickle.ts'

const program = `
import gc, json, pickle, sys
gc.disable()
class Plain(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError('not plain data')
with open(sys.argv[1], 'rb') as file:
    value = Plain(file).load()
keys = ('action', 'addr', 'size', 'stream', 'time_us', 'device_free')
for segment in value['segments']:
    segment.pop('frames', None)
    for block in segment['blocks']:
        block.pop('frames', None)
with open(sys.argv[2], 'w') as out:
    out.write(json.dumps({'segments': value['segments'], 'allocator_settings': value['allocator_settings']}) + '\\n')
    for device, trace in enumerate(value['device_traces']):
        for at in range(0, len(trace), 100000):
            rows = [[entry.get(key) for key in keys] for entry in trace[at:at + 100000]]
            out.write(json.dumps([device, rows], separators=(',', ':')) + '\\n')
`

type Entry = [action: string, addr: number | null, size: number, stream: number, timeUs: number, deviceFree: number | null]

/** The snapshot at `path`; throws when Python cannot read it. */
export function readLarge(path: string): RefSnapshot {
  const scratch = scratchFolder('large')
  try {
    const columns = `${scratch.path}/columns`
    const done = spawnSync('python3', ['-c', program, path, columns], { encoding: 'utf8' })
    if (done.status !== 0) throw new Error(`python3: ${done.stderr}`)
    const [head = '', ...pieces] = readFileSync(columns, 'latin1').trimEnd().split('\n')
    const traces: RefSnapshot['traces'][number][number][][] = []
    for (const piece of pieces) {
      const [device, rows] = JSON.parse(piece) as [number, Entry[]]
      const { traces: read } = toSnapshot({ segments: [], device_traces: [rows.map(toEntry)] })
      traces[device] = [...(traces[device] ?? []), ...(read[0] ?? [])]
    }
    return { ...toSnapshot(JSON.parse(head) as PyDict), traces: Array.from(traces, (trace) => trace ?? []) }
  } finally {
    scratch.remove()
  }
}

/** Numbers of this size are exact in JSON: addresses of CUDA stay far below 2^53. */
const toEntry = ([action, addr, size, stream, timeUs, deviceFree]: Entry): PyDict => ({
  action,
  addr: addr ?? 0,
  size,
  stream,
  time_us: timeUs,
  ...(deviceFree === null ? {} : { device_free: deviceFree }),
})
