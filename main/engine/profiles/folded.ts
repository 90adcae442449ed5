// Folded stacks: one line a stack, its frames from the root on, then its weight; two weights where two moments are compared.
import { frameText, type StackProfile } from './stack-profile.ts'

/** The separator and line ends cannot stand in a name. */
const plain = (text: string): string => text.replaceAll(';', ':').replaceAll(/[\r\n]+/g, ' ')

export function foldedText({ samples, isDifference }: StackProfile): string {
  const lines = samples.map(({ frames, value, base }) => {
    const stack = frames.map((frame) => plain(frameText(frame))).join(';') || '(all)'
    return isDifference ? `${stack} ${base} ${value}\n` : `${stack} ${value}\n`
  })
  return lines.join('')
}
