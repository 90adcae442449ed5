// A capture that takes a while to read, made of one allocation that comes and goes.
import { closeSync, openSync, writeSync } from 'node:fs'

const frames = '[{"name":"forward","filename":"/home/user/train.py","line":10}]'
const entry = (action: string) =>
  `{"action":"${action}","addr":139637976727552,"size":1048576,"stream":0,"time_us":1700000000000000,"frames":${frames}}`
const pair = `${entry('alloc')},${entry('free_requested')},${entry('free_completed')}`

/** Writes a snapshot in JSON of 3 × `pairs` events (about 0.4 KiB a pair). */
export function writeLongHistory(path: string, pairs: number): void {
  const block = '{"address":139637976727552,"size":2097152,"requested_size":0,"state":"inactive","frames":[]}'
  const segment = `{"device":0,"address":139637976727552,"total_size":2097152,"allocated_size":0,"active_size":0,"requested_size":0,"stream":0,"segment_type":"small","segment_pool_id":[0,0],"is_expandable":false,"frames":[],"blocks":[${block}]}`
  const perWrite = 1000
  const file = openSync(path, 'w')
  writeSync(file, `{"segments":[${segment}],"device_traces":[[${entry('alloc')},${entry('free_requested')},${entry('free_completed')}`)
  for (let written = 1; written < pairs; written += perWrite) writeSync(file, `,${pair}`.repeat(Math.min(perWrite, pairs - written)))
  writeSync(file, ']]}')
  closeSync(file)
}
