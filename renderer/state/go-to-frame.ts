// Text of any frame: goes to the largest allocation whose stack holds it, or narrows the filter to these.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { asTyped } from '../../preload/contract/filter/filter-tokens.ts'
import { engine } from '../data/engine-client.ts'
import { addressInText } from './filter.ts'
import { goToAllocation } from './go-to.ts'
import { patchView, viewOf } from './view-state.ts'

/** Selects the largest allocation of the device with the text in a frame; false when no stack holds it. */
export async function goToFrame({ captureId }: CaptureSummary, text: string): Promise<boolean> {
  const found = await engine.call('stacks.find', { captureId, text })
  const device = viewOf(captureId)?.device
  if (!found.ok || found.value.count === 0 || device === undefined) return false
  const filter = JSON.stringify({ stacks: found.value.stackIds })
  const list = await engine.call('allocation.list', { captureId, device, filter, sort: 'size', descending: true, offset: 0, limit: 1 })
  const [largest] = list.ok ? list.value.rows : []
  if (!largest || viewOf(captureId)?.device !== device) return false
  await goToAllocation(captureId, largest)
  return true
}

/** Adds the text to the filter as a term. */
export function filterByFrame({ captureId }: CaptureSummary, text: string): void {
  const filter = viewOf(captureId)?.filter
  if (!filter) return
  const before = addressInText(filter.text) ? '' : filter.text.trim()
  patchView(captureId, { filter: { ...filter, text: `${before} stack:${asTyped(text)}`.trim() } })
}
