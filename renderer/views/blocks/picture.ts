// The block map as a finished picture for reports: title, state, axis, rows, legend and units in it, drawn from the same model as the screen.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import { engine } from '../../data/engine-client.ts'
import { finishPicture, type PictureTools } from '../../picture/finish.ts'
import { pictureTitle } from '../../picture/title.ts'
import { askFilter } from '../../state/filter.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { viewOf } from '../../state/view-state.ts'
import type { PictureOptions } from '../view.ts'
import { hasOrigin, momentOf, requestBytes, requestOf, viewportOf } from './assemble.ts'
import { blockPalette } from './block-colors.ts'
import type { FoundBlock, Picture } from './blocks-data.ts'
import { blocksData, sameMoment } from './blocks-data.ts'
import { blocksState } from './blocks-state.ts'
import { rowsInSight } from './model-input.ts'
import { buildPicture, layoutPicture, type PictureData, wholeRows } from './picture-model.ts'
import { askFit, askGround, askPicture } from './questions.ts'
import { blocksText } from './texts.ts'

const topStackCount = 8
const mostColumns = 8192

/** Draws the view. Same capture, options and view: same bytes. */
export function blocksPicture(capture: CaptureSummary, options: PictureOptions): Promise<Result<Uint8Array | string>> {
  return finishPicture(options, async (tools) => {
    const data = await fetchPicture(capture, tools, options.wholeRange)
    if (!data.ok) return data
    const { picture } = data.value
    return ok({
      list: buildPicture(capture, data.value, tools),
      palette: blockPalette(tools.tokens, picture.colorBy),
      title: pictureTitle(capture, picture.device, blocksText('picture.title')),
      description: 'Tidemark block map',
    })
  })
}

async function fetchPicture(capture: CaptureSummary, tools: PictureTools, isWhole: boolean): Promise<Result<PictureData>> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const moment = view && momentOf(capture, view)
  const device = view && deviceOf(capture, view.device)
  if (!view || !moment || !device) return fail('query/unknown_capture', 'The capture has no view.')
  const state = blocksState(captureId).getState()
  const bytes = requestBytes(capture, moment, state)
  const { order, scaling, colorBy } = state
  const place = { captureId, ...moment, scaling }
  const [ground, filter, fit] = await Promise.all([
    askGround(place, order),
    askFilter(captureId),
    bytes === undefined ? ok(undefined) : askFit(capture, moment, bytes, state),
  ])
  if (!ground.ok) return ground
  if (!filter.ok) return filter
  if (!fit.ok) return fit
  const room = layoutPicture(tools.widthPx, tools.heightPx, { hasRequest: bytes !== undefined, hasOrigin: hasOrigin(capture) }, colorBy)
  const { list } = ground.value
  const shown = isWhole ? { visible: undefined, rowPx: undefined, scrollPx: 0, scaling } : state
  const viewport = viewportOf(
    list,
    { ...shown, rowPx: shown.rowPx ?? rowPxOf(list.lines.length, room.rows.heightPx) },
    room,
    bytes,
    undefined,
  )
  const layout = wholeRows(room, viewport.rowPx)
  const [first, end] = rowsInSight(list.lines.length, viewport.rowPx, viewport.scrollPx, layout.rows)
  const columns = Math.min(layout.plot.widthPx * tools.rasterScale, mostColumns)
  const picture = await askPicture({ ...place, order: ground.value.order }, ground.value, {
    range: viewport.visible,
    first,
    end,
    columns,
    colorBy,
    filter: filter.value,
  })
  if (!picture.ok) return picture
  const stacks = colorBy === 'stack' ? await engine.call('stacks.top', { captureId, ...moment, limit: topStackCount }) : undefined
  if (stacks && !stacks.ok) return stacks
  const held = colorBy === 'category' ? await engine.call('categories.totals', { captureId, ...moment }) : undefined
  if (held && !held.ok) return held
  return ok({
    picture: picture.value,
    device,
    layout,
    viewport,
    hasTimes: capture.hasTimes,
    request: requestOf(capture, moment, state, fit.value),
    stacks: stacks?.value.stacks,
    held: held?.value.categories,
    selected: selectedNow(captureId, picture.value)?.block,
    segment: state.segment,
  })
}

/** All rows of a picture are in it where they can be: it cannot be scrolled. */
const rowPxOf = (lines: number, heightPx: number): number => [64, 48, 32, 24, 20].find((rowPx) => rowPx * lines <= heightPx) ?? 16

/** The selection where the screen has found it at the same moment. */
function selectedNow(captureId: string, picture: Picture): FoundBlock | undefined {
  const { selected } = blocksData(captureId).getState()
  return sameMoment(selected, picture) ? selected : undefined
}
