// Says to assistive technology where cursor and selection have gone: the canvas itself is silent.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../preload/contract/queries.ts'
import { formatBytes, formatCount } from '../i18n/format.ts'
import { panelText as t } from '../i18n/part-texts.ts'
import { stackTitle } from '../plot/legend.ts'
import { announce } from '../widgets/announce.ts'
import { focusData } from './focus-data.ts'

/** Starts speaking for a capture in front; returns the stop. */
export function startSpeaking({ captureId }: CaptureSummary): () => void {
  return focusData(captureId).subscribe(({ cursor, details }, old) => {
    if (details && details.allocationId !== old.details?.allocationId) announce(allocationText(details))
    else if (cursor && cursor.event !== old.cursor?.event)
      announce(t('spoken.cursor', { event: formatCount(cursor.event), bytes: formatBytes(cursor.allocated) }))
  })
}

function allocationText({ sizeBytes, title, allocEvent }: AllocationDetails): string {
  const values = { bytes: formatBytes(sizeBytes), stack: stackTitle(title) }
  return allocEvent === null ? t('spoken.allocationBefore', values) : t('spoken.allocation', { ...values, event: formatCount(allocEvent) })
}
