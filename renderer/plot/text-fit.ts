// Cutting texts to a width, and keeping them apart.
import { type Frame, type Measure, type TextItem, widthOf } from '../scene/display-list.ts'

const leastCharacters = 3

/** The text, or its start with "…", or undefined when fewer than three characters would be left. */
export function fitText(text: string, widthPx: number, measure: (text: string) => number): string | undefined {
  if (measure(text) <= widthPx) return text
  const characters = [...text]
  let low = 0
  let high = characters.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (measure(`${characters.slice(0, middle).join('')}…`) <= widthPx) low = middle
    else high = middle - 1
  }
  return low < leastCharacters ? undefined : `${characters.slice(0, low).join('').trimEnd()}…`
}

/** The text, or its start and end around "…", or undefined when fewer than three characters would be left. For names that differ at either end. */
export function fitMiddle(text: string, widthPx: number, measure: (text: string) => number): string | undefined {
  if (measure(text) <= widthPx) return text
  const characters = [...text]
  const shortened = (kept: number): string =>
    `${characters.slice(0, Math.ceil(kept / 2)).join('')}…${characters.slice(characters.length - Math.floor(kept / 2)).join('')}`
  let low = 0
  let high = characters.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (measure(shortened(middle)) <= widthPx) low = middle
    else high = middle - 1
  }
  return low < leastCharacters ? undefined : shortened(low)
}

/** The text in lines of a width, cut only at the end of the last: between words, or where the language has no spaces between any characters. */
export function wrapText(text: string, widthPx: number, mostLines: number, measure: (text: string) => number): string[] {
  const parts = text.match(/[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+/g) ?? []
  const lines: string[] = []
  let line = ''
  for (const [at, part] of parts.entries()) {
    if (line === '' || measure((line + part).trimEnd()) <= widthPx) {
      line += part
      continue
    }
    if (lines.length === mostLines - 1) {
      line += parts.slice(at).join('')
      break
    }
    lines.push(line.trimEnd())
    line = part
  }
  const last = fitText(line.trimEnd(), widthPx, measure)
  return last === undefined || last === '' ? lines : [...lines, last]
}

/** The rectangle of a text, in CSS pixels of the picture. */
export function textFrame(item: TextItem, measure: Measure): Frame {
  const widthPx = widthOf(item, measure)
  const xPx = item.align === 'left' ? item.xPx : item.align === 'right' ? item.xPx - widthPx : item.xPx - widthPx / 2
  return { xPx, yPx: item.yPx - item.sizePx / 2, widthPx, heightPx: item.sizePx }
}

/** True when two texts touch. */
export function textsOverlap(a: TextItem, b: TextItem, measure: Measure): boolean {
  const [p, q] = [textFrame(a, measure), textFrame(b, measure)]
  return p.xPx < q.xPx + q.widthPx + 4 && q.xPx < p.xPx + p.widthPx + 4 && p.yPx < q.yPx + q.heightPx + 1 && q.yPx < p.yPx + p.heightPx + 1
}

/** The first of the places where a text touches none of those already `placed`. */
export const freePlace = (places: readonly TextItem[], placed: readonly TextItem[], measure: Measure): TextItem | undefined =>
  places.find((place) => !placed.some((other) => textsOverlap(place, other, measure)))
