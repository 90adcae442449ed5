// Which frames of a stack tell something: the classes by which views fold a stack, and the one-line title of a stack.
import type { CaptureKind } from '../../../preload/contract/capture.ts'
import type { StackFrame } from '../../../preload/contract/queries.ts'
import { classifyTraceFrame, tellingFrames } from './trace-frames.ts'

export type FrameKind = StackFrame['kind']

export interface Frame {
  readonly name: string
  readonly filename: string
  readonly line: number
}

/** Frames of the interpreter, the dispatcher and the unwinder: the filter that every PyTorch viewer applies. */
const noiseNames = [
  'unwind::unwind',
  'CapturedTraceback::gather',
  'gather_with_cpp',
  '_start',
  '__libc_start_main',
  'PyEval_',
  'PyObject_',
  'PyFunction_',
]
const noiseFiles = [
  'core/boxing',
  '/Register',
  '/Redispatch',
  'pythonrun.c',
  'Modules/main.c',
  'Objects/call.c',
  'Objects/methodobject.c',
  'pycore_ceval.h',
  'ceval.c',
  'cpython/abstract.h',
]

/** `_start` and the like are whole words: `backward_start` is the user's own. */
const isNoiseName = (name: string): boolean => noiseNames.some((noise) => (noise === '_start' ? name === noise : name.includes(noise)))

const libraryPatterns = [
  /[\\/](?:site|dist)-packages[\\/]/,
  /(?:^|[\\/])torch[\\/]/,
  /[\\/]lib(?:64)?[\\/]python/i,
  /^<frozen /,
  /^<eval_with_key>/,
  /[\\/]torchinductor_[^\\/]*[\\/]/,
  /^(?:\?\?|none)?$/,
]
/** Of other languages, which only profiles of other tools have. */
const otherLibraryPatterns = [
  /^node:/,
  /[\\/]node_modules[\\/]/,
  /^(?:file:\/\/)?\/usr\/(?:local\/)?(?:lib|lib64|include)\//,
  /[\\/]go[\\/](?:src|pkg[\\/]mod)[\\/]/,
]
const libraryNames = /^(?:c10|at|torch|caffe2|pybind11|std)::|^_?Py[A-Z]|^<eval_with_key>/

/** own = the user's code; library = torch, installed packages, the standard library, generated code; noise = see above. */
export function classifyFrame(frame: Frame, kind: CaptureKind): FrameKind {
  const plain = classifyPlain(frame)
  if (kind === 'chrome_trace') return classifyTraceFrame(frame, plain)
  const isOther = kind === 'stack_profile' && otherLibraryPatterns.some((pattern) => pattern.test(frame.filename))
  return plain === 'own' && isOther ? 'library' : plain
}

function classifyPlain({ name, filename }: Frame): FrameKind {
  if (isNoiseName(name) || noiseFiles.some((noise) => filename.includes(noise))) return 'noise'
  return libraryNames.test(name) || libraryPatterns.some((pattern) => pattern.test(filename)) ? 'library' : 'own'
}

const maxNameLength = 120

/** A C++ name can have 2,000 characters: parameters are left out, and what is still too long is cut. */
export function shortName(name: string): string {
  const marked = name.replaceAll('(anonymous namespace)', '{anonymous}')
  const bare = marked.includes('::') ? (marked.split('(', 1)[0] ?? marked) : marked
  return bare.length <= maxNameLength ? bare : `${bare.slice(0, maxNameLength - 1)}…`
}

const isNowhere = (filename: string): boolean => filename === '' || filename === '??' || filename === 'none'

/** "file.py:134"; empty where the frame has no file. */
export function placeOf({ filename, line }: Frame): string {
  if (isNowhere(filename)) return ''
  const base = filename.split(/[\\/]/).at(-1) ?? filename
  return line > 0 ? `${base}:${line}` : base
}

export interface StackTitle {
  readonly title: string
  readonly place: string
}

/** Frames at the bottom of every C++ stack: the allocator itself and the making of an empty tensor say nothing of who asked. */
const allocatorFrame = /\bc10::|\bstd::|CachingAllocator|\b_?empty|wrapper_[A-Z]|_ops::empty/

const isPython = ({ filename }: Frame): boolean => filename.endsWith('.py') || filename.startsWith('<')

/** Innermost telling frame: a Python one where there is one, else a C++ one above the allocator, else any that is not noise. */
function tellingFrame(innermostFirst: readonly Frame[]): Frame | undefined {
  const frames = innermostFirst.filter((each) => classifyPlain(each) !== 'noise')
  return frames.find(isPython) ?? frames.find(({ name }) => !allocatorFrame.test(name)) ?? frames[0] ?? innermostFirst[0]
}

/** Title of a stack by its innermost telling frame, in a trace by its op and the user's own line; empty texts without frames. */
export function titleOf(innermostFirst: readonly Frame[], kind: CaptureKind): StackTitle {
  if (kind === 'chrome_trace') return traceTitleOf(innermostFirst)
  const frame = tellingFrame(innermostFirst)
  return frame ? { title: shortName(frame.name), place: placeOf(frame) } : { title: '', place: '' }
}

function traceTitleOf(innermostFirst: readonly Frame[]): StackTitle {
  const { op, line, outer } = tellingFrames(innermostFirst, (frame) => classifyFrame(frame, 'chrome_trace'))
  const telling = op ?? line ?? innermostFirst[0]
  if (!telling) return { title: '', place: '' }
  if (line) return { title: shortName(telling.name), place: placeOf(line) }
  return { title: shortName(telling.name), place: outer && outer !== telling ? shortName(outer.name) : '' }
}

/** "name file:line", for a label. */
export const labelOf = ({ title, place }: StackTitle): string => (place ? `${title} ${place}` : title)
