// Pictures of the view for reports: made by the view, written by the main process, or put on the clipboard.
import { busiestDevice, type CaptureSummary } from '../../preload/contract/capture.ts'
import { ok, type Result } from '../../preload/contract/errors.ts'
import type { PictureFormat } from '../../preload/contract/shell.ts'
import { translate } from '../i18n/language.ts'
import { failureSentence } from '../i18n/texts.ts'
import { askFilter } from '../state/filter.ts'
import { showMessage } from '../state/shell.ts'
import { viewOf } from '../state/view-state.ts'
import { currentTokens } from '../theme/theme.ts'
import type { PictureOptions } from '../views/view.ts'
import { askShell } from './bridge.ts'
import { baseName, tellSaved } from './save-table.ts'
import { activeView } from './views.ts'

/** Draws the view in front as a finished picture: PNG bytes, or SVG text. */
export async function makePicture(capture: CaptureSummary, options: PictureOptions): Promise<Result<Uint8Array<ArrayBuffer> | string>> {
  const picture = await activeView(capture).picture(capture, options)
  if (!picture.ok || typeof picture.value === 'string') return picture as Result<string>
  return ok(new Uint8Array(picture.value)) // memory of its own: shared memory can be neither sent nor put on the clipboard
}

/** What the window draws for a format: of a PDF the SVG, which the main process prints. */
export const drawnFormat = (format: PictureFormat): PictureOptions['format'] => (format === 'pdf' ? 'svg' : format)

/** A file name that says what is in the picture. */
function suggestedImageName(capture: CaptureSummary, format: PictureFormat): string {
  const device = viewOf(capture.captureId)?.device ?? 0
  return `${baseName(capture)}-${activeView(capture).id}${capture.devices.length > 1 ? `-device${device}` : ''}.${format}`
}

/** Makes the picture and asks where to keep it. True when it was saved. */
export async function saveImage(capture: CaptureSummary, format: PictureFormat, options: PictureOptions): Promise<boolean> {
  const picture = await makePicture(capture, options)
  const { width, height } = options
  const saved = picture.ok
    ? await askShell('export.saveImage', { format, width, height, suggestedName: suggestedImageName(capture, format), data: picture.value })
    : picture
  return tellSaved(saved)
}

const clipboardSize = { width: 1600, height: 900 }

/** Puts what is visible on the clipboard as a PNG in the theme of the screen. */
export async function copyImage(capture: CaptureSummary): Promise<void> {
  const picture = await makePicture(capture, { format: 'png', ...clipboardSize, scale: 1, theme: currentTokens().name, wholeRange: false })
  if (!picture.ok || typeof picture.value === 'string') {
    showMessage(picture.ok ? translate('export.copyFailed') : failureSentence(picture.error), 'error')
    return
  }
  try {
    const blob = new Blob([picture.value], { type: 'image/png' })
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })])
    showMessage(translate('export.copied'))
  } catch {
    showMessage(translate('export.copyFailed'), 'error')
  }
}

/** The table of the view in front as CSV: its own, else what is alive at the cursor. */
export const saveCsv = (capture: CaptureSummary): Promise<void> => (activeView(capture).csv?.save ?? saveLiveCsv)(capture)

/** Asks where to write the allocations alive at the cursor, else at the peak, that pass the filter. */
async function saveLiveCsv(capture: CaptureSummary): Promise<void> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const device = view?.device ?? 0
  const peak = (capture.devices.find((each) => each.device === device) ?? busiestDevice(capture))?.peakEvent ?? -1
  const event = view?.cursorEvent ?? peak
  const filter = await askFilter(captureId)
  if (!filter.ok) return showMessage(failureSentence(filter.error), 'error')
  const saved = await askShell('export.saveLiveCsv', {
    captureId,
    device,
    event,
    filter: filter.value,
    suggestedName: `${baseName(capture)}-alive-at-event-${event}.csv`,
  })
  tellSaved(saved)
}
