// The yardsticks: Python's own pickle.load of the same file, with and without its garbage collector, and its json.load.
import { measureRun } from './child-run.mjs'

const program = (collect) => `
import gc, os, pickle, sys, time
${collect ? '' : 'gc.disable()'}
with open(sys.argv[1], 'rb') as file:
    started = time.perf_counter()
    value = pickle.load(file)
    print(1000 * (time.perf_counter() - started), flush=True)
os._exit(0)
`

/** Milliseconds of the load alone (start and end of Python are not counted), and peak memory. */
export async function pythonLoad(file, collect) {
  const run = await measureRun('python3', ['-c', program(collect), file])
  return { ms: Number(run.output), peakKib: run.peakKib }
}

const jsonProgram = `
import json, os, sys, time
with open(sys.argv[1], 'rb') as file:
    started = time.perf_counter()
    value = json.load(file)
    print(1000 * (time.perf_counter() - started), len(value['traceEvents']), flush=True)
os._exit(0)
`

/** Milliseconds of json.load alone, peak memory, and the events of the trace. */
export async function pythonJsonLoad(file) {
  const run = await measureRun('python3', ['-c', jsonProgram, file])
  const [ms, events] = run.output.split(' ').map(Number)
  return { ms, peakKib: run.peakKib, events }
}
