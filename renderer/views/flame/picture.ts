// The flame graph as a finished picture for reports: title, weight, moment and legend in it, drawn from the same model as the screen.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import type { HotSpotTemplate } from '../../../preload/contract/queries.ts'
import { counted } from '../../i18n/format.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { drawColorLegend } from '../../picture/draw-legend.ts'
import { finishPicture, type PictureTools } from '../../picture/finish.ts'
import { deviceWords, drawTitle, filterWords, pictureTitle, titlePx } from '../../picture/title.ts'
import { inkOf } from '../../plot/ink.ts'
import type { Legend } from '../../plot/legend.ts'
import type { DisplayList, Item } from '../../scene/display-list.ts'
import { askFilter } from '../../state/filter.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { viewOf } from '../../state/view-state.ts'
import type { PictureOptions } from '../view.ts'
import { measuredOf, rootOf } from './assemble.ts'
import { type FlameBox, risingBoxes, rowsOf, shownBoxes } from './boxes.ts'
import { hasNumber } from './draw-spots.ts'
import { type FlameState, flameState, isRising, isSigned, optionsOf } from './flame-state.ts'
import { noTemplate, spotMarks, spotNumbers, templateOf } from './hot-spots.ts'
import { layoutFlame, lowRowPx, rowPx } from './layout.ts'
import { flameLegend, hasModuleWeights } from './legend.ts'
import { buildFlame } from './model.ts'
import type { FlameInput } from './model-input.ts'
import type { FlameNodes } from './nodes.ts'
import { askSpots, askTree, askWeighed } from './questions.ts'
import { flameText as t } from './texts.ts'
import { isOfBytes, momentText, nodeTitle, weightText, weightTitle } from './words.ts'

const marginPx = 16
const legendPx = 64

interface PictureInput extends FlameInput {
  readonly template: HotSpotTemplate | undefined
  readonly spotNumbers: readonly (number | undefined)[] | undefined
}

/** Draws the view. Same capture, options and view: same bytes. */
export function flamePicture(capture: CaptureSummary, options: PictureOptions): Promise<Result<Uint8Array | string>> {
  return finishPicture(options, async (tools) => {
    const state = flameState(capture.captureId).getState()
    const input = await fetchInput(capture, tools, options.wholeRange ? { ...state, trail: [] } : state)
    if (!input.ok) return input
    return ok({
      list: buildPicture(capture, input.value, state, tools),
      palette: new Uint8Array(256 * 4), // there is no raster
      title: pictureTitle(capture, input.value.weighed.device, t('picture.title')),
      description: 'Tidemark flame graph',
    })
  })
}

async function fetchInput(capture: CaptureSummary, tools: PictureTools, state: FlameState): Promise<Result<PictureInput>> {
  const { captureId, kind } = capture
  const view = viewOf(captureId)
  if (!view) return fail('query/unknown_capture', 'The capture has no view.')
  const [asked, filter] = await Promise.all([askWeighed(capture, view, state), askFilter(captureId)])
  if (!asked.ok) return asked
  if (!filter.ok) return filter
  const device = deviceOf(capture, asked.value.device)
  const [answer, spots] = await Promise.all([
    askTree(captureId, asked.value, optionsOf(state, kind), filter.value, rootOf(state), state.order),
    state.template === noTemplate || !device ? undefined : askSpots(capture, device, state),
  ])
  if (!answer.ok) return answer
  const template = spots?.ok ? templateOf(spots.value.templates, state.template) : undefined
  const { nodes, weighed, direction } = answer.value
  const layout = layoutFlame(tools.widthPx, tools.heightPx, titlePx + 4, legendPx)
  const boxes = shownBoxes(nodes, 0, layout.rows.widthPx)
  const rowCount = rowsOf(boxes)
  const row = rowCount * rowPx <= layout.rows.heightPx ? rowPx : lowRowPx
  const rises = isRising(state)
  const inSight = Math.floor(layout.rows.heightPx / row)
  const placed = rises ? risingBoxes(boxes, inSight) : boxes
  const spotNumbers = template && drawnNumbers(template, nodes, placed, inSight)
  return ok({
    nodes,
    root: 0,
    boxes: placed,
    isRising: rises,
    rowCount,
    weighed,
    direction,
    measured: measuredOf(capture, weighed),
    colorBy: state.colorBy,
    isCurrent: true,
    layout,
    rowPx: row,
    scrollPx: 0,
    selected: view.selectedNode === undefined ? undefined : nodes.placeOf.get(view.selectedNode),
    marked: new Set(),
    hits: undefined,
    spots: template && spotMarks(nodes, template, spotNumbers),
    template,
    spotNumbers,
    kind: capture.kind,
    tokens: tools.tokens,
    measure: tools.measure,
    t,
  })
}

function buildPicture(capture: CaptureSummary, input: PictureInput, state: FlameState, tools: PictureTools): DisplayList {
  const { tokens, measure, widthPx, heightPx } = tools
  const { rows } = input.layout
  const inSight = Math.floor(rows.heightPx / input.rowPx)
  const words = {
    heading: `${capture.sourceName} · ${t('picture.title')} · ${weightTitle(input.weighed, t)}`,
    facts: factsOf(capture, input, state),
  }
  // A row that is cut is left out: what it says could not be read.
  const whole = { ...input, boxes: input.boxes.filter(({ row }) => row >= 0 && row < inSight) }
  const items = [...drawTitle(words, widthPx, tokens, measure), ...drawLegend(input, tools), ...drawMore(input, inSight, tools)]
  return [...buildFlame(whole), { clip: { xPx: 0, yPx: 0, widthPx, heightPx }, items }]
}

/** Device, moment, total, and whatever of the stacks is left out or turned round. */
function factsOf(
  capture: CaptureSummary,
  { nodes, weighed, measured, kind, template, spotNumbers: numbers }: PictureInput,
  state: FlameState,
): readonly string[] {
  const view = viewOf(capture.captureId)
  const device = deviceOf(capture, weighed.device)
  const { leftOut, hiddenFrames } = nodes.tree
  return [
    ...(device ? deviceWords(device) : []),
    momentText(weighed, t),
    t('picture.total', { total: weightText(nodes, 0, measured, t) }),
    ...((nodes.tree.depth[0] ?? 0) > 0 ? [t('picture.below', { name: nodeTitle(nodes, 0, kind, t) })] : []),
    state.pivot ? t('about', { name: state.pivot.title }) : t(`direction.${state.direction}`),
    ...(state.order === 'time' ? [t('order.said')] : []),
    ...state.with.map(({ title }) => t('chip.with', { name: title })),
    ...state.without.map(({ title }) => t('chip.without', { name: title })),
    ...(view ? filterWords(view.filter) : []),
    ...(template ? spotWords(template, numbers) : []),
    ...(state.hidesLibrary ? [t('hide.count', counted(hiddenFrames))] : []),
    ...(leftOut > 0 ? [t('leftOut', counted(leftOut))] : []),
  ]
}

/** Numbers of the spots whose mark has room for one somewhere in the picture. */
function drawnNumbers(template: HotSpotTemplate, nodes: FlameNodes, boxes: readonly FlameBox[], inSight: number) {
  const places = new Set(
    boxes.flatMap((box) => (box.kind === 'node' && box.row >= 0 && box.row < inSight && hasNumber(box) ? [box.place] : [])),
  )
  return spotNumbers(template, (spot) => spot.nodes.some((node) => places.has(nodes.placeOf.get(node) ?? -1)))
}

/** What the numbers of the marks mean. */
function spotWords({ spots }: HotSpotTemplate, numbers: PictureInput['spotNumbers']): readonly string[] {
  const named = spots.flatMap(({ label }, index) =>
    numbers?.[index] === undefined ? [] : [`${numbers[index]} ${label[currentLanguage()]}`],
  )
  return named.length > 0 ? [`${t('spots.title')}: ${named.join(', ')}`] : []
}

function drawLegend(input: FlameInput, tools: PictureTools): Item[] {
  const { tokens, measure, widthPx, heightPx } = tools
  const legend = flameLegend(input, tokens, t)
  // Areas and counts are no bytes: their swatches come without numbers. What categories hold is always bytes.
  const isByCategory = input.colorBy === 'category' && !isSigned(input.measured.weight)
  const isBytes = isByCategory || isOfBytes(input.measured)
  const shown =
    legend.kind === 'swatches' && !isBytes
      ? { ...legend, swatches: legend.swatches.map((swatch) => ({ ...swatch, bytes: undefined })) }
      : legend
  const { total, bytes } = input.nodes.tree
  const totalBytes = (isByCategory ? bytes : total)[input.root] ?? 0
  const place = { left: marginPx, top: heightPx - legendPx + 24, right: widthPx - marginPx, totalBytes, emphasis: undefined }
  return [...drawLegendHeading(input, legend, tools), ...drawColorLegend(shown, { ...place, tokens, measure })]
}

/** Says what the numbers of modules are: a wide box may hold next to nothing itself. */
function drawLegendHeading(input: FlameInput, { kind }: Legend, { tokens, heightPx }: PictureTools): Item[] {
  if (kind !== 'swatches' || input.colorBy === 'category' || !hasModuleWeights(input)) return []
  const spans = [{ text: t('picture.modules') }]
  return [{ kind: 'text', xPx: marginPx, yPx: heightPx - legendPx + 6, spans, sizePx: 11, align: 'left', color: inkOf(tokens).t3 }]
}

/** How many rows have no room. */
function drawMore({ rowCount }: FlameInput, inSight: number, { tokens, widthPx, heightPx }: PictureTools): Item[] {
  if (rowCount <= inSight) return []
  const spans = [{ text: t('picture.more', counted(rowCount - inSight)) }]
  const yPx = heightPx - legendPx + 4
  return [{ kind: 'text', xPx: widthPx - marginPx, yPx, spans, sizePx: 11, align: 'right', color: inkOf(tokens).t3 }]
}
