// What the memory at each device's peak is for, as `tidemark info` tells it.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { isTold } from '../../preload/contract/categories.ts'
import { ok, type Result } from '../../preload/contract/errors.ts'
import { formatBytes } from '../../preload/contract/format.ts'
import type { CategoryTotals } from '../../preload/contract/queries.ts'
import type { Captures } from '../engine/captures.ts'
import { categoryTotals } from '../engine/queries/categories.ts'

export interface PeakCategories {
  readonly device: number
  readonly event: number
  readonly categories: readonly Omit<CategoryTotals['categories'][number], 'rules'>[] // largest first
}

/** The categories at the peak of each device that has events. Errors: those of the store. */
export async function categoriesAtPeaks(captures: Captures, { captureId, devices }: CaptureSummary): Promise<Result<PeakCategories[]>> {
  const capture = captures.get(captureId)
  if (!capture.ok) return capture
  const peaks: PeakCategories[] = []
  for (const { device, peakEvent: event } of devices.filter(({ eventCount }) => eventCount > 0)) {
    const totals = await categoryTotals(capture.value, { captureId, device, event })
    if (!totals.ok) return totals
    const categories = totals.value.categories.map(({ rules: _, ...sum }) => sum).sort((a, b) => b.bytes - a.bytes)
    peaks.push({ device, event, categories })
  }
  return ok(peaks)
}

/** One line of a device; none where nothing is held. */
export function categoryLines(peaks: readonly PeakCategories[], { device, allocationCount, noStackCount }: DeviceSummary): string[] {
  const categories = peaks.find((peak) => peak.device === device)?.categories ?? []
  if (categories.length === 0) return []
  if (!isTold(categories)) {
    const why = noStackCount === allocationCount ? 'the file has no stacks of it' : 'no rule matched'
    return [`    of the peak     not known what it is for: ${why}`]
  }
  const parts = categories.map(({ category, bytes }) => `${formatBytes(bytes)} ${category.replaceAll('_', ' ')}`)
  return [`    of the peak     ${parts.join(', ')}`]
}
