// Which frames a text finds: the same ones as the engine's question flame.match.
import type { FlameFrame } from './flame-state.ts'

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** True where "filename:name" holds the text, Latin letters in any case. */
export const frameMatches = ({ filename, name }: Pick<FlameFrame, 'filename' | 'name'>, text: string): boolean =>
  lower(`${filename}:${name}`).includes(lower(text))
