// The page as a finished picture.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { Result } from '../../../preload/contract/errors.ts'
import { pagePicture } from '../../diagnosis/picture.ts'
import type { PictureOptions } from '../view.ts'
import { currentPage } from './diagnosis-data.ts'

/** Draws the view. Errors: those of the question. */
export async function diagnosisPicture(capture: CaptureSummary, options: PictureOptions): Promise<Result<Uint8Array | string>> {
  const page = await currentPage(capture)
  return page.ok ? pagePicture(page.value, options) : page
}
