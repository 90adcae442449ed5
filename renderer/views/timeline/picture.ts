// The timeline as a finished picture for reports: title, axes, legend and units in it, drawn from the same model as the screen.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import { finishPicture } from '../../picture/finish.ts'
import { pictureTitle } from '../../picture/title.ts'
import { cellPalette } from '../../theme/palette.ts'
import type { PictureOptions } from '../view.ts'
import { fetchPicture } from './picture-data.ts'
import { buildPicture, titleOfDevice } from './picture-model.ts'

/** Draws the view. Same capture, options and view: same bytes. */
export function timelinePicture(capture: CaptureSummary, options: PictureOptions): Promise<Result<Uint8Array | string>> {
  return finishPicture(options, async ({ widthPx, heightPx, rasterScale, tokens, measure }) => {
    const data = await fetchPicture(capture, { widthPx, heightPx }, rasterScale, options)
    if (!data.ok) return data
    const { view, device, emphasis } = data.value
    return ok({
      list: buildPicture(capture, data.value, tokens, measure),
      palette: cellPalette(tokens, view.colorBy, emphasis?.slots),
      title: pictureTitle(capture, device.device, titleOfDevice(device)),
      description: 'Tidemark timeline',
    })
  })
}
