// The page as a finished picture: headline, cause and the sum; and the sum alone, for documents.
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import { formatCount } from '../i18n/format.ts'
import { type DrawnPicture, finishPicture, type PictureTools } from '../picture/finish.ts'
import { drawTitle, titlePx } from '../picture/title.ts'
import { inkOf } from '../plot/ink.ts'
import { fitText } from '../plot/text-fit.ts'
import type { Item } from '../scene/display-list.ts'
import type { PictureOptions } from '../views/view.ts'
import { drawSum, sumHeightPx } from './draw-sum.ts'
import { outcomeLine } from './outcome.ts'
import { asSentence, confidenceText, explanation, hasCause, labelName, diagnosisText as t } from './words.ts'

const marginPx = 16
const sumWidthPx = 796 // as wide as the pictures of a report

/** The bars of the sum as SVG; undefined where there are none. */
export async function sumPicture(page: DiagnosisPage, theme: PictureOptions['theme']): Promise<Result<string | undefined>> {
  const heightPx = sumHeightPx(page.situation)
  if (heightPx === 0) return ok(undefined)
  const options = { format: 'svg', width: sumWidthPx, height: heightPx + 2 * marginPx, scale: 1, theme, wholeRange: true } as const
  const frame = { xPx: marginPx, yPx: marginPx, widthPx: sumWidthPx - 2 * marginPx, heightPx }
  const drawn = await finishPicture(options, async (tools) => ok(listOf(page, drawSum(page.situation, frame, tools), tools)))
  if (!drawn.ok) return drawn
  return typeof drawn.value === 'string' ? ok(drawn.value) : fail('engine/internal', 'The picture is no SVG.')
}

/** The page's head and sum. Same page, same options: same bytes. */
export function pagePicture(page: DiagnosisPage, options: PictureOptions): Promise<Result<Uint8Array | string>> {
  return finishPicture(options, async (tools) => {
    const { widthPx, tokens, measure } = tools
    const heading = `${page.name} · ${t('picture.title')}`
    const said = sayings(page, tools, titlePx)
    const frame = { xPx: marginPx, yPx: said.bottomPx, widthPx: widthPx - 2 * marginPx, heightPx: sumHeightPx(page.situation) }
    const items = [
      ...drawTitle({ heading, facts: momentFacts(page) }, widthPx, tokens, measure),
      ...said.items,
      ...drawSum(page.situation, frame, tools),
    ]
    return ok(listOf(page, items, tools))
  })
}

const listOf = (page: DiagnosisPage, items: readonly Item[], { widthPx, heightPx }: PictureTools): DrawnPicture => ({
  list: [{ clip: { xPx: 0, yPx: 0, widthPx, heightPx }, items }],
  palette: new Uint8Array(256 * 4), // there is no raster
  title: `${page.name} · ${t('picture.title')}`,
  description: outcomeLine(page),
})

const momentFacts = ({ device, event }: DiagnosisPage): string[] => [
  ...(device === null ? [] : [`${t('moment.device')} ${device}`]),
  ...(event === null ? [] : [`${t('moment.event')} ${formatCount(event)}`]),
]

/** Headline, cause, mechanism and evidence, a line each. */
function sayings(page: DiagnosisPage, { widthPx, tokens, measure }: PictureTools, topPx: number): { items: Item[]; bottomPx: number } {
  const ink = inkOf(tokens)
  const { verdict, candidates } = page
  const cause = hasCause(page)
    ? `${labelName(verdict.label)} · ${t('confidence.said', { confidence: confidenceText(verdict.confidence) })}`
    : labelName(verdict.label)
  const lines = [
    { text: outcomeLine(page), sizePx: 17, strong: true, color: ink.t1, px: 30 },
    { text: cause, sizePx: 13, strong: true, color: ink.t1, px: 24 },
    { text: explanation(page), sizePx: 12, strong: false, color: ink.t2, px: 20 },
    ...(candidates[0]?.evidence ?? []).map((each) => ({ text: asSentence(each.text), sizePx: 12, strong: false, color: ink.t2, px: 20 })),
  ]
  let yPx = topPx + 14
  const items = lines.map(({ text, sizePx, strong, color, px }): Item => {
    const fitted = fitText(text, widthPx - 2 * marginPx, (each) => measure(each, sizePx, strong)) ?? ''
    const item: Item = { kind: 'text', xPx: marginPx, yPx, spans: [{ text: fitted, strong }], sizePx, align: 'left', color }
    yPx += px
    return item
  })
  return { items, bottomPx: yPx + 8 }
}
