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

/**
 * Texts say by a mark at their head how they are written: PowerShell, which writes logs of all kinds, takes UTF-16. Where the mark is missing, the
 * zeros beside letters tell it.
 */
async function decoderOf(path: string): Promise<TextDecoder> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    const head = buffer.toString('latin1')
    const isLittle = head.startsWith('\xff\xfe') || /^[^\0]\0[^\0]\0$/.test(head)
    const isBig = head.startsWith('\xfe\xff') || /^\0[^\0]\0[^\0]$/.test(head)
    return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8')
  } finally {
    await file.close()
  }
}

/** What ends the lines of a text that begins so. A carriage return alone is part of a bar of progress, unless nothing else ends the lines. */
const lineEndOf = (head: string): string | RegExp => (head.includes('\r') && !head.includes('\n') ? /\r\n?|\n/ : '\n')

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)

/** The lines of a text, without their ends. */
export const linesOf = (text: string): string[] => text.split(lineEndOf(text)).map(withoutReturn)

/**
 * The lines of a file; one of more than about `longest` characters comes in pieces. Throws what the system says when the file cannot be read, and an
 * AbortError once the signal has been aborted.
 */
export async function* linesIn(path: string, longest: number, signal?: AbortSignal): AsyncGenerator<LinePiece> {
  signal?.throwIfAborted() // before anything is opened
  const decoder = await decoderOf(path) // it takes the mark away
  let rest = ''
  let isStart = true
  let lineEnd: string | RegExp | undefined
  for await (const chunk of createReadStream(path, { highWaterMark: chunkLength, signal })) {
    const text = rest + decoder.decode(chunk, { stream: true })
    lineEnd ??= lineEndOf(text)
    const lines = text.split(lineEnd)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      yield { text: withoutReturn(line), isStart }
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
