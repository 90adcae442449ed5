// How many events a file really holds, by device: counted by Python where it can be trusted with the size, which is not our reader's word.
import { spawnSync } from 'node:child_process'

const program = `
import gc, json, pickle, sys
gc.disable()
class Plain(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError('not plain data')
with open(sys.argv[1], 'rb') as file:
    value = json.load(file) if sys.argv[1].endswith('.json') else Plain(file).load()
print(json.dumps([len(trace) for trace in value['device_traces']] if isinstance(value, dict) else []))
`

/** Events by device in the snapshot at `path`. Throws when Python cannot read it. */
export function countEvents(path: string): number[] {
  const done = spawnSync('python3', ['-c', program, path], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`python3: ${done.stderr}`)
  return JSON.parse(done.stdout) as number[]
}
