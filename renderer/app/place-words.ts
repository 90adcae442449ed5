// Where a note lies, in words.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { deviceName, formatCount } from '../i18n/format.ts'
import { noteText as t } from '../i18n/part-texts.ts'
import { exactTimeLabel } from '../plot/ticks.ts'
import { deviceOf } from '../state/initial-view.ts'
import type { NotePlace } from '../state/notes.ts'

function ofAxis(place: NotePlace): string {
  if (place.kind === 'allocation') return place.name
  const { axis, x0, x1 } = place
  if (axis === 'time') return t('times', { from: exactTimeLabel(x0), to: exactTimeLabel(x1) })
  const [first, last] = [Math.max(0, Math.ceil(x0)), Math.max(0, Math.ceil(x1) - 1)]
  return last <= first ? t('event', { event: formatCount(first) }) : t('events', { first: formatCount(first), last: formatCount(last) })
}

/** The place, with its device where the capture has several. */
export function placeWords(capture: CaptureSummary, place: NotePlace): string {
  const device = capture.devices.length > 1 ? deviceOf(capture, place.device) : undefined
  return device ? `${deviceName(device.device, device.deviceType)} · ${ofAxis(place)}` : ofAxis(place)
}
