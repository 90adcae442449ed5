// Memory failures in the text of a log, one line after the other: bounded memory, one pass.

import { linesIn, linesOf } from './lines.ts'
import { type LogLine, readLine, unescapedLines } from './log/lines.ts'
import { type MessageFacts, messageEnd, readMessage, triggers } from './log/wordings.ts'

/** A line of the Python traceback above a failure. */
export interface TracebackFrame {
  readonly file: string
  readonly line: number
  readonly name: string
}

/** One failure that a log tells of. */
export interface LogFailure extends MessageFacts {
  /** Line of the log, from 1. */
  readonly line: number
  readonly rank: number | null
  readonly time: string | null
  /** Innermost first, like all stacks; empty without a traceback. */
  readonly frames: readonly TracebackFrame[]
  /** How often the log says the same: tracebacks are often printed again. */
  readonly repeats: number
  /** The message, at most 4,000 characters. */
  readonly text: string
}

export interface LogReading {
  readonly failures: readonly LogFailure[]
  readonly lineCount: number
  /** Failures after the first 10,000. */
  readonly leftOut: number
}

const maxFailures = 10_000
const maxMessageLength = 8192
const maxMessageLines = 40
const maxFrames = 64
const maxWriters = 256
/** A longer line is read in pieces of this length. */
const maxLineLength = 256 * 1024
const maxTextLength = 4000

interface OpenMessage {
  readonly trigger: string
  readonly before: string
  readonly at: Pick<LogLine, 'rank' | 'time'>
  readonly line: number
  readonly frames: readonly TracebackFrame[]
  readonly pieces: string[]
  length: number
}

/** A text of its own. A piece of a text keeps the whole of it in memory: of a file that tells of many failures, all of the file. */
const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')

/** Reads lines as they come; `end` answers what they told. */
export class FailureLog {
  readonly #failures = new Map<string, LogFailure>()
  readonly #tracebacks = new Map<string, TracebackFrame[]>()
  readonly #open = new Map<string, OpenMessage>()
  #lastWriter = ''
  #lineCount = 0
  #leftOut = 0

  /** Takes one line without its line end, or what goes on of a long one. */
  push(raw: string, isStart = true): void {
    if (isStart) this.#lineCount += 1
    for (let at = 0; at === 0 || at < raw.length; at += maxLineLength) {
      for (const line of unescapedLines(raw.slice(at, at + maxLineLength))) this.#take(readLine(line))
    }
  }

  end(): LogReading {
    for (const writer of [...this.#open.keys()]) this.#close(writer)
    return { failures: [...this.#failures.values()], lineCount: this.#lineCount, leftOut: this.#leftOut }
  }

  #take(line: LogLine): void {
    const { text } = line
    triggers.lastIndex = 0
    let found = triggers.exec(text)
    // NCCL says in a second line how much it asked for.
    const isMore = found?.[0].startsWith('Failed to CUDA') === true && this.#isOpenAs(line.writer, 'Cuda failure')
    if (!found || isMore) this.#goOn(line)
    while (found && !isMore) {
      const next = triggers.exec(text)
      this.#close(line.writer)
      this.#start(line, found, next?.index ?? text.length)
      found = next
    }
  }

  #isOpenAs(writer: string, trigger: string): boolean {
    return this.#open.get(writer)?.trigger.startsWith(trigger) === true
  }

  #start(line: LogLine, found: RegExpExecArray, end: number): void {
    const piece = copyOf(line.text.slice(found.index, Math.min(end, found.index + maxMessageLength)))
    const { rank, time } = line
    const writer = copyOf(line.writer)
    const open: OpenMessage = {
      trigger: copyOf(found[0]),
      before: copyOf(line.text.slice(Math.max(0, found.index - 200), found.index)),
      at: { rank, time: time && copyOf(time) },
      line: this.#lineCount,
      frames: [...(this.#tracebacks.get(writer) ?? [])].reverse(),
      pieces: [piece],
      length: piece.length,
    }
    if (this.#open.size >= maxWriters) this.#close([...this.#open.keys()][0] ?? '')
    this.#open.set(writer, open)
    this.#lastWriter = writer
    if (messageEnd.test(piece)) this.#close(writer)
  }

  /** A line without the start of a failure: more of one, part of a traceback, or nothing of ours. */
  #goOn(line: LogLine): void {
    if (this.#noteTraceback(line)) return
    // A wrapped line has lost its prefix: it goes on with what was written last.
    const writer = this.#open.has(line.writer) || line.writer !== '' ? line.writer : this.#lastWriter
    const open = this.#open.get(writer)
    if (!open) return
    open.pieces.push(copyOf(line.text.slice(0, maxMessageLength - open.length)))
    open.length += line.text.length
    const isFull = open.length >= maxMessageLength || open.pieces.length >= maxMessageLines
    if (isFull || line.text.trim() === '' || messageEnd.test(line.text)) this.#close(writer)
  }

  #noteTraceback({ text, writer }: LogLine): boolean {
    // A bar of progress may stand before it: that ends no line.
    if (text.includes('Traceback (most recent call last)')) {
      this.#close(writer)
      if (this.#tracebacks.size >= maxWriters) this.#tracebacks.clear()
      this.#tracebacks.set(copyOf(writer), [])
      return true
    }
    const frame = frameOf(text)
    if (!frame) return false
    const frames = this.#tracebacks.get(writer) ?? []
    frames.push(frame)
    if (frames.length > maxFrames) frames.shift()
    if (!this.#tracebacks.has(writer)) this.#tracebacks.set(copyOf(writer), frames)
    return true
  }

  #close(writer: string): void {
    const open = this.#open.get(writer)
    if (!open) return
    this.#open.delete(writer)
    const text = open.pieces.map((piece) => piece.trim()).join(' ')
    const facts = readMessage(open.trigger, text, open.pieces.join(''), open.before)
    if (!facts) return
    this.#tracebacks.delete(writer)
    const { rank, time } = open.at
    const key = JSON.stringify({ ...facts, exception: null, unreadAmounts: null, rank })
    const known = this.#failures.get(key)
    if (known) {
      this.#failures.set(key, { ...known, repeats: known.repeats + 1, frames: known.frames.length > 0 ? known.frames : open.frames })
    } else if (this.#failures.size < maxFailures) {
      const message = text.slice(0, maxTextLength)
      this.#failures.set(key, { ...facts, line: open.line, rank, time, frames: open.frames, repeats: 1, text: message })
    } else this.#leftOut += 1
  }
}

/** As Python, IPython and rich write them. */
const frameWordings = [
  /^\s{1,8}File "([^"\n]{1,1000})", line (\d{1,9}), in (\S{1,400})/,
  /^File ([^\s"][^\n:]{0,1000}):(\d{1,9}), in ([\w.<>]{1,400})\(/,
  /^[│|] ([^\s│|][^\n:│|]{0,1000}):(\d{1,9}) in ([\w<>]{1,400})\s/,
]

function frameOf(text: string): TracebackFrame | null {
  for (const wording of frameWordings) {
    const [, file, line, name] = wording.exec(text) ?? []
    if (file !== undefined && name !== undefined)
      return { file: copyOf(file), line: Number(line), name: copyOf(name.split('.').at(-1) ?? name) }
  }
  return null
}

/** The failures of a text. */
export function readLogText(text: string): LogReading {
  const log = new FailureLog()
  for (const line of linesOf(text)) log.push(line)
  return log.end()
}

/** The failures of a file of any length. Throws what the system says when it cannot be read; an AbortError after the signal. */
export async function readLogFile(path: string, signal?: AbortSignal): Promise<LogReading> {
  const log = new FailureLog()
  for await (const { text, isStart } of linesIn(path, maxLineLength, signal)) log.push(text, isStart)
  return log.end()
}
