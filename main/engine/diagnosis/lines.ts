// Lines of a text file in bounded memory.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'

/** A line without its end, or a piece of one that is longer than the reader takes at once. */
export interface LinePiece {
  readonly text: string
  /** False where the line began in an earlier piece. */
  readonly isStart: boolean
}

const chunkLength = 256 * 1024

/** Texts say by a mark at their head how they are written: PowerShell, which writes logs of all kinds, takes UTF-16. */
async function decoderOf(path: string): Promise<TextDecoder> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    const mark = buffer.toString('hex')
    return new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8')
  } finally {
    await file.close()
  }
}

/**
 * The lines of a file; one of more than about `longest` characters comes in pieces. Throws what the system says when the file cannot be read, and an
 * AbortError once the signal has been aborted.
 */
export async function* linesIn(path: string, longest: number, signal?: AbortSignal): AsyncGenerator<LinePiece> {
  signal?.throwIfAborted() // before anything is opened
  const decoder = await decoderOf(path) // it takes the mark away
  let rest = ''
  let isStart = true
  for await (const chunk of createReadStream(path, { highWaterMark: chunkLength, signal })) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
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
  rest += decoder.decode()
  if (rest !== '') yield { text: rest, isStart }
}
