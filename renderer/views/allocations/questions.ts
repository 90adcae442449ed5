// What the table asks the engine: the list in view, a page of it, the place of an allocation in it.
import type { Result } from '../../../preload/contract/errors.ts'
import type { AllocationSort, EngineOutput } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { askFilter } from '../../state/filter.ts'
import type { ViewState } from '../../state/view-state.ts'
import type { AllocationsData } from './allocations-data.ts'

/** All allocations of a device that pass the filter of its view, in an order. */
export interface ListPlace {
  readonly captureId: string
  readonly device: number
  readonly sort: AllocationSort
  readonly descending: boolean
}

export const pageRows = 200

/** The list as it is looked at. */
export function listPlace(
  captureId: string,
  { device, axis }: Pick<ViewState, 'device' | 'axis'>,
  { order: { column, descending } }: Pick<AllocationsData, 'order'>,
): ListPlace {
  return { captureId, device, sort: column === 'life' && axis === 'time' ? 'life_ns' : column, descending }
}

/** Equal for equal lists. */
export const listKey = (place: ListPlace, { filter }: Pick<ViewState, 'filter'>): string => JSON.stringify([place, filter])

/** Rows of the list from `offset` on. */
export async function askRows(place: ListPlace, offset: number, limit: number): Promise<Result<EngineOutput<'allocation.list'>>> {
  const filter = await askFilter(place.captureId)
  return filter.ok ? engine.call('allocation.list', { ...place, filter: filter.value, offset, limit }) : filter
}

/** Where an allocation stands in the list; null where the filter leaves it out. */
export async function askPlace(place: ListPlace, allocationId: number): Promise<Result<EngineOutput<'allocation.place'>>> {
  const filter = await askFilter(place.captureId)
  return filter.ok ? engine.call('allocation.place', { ...place, filter: filter.value, allocationId }) : filter
}
