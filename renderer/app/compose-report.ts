// A report of a capture: its facts from the engine, the pictures of its views, one page of both.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../preload/contract/errors.ts'
import type { ReportCategories, ReportDevice } from '../../preload/contract/report.ts'
import { type ReportView, reportViewSchema } from '../../preload/contract/report-job.ts'
import { categoryName, ruleWhy } from '../categories/words.ts'
import { engine } from '../data/engine-client.ts'
import type { DrawnDiagnosis } from '../diagnosis/document-html.ts'
import { sumPicture } from '../diagnosis/picture.ts'
import { mainMoment, type ReportPicture } from '../report/input.ts'
import { lastStretch } from '../report/last-stretch.ts'
import { reportPage } from '../report/page.ts'
import { sourcesOf } from '../state/diagnosis-sources.ts'
import { temporaryEvents } from '../state/filter.ts'
import { hasFailed } from '../state/initial-view.ts'
import { useShell } from '../state/shell.ts'
import { type Range, viewOf } from '../state/view-state.ts'
import type { ViewDefinition } from '../views/view.ts'
import { viewsOf } from './views.ts'

/** On a sheet of paper text of 11 px is 7 pt high at this width, the least that reads well. */
const width = 796
const heights: Readonly<Record<ReportView, number>> = {
  timeline: 470,
  flame: 500,
  fragmentation: 660,
  blocks: 660,
  lifetimes: 520,
  trace: 480,
}

/** The legend is that of the picture above it: so low a timeline leaves it out. */
const stretchHeight = 410

export interface ReportRequest {
  readonly device: DeviceSummary | undefined
  readonly views: readonly ReportView[]
  readonly theme: 'light' | 'dark'
  readonly wholeRange: boolean
  readonly isAsInWindow: boolean // the pictures have the window's cursor, filter and range
  readonly shortPaths: boolean
  readonly notes: readonly string[]
  readonly madeAtMs: number
  /** Before a view is drawn: a hidden window puts it in front. */
  readonly prepare?: (view: ViewDefinition) => void
  /** at: 0-based place of the picture that comes next; undefined = pictures are done. */
  readonly onProgress?: (at: number | undefined) => void
  readonly signal?: AbortSignal
}

/** Views of the window that a report can show of a device, in the report's order. */
export function reportViewsOf(capture: CaptureSummary, device: DeviceSummary | undefined): readonly ReportView[] {
  const offered = viewsOf(capture).filter((view) => view.shows(capture, device))
  return reportViewSchema.options.filter((id) => offered.some((view) => view.id === id))
}

/** The page. Errors: those of the engine's questions and of the pictures, `query/cancelled`. */
export async function composeReport(capture: CaptureSummary, request: ReportRequest): Promise<Result<string>> {
  const { device, shortPaths, notes, madeAtMs } = request
  const facts = device ? await factsOf(capture, device, request.signal) : ok(undefined)
  if (!facts.ok) return facts
  const categories = device && facts.value ? await categoriesOf(capture, device, facts.value, request.signal) : ok(undefined)
  if (!categories.ok) return categories
  const diagnosis = await diagnosisOf(capture, request)
  if (!diagnosis.ok) return diagnosis
  const pictures = await drawPictures(capture, request, facts.value?.failure?.moment.event)
  if (!pictures.ok) return pictures
  request.onProgress?.(undefined)
  const version = useShell.getState().info?.version ?? ''
  return ok(
    reportPage({
      capture,
      device,
      facts: facts.value,
      ...(categories.value ? { categories: categories.value } : {}),
      ...(diagnosis.value ? { diagnosis: diagnosis.value } : {}),
      pictures: pictures.value,
      notes,
      shortPaths,
      madeAtMs,
      version,
      temporaryEvents,
    }),
  )
}

const factsOf = (
  { captureId }: CaptureSummary,
  { device }: DeviceSummary,
  signal: AbortSignal | undefined,
): Promise<Result<ReportDevice>> => engine.call('report.device', { captureId, device, temporaryEvents }, signal ? { signal } : {})

/** What memory is for at the moment that the report dwells on, largest first, with the rules that say so. */
async function categoriesOf(
  { captureId }: CaptureSummary,
  { device }: DeviceSummary,
  facts: ReportDevice,
  signal: AbortSignal | undefined,
): Promise<Result<ReportCategories | undefined>> {
  const event = mainMoment(facts)?.moment.event
  if (event === undefined) return ok(undefined)
  const asked = await engine.call('categories.totals', { captureId, device, event }, signal ? { signal } : {})
  if (!asked.ok) return asked
  const { categories, rules } = asked.value
  const whyOf = (id: string | null) => rules.filter((rule) => rule.id === id).map(ruleWhy)
  const told = categories.map(({ category, bytes, count, rules: matched }) => ({
    category,
    title: categoryName(category),
    bytes,
    count,
    why: matched.flatMap(({ rule }) => whyOf(rule)),
  }))
  return ok(told.sort((a, b) => b.bytes - a.bytes))
}

/** Why memory ran out, with the bars of its sum; undefined where nothing failed. */
async function diagnosisOf(capture: CaptureSummary, { theme, signal }: ReportRequest): Promise<Result<DrawnDiagnosis | undefined>> {
  const { captureId } = capture
  if (!hasFailed(capture)) return ok(undefined)
  const page = await engine.call('diagnosis.capture', { captureId, sources: [...sourcesOf(captureId)] }, signal ? { signal } : {})
  if (!page.ok) return page
  const sumSvg = await sumPicture(page.value, theme)
  return sumSvg.ok ? ok({ page: page.value, sumSvg: sumSvg.value }) : sumSvg
}

async function drawPictures(
  capture: CaptureSummary,
  request: ReportRequest,
  failureEvent: number | undefined,
): Promise<Result<ReportPicture[]>> {
  const pictures: ReportPicture[] = []
  for (const [at, id] of request.views.entries()) {
    if (request.signal?.aborted) return fail('query/cancelled', 'The report was withdrawn.')
    const view = viewsOf(capture).find((each) => each.id === id)
    if (!view) continue
    request.onProgress?.(at)
    request.prepare?.(view)
    const drawn = await drawView(capture, view, id, request, failureEvent)
    if (!drawn.ok) return drawn
    pictures.push(...drawn.value)
  }
  return ok(pictures)
}

/** The picture of a view; of the timeline also the stretch that led to the failure. */
async function drawView(
  capture: CaptureSummary,
  view: ViewDefinition,
  id: ReportView,
  { theme, wholeRange, isAsInWindow }: ReportRequest,
  failureEvent: number | undefined,
): Promise<Result<ReportPicture[]>> {
  const options = { format: 'svg', width, height: heights[id], scale: 1, theme, wholeRange } as const
  const told = failureEvent === undefined ? options : { ...options, legendEvent: failureEvent }
  const whole = await view.picture(capture, told)
  if (!whole.ok) return whole
  const range = id === 'timeline' && wholeRange ? await lastStretchOf(capture, failureEvent) : undefined
  const part = range ? await view.picture(capture, { ...told, range, height: stretchHeight }) : undefined
  if (part && !part.ok) return part
  const pictureOf = (svg: unknown): ReportPicture[] => (typeof svg === 'string' ? [{ view: id, svg, isAsInWindow }] : [])
  return ok([...pictureOf(whole.value), ...pictureOf(part?.value).map((each) => ({ ...each, isLastStretch: true }))])
}

/** Of the timeline's axis: what led to the failure; undefined without one. */
async function lastStretchOf({ captureId }: CaptureSummary, failureEvent: number | undefined): Promise<Range | undefined> {
  const view = viewOf(captureId)
  if (!view || failureEvent === undefined) return undefined
  const { device, axis, full } = view
  const [annotations, time] = await Promise.all([
    engine.call('timeline.annotations', { captureId, device }),
    axis === 'time' ? engine.call('timeline.timeOf', { captureId, device, event: failureEvent }) : undefined,
  ])
  const end = time ? (time.ok ? time.value.timeNs : null) : failureEvent
  if (!annotations.ok || end === null) return undefined
  const ends = annotations.value.spans.flatMap(({ endNs, endEvent }) => (endNs === null ? [] : [axis === 'time' ? endNs : endEvent]))
  return lastStretch(ends, end, full)
}
