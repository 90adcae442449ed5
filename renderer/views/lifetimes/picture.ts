// The view as a finished picture for reports: title, axes, scale bar or legend and units in it, drawn from the same model as the screen.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import { finishPicture } from '../../picture/finish.ts'
import { pictureTitle } from '../../picture/title.ts'
import type { PictureOptions } from '../view.ts'
import { groundPalette, heatPalette } from './heat.ts'
import { fetchPicture } from './picture-data.ts'
import { buildPicture } from './picture-model.ts'
import { lifetimesText } from './texts.ts'

/** Draws the view. Same capture, options and view: same bytes. */
export function lifetimesPicture(capture: CaptureSummary, options: PictureOptions): Promise<Result<Uint8Array | string>> {
  return finishPicture(options, async (tools) => {
    const found = await fetchPicture(capture, tools, options.wholeRange)
    if (!found.ok) return found
    const { input, filter } = found.value
    if (!input.bars) options.tell?.('heatMap')
    return ok({
      list: buildPicture(capture, input, filter, tools.heightPx),
      palette: input.bars ? groundPalette(tools.tokens) : heatPalette(tools.tokens),
      title: pictureTitle(capture, input.device.device, lifetimesText('picture.title')),
      description: 'Tidemark lifetimes',
    })
  })
}
