// Which template of hot spots is shown, and where its spots are in the picture. Pure.
import type { HotSpot, HotSpotTemplate } from '../../../preload/contract/queries.ts'
import type { FlameNodes } from './nodes.ts'

/** What the engine answered about hot spots; its nodes are those of answers with the same options on the same device. */
export interface SpotsAnswer {
  readonly device: number
  readonly options: string
  readonly templates: readonly HotSpotTemplate[]
}

/** Chooses the first that applies. */
export const autoTemplate = 'auto'
export const noTemplate = 'none'

/** The template in force; undefined: none is wanted, or none applies. */
export function templateOf(templates: readonly HotSpotTemplate[], chosen: string): HotSpotTemplate | undefined {
  return chosen === autoTemplate ? templates.find(({ applies }) => applies) : templates.find(({ id }) => id === chosen)
}

export const isHeld = ({ value, base }: Pick<HotSpot, 'value' | 'base'>): boolean => value > 0 || base > 0

/** By place: the numbers of the spots that are there, counted from 1 as in the side bar. */
export function spotMarks(nodes: FlameNodes, { spots }: HotSpotTemplate): ReadonlyMap<number, readonly number[]> {
  const marks = new Map<number, number[]>()
  for (const [index, spot] of spots.entries()) {
    for (const node of spot.nodes) {
      const place = nodes.placeOf.get(node)
      if (place !== undefined) marks.set(place, [...(marks.get(place) ?? []), index + 1])
    }
  }
  return marks
}
