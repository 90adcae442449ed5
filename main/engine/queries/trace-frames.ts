// Frames of a trace's stacks: the slices that enclose an allocation. Ops and annotations have their category in the place of a file and the
// line 0, Python functions their file and line; PyTorch cuts the folder of installed packages off their paths.
import type { Frame, FrameKind } from './frames.ts'

/** Making a tensor without content says nothing of who asked. */
const emptyOp = /^(?:aten|prims)::(?:_?empty|new_empty|_efficientzerotensor|resize)/
/** The engine of autograd around every backward op. */
const engineOp = /^autograd::engine::/

export const isOp = ({ filename }: Frame): boolean => filename === 'cpu_op' || filename === 'Operator'

const isAnnotation = ({ filename }: Frame): boolean => filename === 'user_annotation'

/** A Python function with a place in a file. */
export const isPythonLine = ({ line, filename }: Frame): boolean => line > 0 && !filename.startsWith('<')

const isAbsolute = (filename: string): boolean => /^(?:[\\/~]|\.{1,2}[\\/]|[A-Za-z]:)/.test(filename)

/** Modules of the standard library that are one file: their paths are cut to a bare name, as a script's own may be. */
const standardModules = new Set(
  (
    'abc argparse ast bisect codecs contextlib copy copyreg dataclasses dis enum fnmatch functools genericpath glob gzip heapq inspect io ' +
    'ipaddress keyword linecache locale logging numbers opcode operator os pathlib pickle platform posixpath pprint queue random re reprlib ' +
    'runpy secrets selectors shlex shutil signal site socket socketserver stat string struct subprocess tempfile textwrap threading timeit ' +
    'token tokenize traceback tracemalloc types typing uuid warnings weakref zipfile _collections_abc _weakrefset'
  )
    .split(' ')
    .map((name) => `${name}.py`),
)

/** A folder at the start of a path that is not absolute is that of an installed package. */
const isInstalled = (filename: string): boolean => (isAbsolute(filename) ? false : /[\\/]/.test(filename) || standardModules.has(filename))

/** As `classifyFrame`, of a frame that `usual` finds no library in. */
export function classifyTraceFrame(frame: Frame, usual: FrameKind): FrameKind {
  if (isOp(frame)) return emptyOp.test(frame.name) || engineOp.test(frame.name) ? 'noise' : 'library'
  if (isAnnotation(frame)) return 'own'
  if (!isPythonLine(frame)) return 'library'
  return usual === 'own' && isInstalled(frame.filename) ? 'library' : usual
}

/** What a title tells: the op that needed the memory, and the line of the user's code that led there. */
export interface TellingFrames {
  readonly op: Frame | undefined
  /** The user's own line, else the innermost outside of torch, else any. */
  readonly line: Frame | undefined
  /** Without a line: the outermost op, which names the backward function. */
  readonly outer: Frame | undefined
}

export function tellingFrames(innermostFirst: readonly Frame[], classify: (frame: Frame) => FrameKind): TellingFrames {
  const ops = innermostFirst.filter(isOp)
  const telling = ops.filter((each) => classify(each) !== 'noise')
  const lines = innermostFirst.filter(isPythonLine)
  return {
    op: telling[0] ?? ops[0],
    line:
      lines.find((each) => classify(each) === 'own') ?? lines.find(({ filename }) => !/(?:^|[\\/])torch[\\/]/.test(filename)) ?? lines[0],
    outer: telling.at(-1),
  }
}
