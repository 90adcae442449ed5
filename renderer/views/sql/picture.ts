// The console as a finished picture for reports: the chart where there is one, else the first rows as a table.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import { counted } from '../../i18n/format.ts'
import { finishPicture, type PictureTools } from '../../picture/finish.ts'
import { drawTitle, titlePx } from '../../picture/title.ts'
import { inkOf } from '../../plot/ink.ts'
import { fitText } from '../../plot/text-fit.ts'
import type { Frame, Item } from '../../scene/display-list.ts'
import type { PictureOptions } from '../view.ts'
import { rowsText } from './actions.ts'
import { cellText, columnWidths, numberColumns } from './cells.ts'
import { chartOf, drawChart } from './chart-model.ts'
import { type SqlResult, sqlState } from './sql-state.ts'
import { sqlViewText as t } from './texts.ts'

const [marginPx, rowPx, textPx] = [16, 20, 11]

/** Draws the view. Same result, same options: same bytes. Errors: `query/bad_argument` while nothing was run. */
export function sqlPicture(capture: CaptureSummary, options: PictureOptions): Promise<Result<Uint8Array | string>> {
  return finishPicture(options, async (tools) => {
    const { result, chart: kind, chartColumn } = sqlState(capture.captureId).getState()
    if (!result) return fail('query/bad_argument', t('result.none'))
    const { widthPx, heightPx, tokens, measure } = tools
    const heading = `${capture.sourceName} · ${t('picture.title')}`
    const statement = result.statement.replace(/\s+/g, ' ')
    const frame = { xPx: marginPx, yPx: titlePx, widthPx: widthPx - 2 * marginPx, heightPx: heightPx - titlePx - marginPx }
    const chart = kind === 'none' ? undefined : chartOf(result, kind, chartColumn, t)
    const items = [
      ...drawTitle({ heading, facts: [rowsText(result), statement] }, widthPx, tokens, measure),
      ...(chart ? drawChart(chart, frame, { tokens, measure, t }) : drawRows(result, frame, tools)),
    ]
    return ok({
      list: [{ clip: { xPx: 0, yPx: 0, widthPx, heightPx }, items }],
      palette: new Uint8Array(256 * 4), // there is no raster
      title: heading,
      description: 'Tidemark SQL result',
    })
  })
}

/** As many columns as fit, as many rows as fit; the rest is counted. */
function drawRows(result: SqlResult, frame: Frame, { tokens, measure }: PictureTools): Item[] {
  const ink = inkOf(tokens)
  const room = Math.max(2, Math.floor(frame.heightPx / rowPx))
  const shown = result.rows.slice(0, result.rows.length + 1 > room ? room - 2 : room - 1)
  const isNumbers = numberColumns(result)
  const widths = fitted(columnWidths(result, t), frame.widthPx)
  const cell = (words: string, column: number, row: number, color: typeof ink.t1): Item => {
    const left = frame.xPx + widths.slice(0, column).reduce((sum, width) => sum + width, 0)
    const width = widths[column] ?? 0
    const line = words.replace(/\s+/g, ' ')
    const spans = [{ text: fitText(line, width - 12, (each) => measure(each, textPx, false)) ?? '' }]
    const isRight = isNumbers[column] ?? false
    const xPx = isRight ? left + width - 12 : left
    return { kind: 'text', xPx, yPx: frame.yPx + (row + 0.5) * rowPx, spans, sizePx: textPx, align: isRight ? 'right' : 'left', color }
  }
  const rule = (row: number): Item => ({
    kind: 'box',
    xPx: frame.xPx,
    yPx: frame.yPx + row * rowPx,
    widthPx: frame.widthPx,
    heightPx: 1,
    color: ink.line,
    alpha: 1,
  })
  const left = result.rows.length - shown.length
  return [
    ...widths.map((_, column) => cell(result.columns[column] ?? '', column, 0, ink.t3)),
    ...shown.flatMap((row, at) => [
      rule(at + 1),
      ...widths.map((_, column) => cell(cellText(row[column] ?? null, t), column, at + 1, ink.t1)),
    ]),
    ...(left > 0 ? [cell(t('picture.more', counted(left)), 0, shown.length + 1, ink.t3)] : []),
  ]
}

const leastPx = 40

/** The widths of the columns that fit, all made narrower alike where that is enough. */
function fitted(widths: readonly number[], roomPx: number): readonly number[] {
  const total = widths.reduce((sum, width) => sum + width, 0)
  const scale = Math.min(1, roomPx / total)
  return widths.map((width) => Math.max(leastPx, width * scale)).slice(0, Math.floor(roomPx / leastPx))
}
