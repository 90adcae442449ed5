// Lines of a text file in bounded memory.
import { createReadStream } from 'node:fs'

/** A line without its end, or a piece of one that is longer than the reader takes at once. */
export interface LinePiece {
  readonly text: string
  /** False where the line began in an earlier piece. */
  readonly isStart: boolean
}

const chunkLength = 256 * 1024

/**
 * The lines of a file; one of more than about `longest` characters comes in pieces. Throws what the system says when the file cannot be read, and an
 * AbortError once the signal has been aborted.
 */
export async function* linesIn(path: string, longest: number, signal?: AbortSignal): AsyncGenerator<LinePiece> {
  let rest = ''
  let isStart = true
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: chunkLength, signal })) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      yield { text: line.endsWith('\r') ? line.slice(0, -1) : line, isStart }
      isStart = true
    }
    if (rest.length <= longest) continue
    yield { text: rest, isStart }
    isStart = false
    rest = ''
  }
  if (rest !== '') yield { text: rest, isStart }
}
