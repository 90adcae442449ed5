// The legend of the report page: every part and line of the curves, with its bytes at the moment.
import { formatBytes } from '../../i18n/format.ts'
import { inkOf } from '../../plot/ink.ts'
import type { Frame, Item, Measure } from '../../scene/display-list.ts'
import { lines, type Measures, partOf, parts } from '../../space/measures.ts'
import type { Tokens } from '../../theme/tokens.ts'
import { lineDash, partColor } from './colors.ts'
import { fragmentationText as t } from './texts.ts'

export const legendRowPx = 18
const swatchPx = 12
const gapPx = 18

/** Entries from the left, in as many rows as the frame has; an entry without room is left out. */
export function drawLegend(measures: Measures, frame: Frame, tokens: Tokens, measure: Measure): Item[] {
  const ink = inkOf(tokens)
  const entries = [
    ...parts.map((part) => ({ name: t(`part.${part}`), bytes: partOf(measures, part), part })),
    ...lines.map((line) => ({ name: t(`line.${line}`), bytes: measures[line], line })),
  ]
  const items: Item[] = []
  let [xPx, row] = [frame.xPx, 0]
  for (const entry of entries) {
    const spans = [{ text: `${entry.name} ` }, { text: formatBytes(entry.bytes), strong: true }]
    const widthPx = swatchPx + 6 + spans.reduce((sum, { text, strong = false }) => sum + measure(text, 11, strong), 0)
    if (xPx + widthPx > frame.xPx + frame.widthPx && xPx > frame.xPx) [xPx, row] = [frame.xPx, row + 1]
    const yPx = frame.yPx + row * legendRowPx + legendRowPx / 2
    if (yPx > frame.yPx + frame.heightPx) break
    const color = 'line' in entry && entry.line === 'inactiveSplit' ? ink.t2 : ink.curve
    items.push(
      'part' in entry
        ? { kind: 'box', xPx, yPx: yPx - 5, widthPx: swatchPx, heightPx: 10, color: partColor(tokens, entry.part), alpha: 1 }
        : {
            kind: 'path',
            points: [xPx, yPx, xPx + swatchPx, yPx],
            color,
            alpha: 1,
            widthPx: 1.5,
            butt: true,
            dashPx: lineDash[entry.line],
          },
      { kind: 'text', xPx: xPx + swatchPx + 6, yPx, spans, sizePx: 11, align: 'left', color: ink.t2 },
    )
    xPx += widthPx + gapPx
  }
  return items
}
