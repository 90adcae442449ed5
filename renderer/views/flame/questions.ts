// Questions that screen, table and picture share.
import { type CaptureSummary, type DeviceSummary, defaultValueType, type ProfileValueType } from '../../../preload/contract/capture.ts'
import { fail, ok, type Result } from '../../../preload/contract/errors.ts'
import { type FlameOptions, type FlameOrder, maxFlameNodes, measuredEvents } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { eventsInside } from '../../focus/axis-ranges.ts'
import { askFilter } from '../../state/filter.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { shownEvent } from '../../state/moment.ts'
import { type ViewState, viewOf } from '../../state/view-state.ts'
import type { Answer, Weighed } from './flame-data.ts'
import { type FlameState, optionsOf, type Weight } from './flame-state.ts'
import type { SpotsAnswer } from './hot-spots.ts'
import { nodesOf, withCallers } from './nodes.ts'

const measures = {
  cursor: 'alive',
  peak: 'alive',
  allocated: 'allocated',
  growth: 'growth',
  area: 'area',
  diff: 'diff',
  values: 'profile',
  changes: 'profile',
} as const satisfies Record<Weight, Weighed['measure']>

type LookedAt = Pick<ViewState, 'device' | 'axis' | 'visible' | 'selectedRange' | 'cursorEvent'>

/** The value type that a profile is shown by; undefined: the capture is no profile. */
export const shownValueType = (capture: CaptureSummary, { valueType }: Pick<FlameState, 'valueType'>): ProfileValueType | undefined =>
  capture.profile ? (capture.profile.valueTypes.find((each) => each.valueType === valueType) ?? defaultValueType(capture)) : undefined

function weighedByValue(device: number, valueType: ProfileValueType): Weighed {
  const weight = valueType.isSigned ? 'changes' : 'values'
  const nothing = { from: 0, end: 0, isSelected: false, isDump: false }
  return {
    ...{ device, weight, unit: 'bytes', measure: measures[weight], valueType },
    ...{ fromEvent: valueType.valueType, toEvent: valueType.valueType, ...nothing },
  }
}

/** What the weights are of: a profile's values; the cursor's moment, the peak, or the selected range, else what is visible of the axis. */
export async function askWeighed(
  capture: CaptureSummary,
  view: LookedAt,
  state: Pick<FlameState, 'weight' | 'unit' | 'valueType'>,
): Promise<Result<Weighed>> {
  const { captureId } = capture
  const { weight, unit } = state
  const valueType = shownValueType(capture, state)
  if (valueType) return ok(weighedByValue(view.device, valueType))
  const device = deviceOf(capture, view.device)
  if (!device) return fail('query/failed', 'The capture has no such device.')
  const isSelected = view.selectedRange !== undefined
  const isDump = device.eventCount === 0
  const base = { device: device.device, weight, unit, measure: measures[weight], isSelected, isDump, valueType }
  if (weight === 'cursor' || weight === 'peak') {
    const event = weight === 'peak' && device.eventCount > 0 ? device.peakEvent : shownEvent(view, device)
    return ok({ ...base, fromEvent: event, toEvent: event, from: event, end: event + 1 })
  }
  const events = await eventsInside({ captureId, device }, view.axis, view.selectedRange ?? view.visible)
  if (!events) return fail('query/failed', 'The events of the range are not known.')
  const { x0: from, x1: end } = events
  return ok({ ...base, ...measuredEvents(base.measure, from, end), from, end })
}

/** What is weighed, as the engine is asked. */
export const questionOf = (captureId: string, { device, measure, unit, fromEvent, toEvent }: Weighed) => ({
  captureId,
  device,
  measure,
  unit,
  fromEvent,
  toEvent,
})

/** The hot spots of what is looked at; undefined without a view. */
export async function askSpots(
  capture: CaptureSummary,
  device: DeviceSummary,
  state: FlameState,
): Promise<Result<SpotsAnswer> | undefined> {
  const { captureId, kind } = capture
  const view = viewOf(captureId)
  if (!view) return undefined
  const [weighed, filter] = await Promise.all([askWeighed(capture, view, state), askFilter(captureId)])
  if (!weighed.ok) return weighed
  if (!filter.ok) return filter
  const options = optionsOf(state, kind)
  const found = await engine.call('flame.spots', { ...questionOf(captureId, weighed.value), options, filter: filter.value })
  return found.ok ? ok({ device: device.device, options: JSON.stringify(options), templates: found.value.templates }) : found
}

/** The tree at and below a node, with at most as many nodes as an answer holds; about a pivot both trees. */
export async function askTree(
  captureId: string,
  weighed: Weighed,
  options: FlameOptions,
  filter: string,
  root: number,
  order: FlameOrder,
): Promise<Result<Answer>> {
  const ask = (direction: FlameOptions['direction']) => {
    const question = { ...questionOf(captureId, weighed), options: { ...options, direction }, filter, root }
    return engine.call('flame.tree', { ...question, order, limit: maxFlameNodes })
  }
  const [answer, callers] = await Promise.all([ask(options.direction), options.pivot === null ? undefined : ask('callers')])
  if (!answer.ok) return answer
  if (callers && !callers.ok) return callers
  const nodes = callers ? withCallers(answer.value, callers.value) : nodesOf(answer.value)
  return ok({ weighed, options: JSON.stringify(options), direction: options.direction, nodes })
}
