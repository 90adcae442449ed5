// How a failure looks on the command line: one line that says what, where and what to do, and an exit status.
import type { ErrorCode, Failure } from '../../preload/contract/errors.ts'
import { callOf, namedRelations } from '../engine/sql/relation-names.ts'
import { printable } from './printable.ts'
import { UsageError } from './usage.ts'

const nextSteps: Readonly<Record<ErrorCode, string>> = {
  'file/not_found': 'check the path',
  'file/unreadable': 'check that it is a file and that you may read it',
  'file/empty': 'dump the snapshot again',
  'file/truncated': 'copy or record the file again',
  'file/unknown_format':
    'give a memory snapshot of PyTorch (torch.cuda.memory._dump_snapshot), a Chrome trace, a profile (folded stacks, d3, speedscope, pprof, ' +
    '.heapprofile) or a .tidemark index',
  'file/unsupported_container': 'unpack it first; only gzip is read directly',
  'file/too_deep': 'a genuine snapshot is never nested like this: check where it comes from',
  'file/too_much': 'the others were read; give the part that matters alone: the folder of one run, or the end of the log',
  'snapshot/forbidden_opcode': 'captures are read as data only: dump it again without custom objects',
  'snapshot/malformed': 'dump or copy the file again',
  'snapshot/truncated': 'dump or copy the file again',
  'snapshot/not_a_snapshot': 'give the output of torch.cuda.memory._dump_snapshot',
  'snapshot/no_history': 'call torch.cuda.memory._record_memory_history() before what is to be run again, then dump the snapshot',
  'snapshot/integer_too_large': 'check that the file was not edited',
  'trace/not_a_trace': 'give the output of torch.profiler (export_chrome_trace) or another file of Chrome trace events',
  'trace/truncated': 'export or copy the trace again',
  'trace/source_changed': 'open the trace again, so that its index is built anew',
  'profile/not_a_profile': 'give a profile in which stacks have values, or export it again from the tool that made it',
  'index/disk_full': 'free some space, or set TIDEMARK_CACHE to another folder',
  'index/write_failed': 'check the folder, or set TIDEMARK_CACHE to another one',
  'index/not_an_index': 'index the capture again',
  'index/cache_unusable': 'set TIDEMARK_CACHE to a folder that can be written',
  'query/cancelled': 'run it again',
  'query/bad_argument': 'see tidemark --help',
  'query/failed': `check the SQL; relations: ${namedRelations.map(callOf).join(', ')}`,
  'query/read_only': 'ask with SELECT; to change a copy, open the index with another tool',
  'query/timed_out': 'ask for less, or allow more time',
  'query/unknown_capture': 'open the capture again',
  'categories/broken_rules': 'mend the file, or set TIDEMARK_CATEGORIES to another; resources/categories/README.md tells what it may hold',
  'templates/broken_template': 'mend the file; resources/templates/README.md tells what it may hold',
  'export/write_failed': 'check the folder and the free space',
  'window/no_display':
    'run it on a desktop, or install xvfb and xauth for pictures and reports; info, index, query and CSV need no display',
  'engine/crashed': 'run it again; if it happens again, report it with this line',
  'engine/out_of_memory': 'close other programs, or run it where there is more memory',
  'engine/internal': 'report it with this line',
}

const cancelledStatus = 130
const usageAreas = ['query/bad_argument', 'query/failed', 'query/read_only', 'query/timed_out', 'window/no_display']

/** 1 usage, 2 the file (or the disk) is the cause, 3 our fault; 130 as a shell says it after Ctrl+C. */
function exitStatusOf(code: ErrorCode): number {
  if (code === 'query/cancelled') return cancelledStatus
  if (usageAreas.includes(code)) return 1
  return code.startsWith('engine/') ? 3 : 2
}

/**
 * Writes the failure to standard error; answers the exit status. where: the file or option that it is about; nextStep: what to do, where the
 * usual advice does not fit.
 */
export function reportFailure({ code, message, offset }: Failure, where: string, nextStep = nextSteps[code]): number {
  const place = offset === undefined ? where : `${where}, byte ${offset}`
  process.stderr.write(`${printable(`error: ${code}: ${message.replace(/[.\s]+$/, '')}, in ${place}: ${nextStep}`)}\n`)
  return exitStatusOf(code)
}

const isParseError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('ERR_PARSE_ARGS')

/** For what was thrown: a wrong command line, or a fault of ours. Answers the exit status. */
export function reportException(error: unknown): number {
  if (error instanceof UsageError || isParseError(error)) {
    process.stderr.write(`error: usage: ${error.message.replace(/\.$/, '')}: see tidemark --help\n`)
    return 1
  }
  process.stderr.write(`error: engine/internal: ${error instanceof Error ? error.stack : String(error)}: ${nextSteps['engine/internal']}\n`)
  return 3
}
