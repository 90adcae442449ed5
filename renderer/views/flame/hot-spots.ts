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

/** By spot: its number, counted from 1 among those that have a mark; undefined: it has none. */
export function spotNumbers(
  { spots }: HotSpotTemplate,
  isMarked: (spot: HotSpot) => boolean = ({ nodes }) => nodes.length > 0,
): readonly (number | undefined)[] {
  let last = 0
  return spots.map((spot) => (isMarked(spot) ? ++last : undefined))
}

/** By place: the numbers of the spots that are there. */
export function spotMarks(
  nodes: FlameNodes,
  template: HotSpotTemplate,
  numbers = spotNumbers(template),
): ReadonlyMap<number, readonly number[]> {
  const marks = new Map<number, number[]>()
  for (const [index, spot] of template.spots.entries()) {
    const number = numbers[index]
    if (number === undefined) continue
    for (const node of spot.nodes) {
      const place = nodes.placeOf.get(node)
      if (place !== undefined) marks.set(place, [...(marks.get(place) ?? []), number])
    }
  }
  return marks
}
