// The view as a finished picture for reports, drawn from the same model as the screen.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { ok, type Result } from '../../../preload/contract/errors.ts'
import { finishPicture } from '../../picture/finish.ts'
import { pictureTitle } from '../../picture/title.ts'
import { viewOf } from '../../state/view-state.ts'
import type { PictureOptions } from '../view.ts'
import { tracePalette } from './colors.ts'
import { fetchPicture } from './picture-data.ts'
import { buildPicture } from './picture-model.ts'
import { traceText } from './texts.ts'

/** Draws the view. Same capture, options and view: same bytes. */
export function tracePicture(capture: CaptureSummary, options: PictureOptions): Promise<Result<Uint8Array | string>> {
  return finishPicture(options, async (tools) => {
    const input = await fetchPicture(capture, tools, options.wholeRange)
    if (!input.ok) return input
    return ok({
      list: buildPicture(capture, input.value, tools.heightPx),
      palette: tracePalette(tools.tokens, input.value.emphasis),
      title: pictureTitle(capture, viewOf(capture.captureId)?.device ?? 0, traceText('picture.title')),
      description: 'Tidemark trace',
    })
  })
}
