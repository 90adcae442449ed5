// The first rows of the table as a finished picture: those that have room, and how many have none.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { AllocationRow, Axis } from '../../../preload/contract/queries.ts'
import { counted, formatBytes } from '../../i18n/format.ts'
import { finishPicture, type PictureTools } from '../../picture/finish.ts'
import { deviceWords, drawTitle, filterWords, pictureTitle, titlePx } from '../../picture/title.ts'
import { inkOf } from '../../plot/ink.ts'
import { fitText } from '../../plot/text-fit.ts'
import type { Item } from '../../scene/display-list.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { type ViewState, viewOf } from '../../state/view-state.ts'
import type { Rgb } from '../../theme/palette.ts'
import type { PictureOptions } from '../view.ts'
import { allocationsData, type Column, columns } from './allocations-data.ts'
import { type CellLook, cellText, columnTitle } from './cells.ts'
import { askRows, listPlace } from './questions.ts'
import { allocationsText as t } from './texts.ts'

const marginPx = 16
const rowPx = 20
const footPx = 24
const mostRows = 1000

/** Shares of the width: names take more than numbers. */
const widths: Readonly<Record<Column, number>> = {
  stack: 3.2,
  size: 1,
  requested: 1,
  category: 1.2,
  life: 1,
  made: 1.5,
  freed: 1.5,
  address: 1.5,
  stream: 1,
  pool: 1,
  id: 0.8,
}
const widthSum = columns.reduce((sum, column) => sum + widths[column], 0)

interface Page {
  readonly rows: readonly AllocationRow[]
  readonly count: number
  readonly bytes: number
  readonly view: ViewState
  readonly look: CellLook
}

/** Draws the view. Same capture, options and view: same bytes. */
export function allocationsPicture(capture: CaptureSummary, options: PictureOptions): Promise<Result<Uint8Array | string>> {
  return finishPicture(options, async (tools) => {
    const page = await fetchPage(capture, Math.floor((tools.heightPx - titlePx - footPx) / rowPx) - 1, options.wholeRange)
    if (!page.ok) return page
    return ok({
      list: [
        {
          clip: { xPx: 0, yPx: 0, widthPx: tools.widthPx, heightPx: tools.heightPx },
          items: [...drawHead(capture, page.value, tools), ...drawRows(page.value, tools)],
        },
      ],
      palette: new Uint8Array(256 * 4), // there is no raster
      title: pictureTitle(capture, page.value.view.device, t('picture.title')),
      description: 'Tidemark allocations',
    })
  })
}

async function fetchPage(capture: CaptureSummary, room: number, fromTop: boolean): Promise<Result<Page>> {
  const { captureId } = capture
  const view = viewOf(captureId)
  const device = view && deviceOf(capture, view.device)
  if (!view || !device) return fail('query/unknown_capture', 'The capture has no view.')
  const data = allocationsData(captureId).getState()
  const limit = Math.max(1, Math.min(room, mostRows))
  const answer = await askRows(listPlace(captureId, view, data), fromTop ? 0 : data.first, limit)
  return answer.ok ? ok({ ...answer.value, view, look: { device, axis: view.axis } }) : answer
}

function orderWords(captureId: string, axis: Axis): string {
  const { column, descending } = allocationsData(captureId).getState().order
  return t('picture.sorted', { column: columnTitle(column, axis), arrow: descending ? '▾' : '▴' })
}

function drawHead(capture: CaptureSummary, { count, bytes, view }: Page, { widthPx, tokens, measure }: PictureTools): Item[] {
  const device = deviceOf(capture, view.device)
  const facts = [
    ...(device ? deviceWords(device) : []),
    t('totals', { ...counted(count), bytes: formatBytes(bytes) }),
    ...filterWords(view.filter),
    orderWords(capture.captureId, view.axis),
  ]
  return drawTitle({ heading: `${capture.sourceName} · ${t('picture.title')}`, facts }, widthPx, tokens, measure)
}

function drawRows({ rows, count, look }: Page, { widthPx, tokens, measure }: PictureTools): Item[] {
  const ink = inkOf(tokens)
  const roomPx = widthPx - 2 * marginPx
  const line = (row: number, cells: readonly string[], color: Rgb): Item[] => {
    let leftPx = marginPx
    return columns.map((column, at): Item => {
      const cellPx = (roomPx * widths[column]) / widthSum
      const text = fitText(cells[at] ?? '', cellPx - 8, (each) => measure(each, 11, false)) ?? ''
      const xPx = column === 'stack' ? leftPx : leftPx + cellPx
      leftPx += cellPx
      const yPx = titlePx + rowPx * (row + 0.5)
      return { kind: 'text', xPx, yPx, spans: [{ text }], sizePx: 11, align: column === 'stack' ? 'left' : 'right', color }
    })
  }
  const head = columns.map((column) => columnTitle(column, look.axis))
  const left = count - rows.length
  const yPx = titlePx + rowPx * (rows.length + 1.5)
  const more: Item = {
    kind: 'text',
    xPx: marginPx,
    yPx,
    spans: [{ text: t('picture.more', counted(left)) }],
    sizePx: 11,
    align: 'left',
    color: ink.t3,
  }
  return [
    ...line(0, head, ink.t3),
    ...rows.flatMap((row, at) =>
      line(
        at + 1,
        columns.map((column) => cellText(row, column, look)),
        ink.t1,
      ),
    ),
    ...(left > 0 ? [more] : []),
  ]
}
