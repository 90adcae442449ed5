// Names of slices on boxes: shortened to what tells them apart, and cut to a width without measuring every try.
import type { Measure } from '../../scene/display-list.ts'

const leastCharacters = 3
const ellipsis = '…'

const looksLikeCpp = /::|^void |^\w+</
const pythonFrame = /^(?:.*[/\\])?([^/\\]+)\((\d+)\): (.+)$/
const builtIn = /^<(?:built-in|method) (?:method |function )?'?([\w.]+)'?(?: .*)?>$/
const moduleCall = /^nn\.Module: (.+)$/

/**
 * The name with what tells it apart first: the function of a Python frame before its file, the class of a module, a kernel without
 * template arguments, parameters and namespaces: `void at::native::f<4, g>(int)` → `f`.
 */
export function shortTitle(title: string): string {
  const frame = pythonFrame.exec(title)
  if (frame) return `${frame[3]} ${frame[1]}:${frame[2]}`
  const named = moduleCall.exec(title) ?? builtIn.exec(title)
  if (named?.[1] !== undefined) return named[1]
  if (!looksLikeCpp.test(title)) return title
  const plain = withoutBrackets(title).trim()
  if (!/^[\w:~ *&]+$/.test(plain) || !plain.includes('::')) return plain === '' ? title : plain
  const words = plain.split(' ')
  const last = words.at(-1) ?? plain
  // "aten::mm" and "cudaLaunchKernel" are names by themselves; of long paths the last part is what differs.
  const parts = last.split('::')
  return parts.length > 2 ? parts.slice(-1).join('::') : last
}

/** What stands outside of all brackets. */
function withoutBrackets(title: string): string {
  let depth = 0
  let text = ''
  for (const character of title) {
    if (character === '<' || character === '(') depth++
    else if (character === '>' || character === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) text += character
  }
  return text
}

interface Cut {
  readonly title: string
  readonly ends: Float64Array // width of the first n characters
}

const mostKept = 20_000

/** Cuts titles for one measure; what is known of a title is kept between frames. */
export class LabelCutter {
  readonly #measure: Measure
  readonly #sizePx: number
  readonly #ellipsisPx: number
  readonly #widths = new Map<string, number>()
  readonly #cuts = new Map<string, Cut>()

  constructor(measure: Measure, sizePx: number) {
    this.#measure = measure
    this.#sizePx = sizePx
    this.#ellipsisPx = measure(ellipsis, sizePx, false)
  }

  /** The short title, cut at its end; undefined where fewer than three characters would be left. */
  fit(title: string, widthPx: number): string | undefined {
    const { title: short, ends } = this.#cutOf(title)
    if ((ends.at(-1) ?? 0) <= widthPx) return short
    const room = widthPx - this.#ellipsisPx
    let count = 0
    while (count < ends.length && (ends[count] ?? 0) <= room) count++
    return count < leastCharacters ? undefined : `${short.slice(0, count).trimEnd()}${ellipsis}`
  }

  #cutOf(title: string): Cut {
    const kept = this.#cuts.get(title)
    if (kept) return kept
    const short = shortTitle(title)
    const ends = new Float64Array(short.length)
    let widthPx = 0
    for (let at = 0; at < short.length; at++) {
      widthPx += this.#widthOf(short.charAt(at))
      ends[at] = widthPx
    }
    const cut = { title: short, ends }
    if (this.#cuts.size > mostKept) this.#cuts.clear()
    this.#cuts.set(title, cut)
    return cut
  }

  #widthOf(character: string): number {
    const kept = this.#widths.get(character)
    if (kept !== undefined) return kept
    const widthPx = this.#measure(character, this.#sizePx, false)
    this.#widths.set(character, widthPx)
    return widthPx
  }
}

let last: { readonly measure: Measure; readonly sizePx: number; readonly cutter: LabelCutter } | undefined

/** The cutter of a measure; made anew when the measure is another one. */
export function cutterOf(measure: Measure, sizePx: number): LabelCutter {
  if (last?.measure === measure && last.sizePx === sizePx) return last.cutter
  const cutter = new LabelCutter(measure, sizePx)
  last = { measure, sizePx, cutter }
  return cutter
}
