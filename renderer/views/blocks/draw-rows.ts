// What stands beside the bars: addresses, sizes and streams on the left, the segments' numbers on the right.
import { formatAddress, formatBytes, formatShare } from '../../i18n/format.ts'
import { inkOf } from '../../plot/ink.ts'
import { fitMiddle } from '../../plot/text-fit.ts'
import type { Item, TextSpan } from '../../scene/display-list.ts'
import { type ColumnName, scrollSparePx, twoLinesFromPx } from './layout.ts'
import type { Line } from './lines.ts'
import { type BlocksInput, rowsInSight, rowTop } from './model-input.ts'
import { isDefaultPool, streamWord } from './names.ts'

const leftPx = 16
const gapPx = 12

/** Texts and rules of the rows in sight. The first row in sight names its segment, even where the segment began above it. */
export function drawRows(input: BlocksInput): Item[] {
  const { picture, layout, rowPx, scrollPx } = input
  const { lines } = picture.list
  const items: Item[] = []
  const [first, end] = rowsInSight(lines.length, rowPx, scrollPx, layout.rows)
  const largest = largestFree(input)
  for (let row = first; row < end; row++) {
    const line = lines[row]
    if (!line) break
    const isHead = line.offset === 0 || row === first
    items.push(...drawRule(input, row, line), ...drawName(input, row, line, isHead))
    if (isHead) items.push(...drawNumbers(input, row, line, largest))
  }
  return input.isFinished ? items : [...items, ...drawScroll(input)]
}

/** How much of the rows is in sight, at the right edge; nothing when all are. */
function drawScroll({ picture, layout, rowPx, scrollPx, tokens }: BlocksInput): Item[] {
  const { yPx, heightPx } = layout.rows
  const allPx = picture.list.lines.length * rowPx + scrollSparePx
  if (allPx - scrollSparePx <= heightPx) return []
  const thumbPx = Math.max(24, (heightPx / allPx) * heightPx)
  const topPx = yPx + (scrollPx / (allPx - heightPx)) * (heightPx - thumbPx)
  return [{ kind: 'box', xPx: layout.widthPx - 8, yPx: topPx, widthPx: 4, heightPx: thumbPx, color: inkOf(tokens).line2, alpha: 1 }]
}

/** Bytes of the largest free block of all segments. */
export const largestFree = ({ picture }: Pick<BlocksInput, 'picture'>): number =>
  picture.segments.largestFreeBytes.reduce((most, bytes) => Math.max(most, bytes), 0)

function drawRule(input: BlocksInput, row: number, line: Line): Item[] {
  const { picture, tokens, layout, rowPx } = input
  const ink = inkOf(tokens)
  const isSelected = picture.segments.addresses[line.segment] === input.segment
  const top = Math.round(rowTop(input, row))
  const items: Item[] = []
  if (isSelected) {
    items.push({ kind: 'box', xPx: 0, yPx: top, widthPx: layout.widthPx, heightPx: rowPx, color: ink.raised, alpha: 1 })
    items.push({ kind: 'box', xPx: 0, yPx: top, widthPx: 3, heightPx: rowPx, color: ink.t1, alpha: 1 })
  }
  if (line.offset === 0 && row > 0)
    items.push({ kind: 'box', xPx: leftPx, yPx: top, widthPx: layout.widthPx - 2 * leftPx, heightPx: 1, color: ink.grid, alpha: 1 })
  return items
}

function drawName(input: BlocksInput, row: number, line: Line, isHead: boolean): Item[] {
  const { picture, tokens, measure, rowPx, layout } = input
  const ink = inkOf(tokens)
  const middle = rowTop(input, row) + rowPx / 2
  const room = layout.plot.xPx - leftPx - gapPx
  const text = (spans: readonly TextSpan[], yPx: number, sizePx: number): Item => ({
    kind: 'text',
    xPx: leftPx,
    yPx,
    spans,
    sizePx,
    align: 'left',
    color: ink.t3,
  })
  const offset = line.offset === 0 ? '' : `+${formatBytes(line.offset)}`
  if (!isHead) return [text([{ text: offset }], middle, 11)]
  const address: TextSpan = { text: formatAddress(picture.segments.addresses[line.segment] ?? ''), mono: true, color: ink.t1 }
  const size = formatBytes(picture.segments.totalBytes[line.segment] ?? 0)
  const measured = (each: string) => measure(each, 11, false)
  const facts = [offset === '' ? size : `${size} ${offset}`, ...origin(input, line)].join(' · ')
  if (rowPx < twoLinesFromPx) {
    const left = room - measure(address.text, 11, false, true) - 8
    const aside = [facts, size, ''].find((each) => measured(each) <= left) ?? ''
    return [text([address, { text: `  ${offset === '' || input.hasOrigin ? aside : offset}` }], middle, 11)]
  }
  return [text([address], middle - 7, 12), text([{ text: fitMiddle(facts, room, measured) ?? size }], middle + 7, 11)]
}

/** Stream, and the pool where it is not the default one. Where all are alike, only rows with room for two lines name them. */
function origin({ picture, t, hasOrigin, rowPx }: BlocksInput, { segment }: Line): string[] {
  if (!hasOrigin && rowPx < twoLinesFromPx) return []
  const pool = picture.segments.pools[segment] ?? ''
  const isDefault = pool === '' || isDefaultPool(pool)
  return [streamWord(picture.segments.streams[segment] ?? '', t), ...(isDefault ? [] : [t('poolNamed', { pool })])]
}

function drawNumbers(input: BlocksInput, row: number, { segment }: Line, largest: number): Item[] {
  const { picture, layout, tokens, rowPx } = input
  const ink = inkOf(tokens)
  const at = (values: Float64Array): number => values[segment] ?? 0
  const { allocatedBytes, totalBytes, freeBytes, largestFreeBytes } = picture.segments
  const texts: Readonly<Record<ColumnName, string>> = {
    allocated: formatBytes(at(allocatedBytes)),
    share: formatShare(at(allocatedBytes), at(totalBytes)),
    free: formatBytes(at(freeBytes)),
    largest: formatBytes(at(largestFreeBytes)),
  }
  return layout.columns.map(({ name, rightPx }): Item => {
    const strong = name === 'largest' && largest > 0 && at(largestFreeBytes) === largest
    const color = name === 'share' ? ink.t3 : strong ? ink.t1 : ink.t2
    const yPx = rowTop(input, row) + rowPx / 2
    return { kind: 'text', xPx: rightPx, yPx, spans: [{ text: texts[name], strong }], sizePx: rowPx < 24 ? 11 : 12, align: 'right', color }
  })
}
