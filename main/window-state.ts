// Where the window was: remembered, and never off the screens that are there now.
import { z } from 'zod'

export const minimumSize = { width: 1024, height: 640 } as const
const defaultSize = { width: 1280, height: 800 } as const

const boundsSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
export type Bounds = z.infer<typeof boundsSchema>
export const windowStateSchema = z.object({ bounds: boundsSchema.optional(), isMaximized: z.boolean().default(false) })
export type WindowState = z.infer<typeof windowStateSchema>

/** At least this much of the title bar must be within a work area, so that the window can be grabbed. */
const grabbable = { width: 120, height: 40 } as const

function isGrabbable(bounds: Bounds, area: Bounds): boolean {
  const width = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x)
  const isTopInside = bounds.y >= area.y && bounds.y + grabbable.height <= area.y + area.height
  return width >= grabbable.width && isTopInside
}

/**
 * Bounds for a new window: the remembered ones when they can be grabbed on some work area, else the default size (the system places it).
 * Sizes never exceed the work area, nor fall below the minimum where the work area allows that.
 */
export function placeWindow(
  remembered: Bounds | undefined,
  workAreas: readonly Bounds[],
): Partial<Bounds> & { width: number; height: number } {
  const area = remembered && workAreas.find((each) => isGrabbable(remembered, each))
  const limit = area ?? workAreas[0] ?? { ...defaultSize, x: 0, y: 0 }
  const clamp = (size: number, least: number, most: number) => Math.min(Math.max(size, least), Math.max(most, 1))
  const wanted = area && remembered ? remembered : defaultSize
  const size = {
    width: clamp(wanted.width, minimumSize.width, limit.width),
    height: clamp(wanted.height, minimumSize.height, limit.height),
  }
  return area && remembered ? { x: remembered.x, y: remembered.y, ...size } : size
}
