// What the user does with the page.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { DiagnosisPage, EvidencePlace } from '../../../preload/contract/diagnosis.ts'
import { deviceOf } from '../../state/initial-view.ts'

/** The moment of the page in a view; undefined where the capture has nothing to show there. */
export function momentPlace(
  capture: CaptureSummary,
  { device, event }: Pick<DiagnosisPage, 'device' | 'event'>,
  view: 'blocks' | 'flame',
): EvidencePlace | undefined {
  const summary = device === null ? undefined : deviceOf(capture, device)
  if (!summary || device === null || event === null || (view === 'blocks' && !capture.hasBlocks)) return undefined
  return { view, device, event, filter: '' }
}
