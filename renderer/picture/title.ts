// The head of a finished picture: file, view, device and what is shown, with the program that made it.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { deviceName, formatBytes } from '../i18n/format.ts'
import { panelText, plotText, textsOf } from '../i18n/part-texts.ts'
import { inkOf } from '../plot/ink.ts'
import { fitText } from '../plot/text-fit.ts'
import type { Item, Measure } from '../scene/display-list.ts'
import { addressInText, type FilterChip, hasChip } from '../state/filter.ts'
import { useShell } from '../state/shell.ts'
import type { AllocationFilter } from '../state/view-state.ts'
import type { Tokens } from '../theme/tokens.ts'

/** Height of the head in CSS pixels. */
export const titlePx = 60
const marginPx = 16
const shellText = textsOf('shell')

/** File, view and device in one line. */
export function pictureTitle({ sourceName, devices }: CaptureSummary, device: number, viewTitle: string): string {
  const type = devices.find((each) => each.device === device)?.deviceType ?? ''
  return `${sourceName} · ${viewTitle} · ${plotText('picture.device', { device: deviceName(device, type) })}`
}

export interface TitleWords {
  readonly heading: string // file and view
  readonly facts: readonly string[] // below it, most telling first: those at the end are left out without room
}

/** Which device, and that its numbers are close where its replay does not end in the file's own state. */
export function deviceWords({ device, deviceType, exact }: Pick<DeviceSummary, 'device' | 'deviceType' | 'exact'>): readonly string[] {
  return [plotText('picture.device', { device: deviceName(device, deviceType) }), ...(exact ? [] : [`≈ ${panelText('approximate.word')}`])]
}

const lifeChips: readonly FilterChip[] = ['temporary', 'neverFreed']

/** What a filter asks for, in words: its text and what else is on; none when all allocations pass. An address filters nothing. */
export function wordsOfFilter(filter: AllocationFilter): readonly string[] {
  const text = addressInText(filter.text) ? '' : filter.text.trim()
  const { minBytes } = filter
  return [
    ...(text === '' ? [] : [`“${text}”`]),
    ...(filter.within ? [filter.within.title] : []),
    ...(minBytes === undefined ? [] : [`≥ ${formatBytes(minBytes)}`]),
    ...lifeChips.filter((chip) => hasChip(filter, chip)).map((chip) => shellText(`filter.${chip}`)),
  ]
}

/** The filter as a fact of the picture, since what it hides is missing there. */
export function filterWords(filter: AllocationFilter): readonly string[] {
  const parts = wordsOfFilter(filter)
  return parts.length === 0 ? [] : [plotText('picture.filtered', { filter: parts.join(', ') })]
}

/** Heading and facts at the top of the picture. */
export function drawTitle({ heading, facts }: TitleWords, widthPx: number, tokens: Tokens, measure: Measure): Item[] {
  const ink = inkOf(tokens)
  const version = useShell.getState().info?.version
  const made = plotText('picture.made', { app: version === undefined ? 'Tidemark' : `Tidemark ${version}` })
  const room = widthPx - 2 * marginPx
  const fitted = fitText(heading, room - measure(made, 11, false) - 24, (text) => measure(text, 16, true)) ?? ''
  const lines = factLines(facts, room, (text) => measure(text, 12, false))
  return [
    { kind: 'text', xPx: marginPx, yPx: 22, spans: [{ text: fitted, strong: true }], sizePx: 16, align: 'left', color: ink.t1 },
    { kind: 'text', xPx: widthPx - marginPx, yPx: 22, spans: [{ text: made }], sizePx: 11, align: 'right', color: ink.t3 },
    ...lines.map(
      (text, at): Item => ({
        kind: 'text',
        xPx: marginPx,
        yPx: lines.length === 1 ? 44 : 40 + at * 14,
        spans: [{ text }],
        sizePx: 12,
        align: 'left',
        color: ink.t2,
      }),
    ),
  ]
}

const mostLines = 2

/** Facts in at most two lines: one without room is left out whole, since half of it could say something else; only a single too long one is cut. */
export function factLines(facts: readonly string[], widthPx: number, measure: (text: string) => number): string[] {
  const lines: string[] = []
  for (const fact of facts) {
    const last = lines.at(-1)
    const joined = last === undefined ? fact : `${last} · ${fact}`
    if (last !== undefined && measure(joined) <= widthPx) lines[lines.length - 1] = joined
    else if (lines.length < mostLines) lines.push(fitText(fact, widthPx, measure) ?? '')
  }
  return lines
}
