// Every question that an opened capture answers.

import { findAllocationByText, liveAllocations } from './allocations.ts'
import { allocationDetails } from './details.ts'
import type { QueryHandler, QueryMethod } from './query.ts'
import { timelineRange, topStacks } from './stacks.ts'
import {
  timelineAnnotations,
  timelineCurves,
  timelineEventAt,
  timelineOutline,
  timelinePick,
  timelineRaster,
  timelineTimeOf,
} from './timeline.ts'

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
  'allocation.details': allocationDetails,
  'allocation.find': findAllocationByText,
  'allocation.live': liveAllocations,
}
