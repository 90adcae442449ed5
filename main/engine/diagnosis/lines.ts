// Lines of a text file in bounded memory.
import { createReadStream } from 'node:fs'

/** The lines, each of at most about `longest` characters: what goes on is left out. Throws what the system says when the file cannot be read. */
export async function* linesIn(path: string, longest: number): AsyncGenerator<string> {
  let rest = ''
  let isLong = false
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!isLong) yield line
      isLong = false
    }
    if (rest.length <= longest) continue
    if (!isLong) yield rest
    isLong = true
    rest = ''
  }
  if (rest !== '' && !isLong) yield rest
}
