// The theme's colours as numbers, for display lists.
import { parseHex, type Rgb } from '../theme/palette.ts'
import type { Tokens } from '../theme/tokens.ts'

export interface Ink {
  readonly canvas: Rgb
  readonly panel: Rgb
  readonly raised: Rgb
  readonly line: Rgb
  readonly line2: Rgb
  readonly mark: Rgb
  readonly grid: Rgb
  readonly t1: Rgb
  readonly t2: Rgb
  readonly t3: Rgb
  readonly curve: Rgb
  readonly curve2: Rgb
  readonly good: Rgb
  readonly bad: Rgb
  readonly selection: Rgb
  readonly selectionEdge: Rgb
  readonly hatch: Rgb
}

const inks = new Map<Tokens, Ink>()

/** The colours of a theme; made once a theme. */
export function inkOf(tokens: Tokens): Ink {
  const known = inks.get(tokens)
  if (known) return known
  const ink: Ink = {
    canvas: parseHex(tokens.canvas),
    panel: parseHex(tokens.panel),
    raised: parseHex(tokens.raised),
    line: parseHex(tokens.line),
    line2: parseHex(tokens.line2),
    mark: parseHex(tokens.mark),
    grid: parseHex(tokens.grid),
    t1: parseHex(tokens.t1),
    t2: parseHex(tokens.t2),
    t3: parseHex(tokens.t3),
    curve: parseHex(tokens.curve),
    curve2: parseHex(tokens.curve2),
    good: parseHex(tokens.good),
    bad: parseHex(tokens.bad),
    selection: parseHex(tokens.selection),
    selectionEdge: parseHex(tokens.selectionEdge),
    hatch: parseHex(tokens.hatch),
  }
  inks.set(tokens, ink)
  return ink
}
