// A device's memory as one row: allocated as an area, what was held before the profile began as its ground, reserved as a line.
import { formatBytes } from '../../i18n/format.ts'
import { xScaleOf } from '../../plot/axis-input.ts'
import { inkOf } from '../../plot/ink.ts'
import { rightOf } from '../../plot/layout.ts'
import { xToPx } from '../../plot/scales.ts'
import { crisp } from '../../plot/step-curve.ts'
import type { Item } from '../../scene/display-list.ts'
import { mix } from '../../theme/palette.ts'
import type { MemoryRow, ShownRow } from './layout.ts'
import type { TraceInput } from './model-input.ts'

const abovePx = 6 // room above the highest value
const belowPx = 2
const leastFilled = 0.6 // share of the device's memory from which its line is drawn
const labelPx = 10

/** Memory that the device has, where the file tells; undefined without. */
export const capacityOf = ({ tracks }: Pick<TraceInput, 'tracks'>, device: number): number | undefined =>
  tracks.capacities.find((each) => each.device === device)?.bytes

/** The value at the top of a device's row: what it has, while the curves still fill a good part of that. */
function topOfMemory({ devices, tracks }: Pick<TraceInput, 'devices' | 'tracks'>, device: number): number {
  const summary = devices.find((each) => each.device === device)
  const peak = Math.max(summary?.peakReservedBytes ?? 0, summary?.peakAllocatedBytes ?? 0, 1)
  const capacity = capacityOf({ tracks }, device) ?? 0
  return capacity * leastFilled <= peak ? Math.max(peak, capacity) : peak
}

/** Memory rows in sight, of the pinned ones or of the others. */
export function drawMemory(input: TraceInput, pinned: boolean): Item[] {
  return input.shown.flatMap((each) => (each.row.kind === 'memory' && each.row.isPinned === pinned ? drawRow(input, each.row, each) : []))
}

function drawRow(input: TraceInput, row: MemoryRow, { topPx }: ShownRow): Item[] {
  const placed = input.memory.get(row.device)
  if (!placed) return []
  const ink = inkOf(input.tokens)
  const scales = xScaleOf(input)
  const { range, data } = placed
  const columns = data.allocated.max.length
  const bottom = topPx + row.heightPx - belowPx
  const perByte = (row.heightPx - abovePx - belowPx) / topOfMemory(input, row.device)
  const xAt = (column: number) => Math.round(xToPx(scales, range.x0 + ((range.x1 - range.x0) * column) / columns))
  const items: Item[] = []
  const area = ink.mark
  const floor = mix(ink.canvas, ink.mark, 0.5)
  const floorPx = Math.round((input.floors.get(row.device) ?? 0) * perByte)
  eachRun(data.allocated.max, perByte, (first, end, heightPx) => {
    const box = { kind: 'box', xPx: xAt(first), widthPx: xAt(end) - xAt(first), alpha: 1 } as const
    const heldPx = Math.min(floorPx, heightPx)
    if (heightPx > heldPx) items.push({ ...box, yPx: bottom - heightPx, heightPx: heightPx - heldPx, color: area })
    if (heldPx > 0) items.push({ ...box, yPx: bottom - heldPx, heightPx: heldPx, color: floor })
  })
  eachRun(data.reserved.max, perByte, (first, end, heightPx) => {
    if (heightPx > 0)
      items.push({
        kind: 'box',
        xPx: xAt(first),
        yPx: bottom - heightPx,
        widthPx: xAt(end) - xAt(first),
        heightPx: 1,
        color: ink.curve2,
        alpha: 1,
      })
  })
  return [...items, ...capacityLine(input, row.device, bottom, perByte)]
}

/** The memory that the device has, as a dashed line with its name, where it is within the row. */
function capacityLine(input: TraceInput, device: number, bottomPx: number, perByte: number): Item[] {
  const capacity = capacityOf(input, device)
  if (capacity === undefined || capacity > topOfMemory(input, device)) return []
  const { plot } = input.layout
  const { t2, canvas } = inkOf(input.tokens)
  const yPx = crisp(bottomPx - capacity * perByte)
  const text = input.t('row.capacity', { bytes: formatBytes(capacity) })
  const widthPx = input.measure(text, labelPx, false)
  const right = rightOf(plot) - 4
  return [
    { kind: 'path', points: [plot.xPx, yPx, rightOf(plot), yPx], color: t2, alpha: 1, widthPx: 1, dashPx: [4, 3] },
    { kind: 'box', xPx: right - widthPx - 3, yPx: yPx + 2, widthPx: widthPx + 6, heightPx: labelPx + 3, color: canvas, alpha: 0.8 },
    { kind: 'text', xPx: right, yPx: yPx + 2 + (labelPx + 3) / 2, spans: [{ text }], sizePx: labelPx, align: 'right', color: t2 },
  ]
}

/** Calls back with each run of columns of one height in pixels; what is not known is left out. */
export function eachRun(values: Float64Array, pxPerUnit: number, use: (first: number, end: number, heightPx: number) => void): void {
  const heightAt = (column: number) => Math.round((values[column] ?? Number.NaN) * pxPerUnit)
  for (let first = 0; first < values.length; ) {
    const heightPx = heightAt(first)
    let end = first + 1
    while (end < values.length && Object.is(heightAt(end), heightPx)) end++
    if (!Number.isNaN(heightPx)) use(first, end, heightPx)
    first = end
  }
}
