// Every question that an opened capture answers.

import { reportDevice } from '../report/device-facts.ts'
import { allocationList, allocationPlace } from './allocation-list.ts'
import { findAllocationByText, liveAllocations } from './allocations.ts'
import { blockAt, blockRaster, blockSegments, blocksWouldFit } from './blocks.ts'
import { categoryTotals } from './categories.ts'
import { allocationDetails } from './details.ts'
import { eventRow } from './events.ts'
import { flameMatch, flameProfile, flameStacks, flameTree } from './flame.ts'
import { flameWithin } from './flame-within.ts'
import { flameSpots } from './hot-spots.ts'
import { lifetimeBars, lifetimeList, lifetimePick, lifetimePlace, lifetimeRaster, lifetimeSpace } from './lifetimes.ts'
import type { QueryHandler, QueryMethod } from './query.ts'
import { spaceCurves, spaceReport } from './space.ts'
import { findStacks, timelineRange, topStacks } from './stacks.ts'
import {
  timelineAnnotations,
  timelineCurves,
  timelineEventAt,
  timelineOutline,
  timelinePick,
  timelineRaster,
  timelineTimeOf,
} from './timeline.ts'
import { traceInstant, traceInstants, traceSlice } from './trace-details.ts'
import { traceOpMemory, traceSteps } from './trace-memory.ts'
import { traceCounter, traceCounterStack, traceInstantMarks, traceRaster } from './trace-pictures.ts'
import { traceSelection } from './trace-selection.ts'
import { traceFlowsOf, traceNext, tracePick, traceSlices } from './trace-slices.ts'
import { traceSpans } from './trace-spans.ts'
import { traceNames, traceTracks } from './trace-tracks.ts'
import { whatIfRun } from './whatif.ts'

export const queryHandlers: { readonly [M in QueryMethod]: QueryHandler<M> } = {
  'timeline.curves': timelineCurves,
  'timeline.raster': timelineRaster,
  'timeline.outline': timelineOutline,
  'timeline.pick': timelinePick,
  'timeline.annotations': timelineAnnotations,
  'timeline.range': timelineRange,
  'timeline.eventAt': timelineEventAt,
  'timeline.timeOf': timelineTimeOf,
  'stacks.top': topStacks,
  'stacks.find': findStacks,
  'allocation.details': allocationDetails,
  'allocation.find': findAllocationByText,
  'allocation.live': liveAllocations,
  'allocation.list': allocationList,
  'allocation.place': allocationPlace,
  'event.row': eventRow,
  'blocks.segments': blockSegments,
  'blocks.raster': blockRaster,
  'blocks.at': blockAt,
  'blocks.wouldFit': blocksWouldFit,
  'space.report': spaceReport,
  'space.curves': spaceCurves,
  'categories.totals': categoryTotals,
  'flame.tree': flameTree,
  'flame.match': flameMatch,
  'flame.profile': flameProfile,
  'flame.stacks': flameStacks,
  'flame.within': flameWithin,
  'flame.spots': flameSpots,
  'lifetimes.space': lifetimeSpace,
  'lifetimes.raster': lifetimeRaster,
  'lifetimes.bars': lifetimeBars,
  'lifetimes.list': lifetimeList,
  'lifetimes.pick': lifetimePick,
  'lifetimes.place': lifetimePlace,
  'trace.tracks': traceTracks,
  'trace.raster': traceRaster,
  'trace.pick': tracePick,
  'trace.slice': traceSlice,
  'trace.names': traceNames,
  'trace.next': traceNext,
  'trace.selection': traceSelection,
  'trace.slices': traceSlices,
  'trace.counter': traceCounter,
  'trace.counterStack': traceCounterStack,
  'trace.instantMarks': traceInstantMarks,
  'trace.instants': traceInstants,
  'trace.instant': traceInstant,
  'trace.opMemory': traceOpMemory,
  'trace.steps': traceSteps,
  'trace.spans': traceSpans,
  'trace.flowsOf': traceFlowsOf,
  'report.device': reportDevice,
  'whatif.run': whatIfRun,
}
