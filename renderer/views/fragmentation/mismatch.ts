// What the histogram shows, in one sentence.
import { formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { barsOf } from './assemble.ts'
import type { PlacedReport } from './fragmentation-data.ts'
import { requestsAbove } from './size-bars.ts'
import type { Translate } from './texts.ts'

/** How many of the requests so far no free block of this moment could take. */
export function mismatchSentence(report: PlacedReport, t: Translate): string {
  const { largestFreeBytes } = report.value.totals
  if (largestFreeBytes === 0) return t('sizes.nothingFree')
  const { count, all } = requestsAbove(barsOf(report), largestFreeBytes)
  const values = { largest: formatBytes(largestFreeBytes), all: formatCount(all), share: formatShare(count, all) }
  if (all === 0) return t('sizes.noRequests', values)
  return count === 0
    ? t('sizes.allFit', { ...values, count: all, shown: values.all })
    : t('sizes.mismatch', { ...values, count, shown: formatCount(count) })
}
