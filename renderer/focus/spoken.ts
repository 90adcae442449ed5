// Says to assistive technology where cursor and selection have gone: the canvas itself is silent.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../preload/contract/queries.ts'
import { later } from '../data/later.ts'
import { formatBytes, formatCount } from '../i18n/format.ts'
import { panelText as t } from '../i18n/part-texts.ts'
import { allocationTitle } from '../plot/legend.ts'
import type { EventState } from '../plot/placed.ts'
import { announce } from '../widgets/announce.ts'
import { focusData } from './focus-data.ts'

const restMs = 300 // while the cursor moves on, as in play, it is not spoken of

/** Starts speaking for a capture in front; returns the stop. */
export function startSpeaking({ captureId }: CaptureSummary): () => void {
  let cancel: (() => void) | undefined
  const stop = focusData(captureId).subscribe(({ cursor, details }, old) => {
    const isMoved = cursor?.event !== old.cursor?.event
    const isSelected = details !== undefined && details.allocationId !== old.details?.allocationId
    if (isMoved || isSelected) cancel?.()
    if (isSelected) announce(allocationText(details))
    else if (cursor && isMoved) cancel = later(restMs, () => announce(cursorText(cursor)))
  })
  return () => {
    stop()
    cancel?.()
  }
}

const cursorText = ({ event, allocated }: EventState): string =>
  t('spoken.cursor', { event: formatCount(event), bytes: formatBytes(allocated) })

function allocationText(details: AllocationDetails): string {
  const { sizeBytes, allocEvent } = details
  const values = { bytes: formatBytes(sizeBytes), stack: allocationTitle(details) }
  return allocEvent === null ? t('spoken.allocationBefore', values) : t('spoken.allocation', { ...values, event: formatCount(allocEvent) })
}
