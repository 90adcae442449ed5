// Questions of the lifetime heat map: allocations as rectangles over time and address, order, size, stack or category. See native/README.md, Lifetimes.
import { z } from 'zod'
import { allocationRowSchema } from './allocation.ts'
import { categorySchema } from './categories.ts'
import { axisSchema, captureId, device, f64, filter, maxSidePx, u8, viewport, xRange } from './parts.ts'

export const lifetimeOrderSchema = z.enum(['address', 'address_sqrt', 'allocation', 'size', 'stack', 'category'])
export type LifetimeOrder = z.infer<typeof lifetimeOrderSchema>
/** Bars are colored by the stack or the category of their allocation. */
export const lifetimeColorSchema = z.enum(['stack', 'category'])
export type LifetimeColor = z.infer<typeof lifetimeColorSchema>
export const lifetimeMeasureSchema = z.enum(['bytes', 'allocated', 'freed', 'area', 'age'])
export type LifetimeMeasure = z.infer<typeof lifetimeMeasureSchema>
export const levelScaleSchema = z.enum(['linear', 'sqrt', 'log'])
export type LevelScale = z.infer<typeof levelScaleSchema>

/** y grows downwards, in the unit of the order. */
const yRange = { order: lifetimeOrderSchema, y0: z.number(), y1: z.number() }

/** What lies along y: a stretch of addresses, a size class, a stack or a category. */
const spaceRowSchema = z.object({
  y0: z.number(),
  y1: z.number(),
  address: z.string().optional(), // address orders: start of the stretch
  bytes: z.number().optional(), // address orders: its length
  fromBytes: z.number().optional(), // size: smallest size of the class
  stackId: z.number().optional(), // stack; −1 = none
  category: categorySchema.optional(), // category
  count: z.number().optional(), // size, stack and category: allocations
  title: z.string().optional(), // stack
  place: z.string().optional(),
})
export const lifetimeSpaceSchema = z.object({ y1: z.number(), rows: z.array(spaceRowSchema) })
export type LifetimeSpace = z.infer<typeof lifetimeSpaceSchema>

export const lifetimeRasterSchema = z.object({
  columns: z.number(),
  rows: z.number(),
  /** Column-major, row 0 lowest on screen (largest y): 0 nothing or not reserved, 1 reserved and nothing alive, 2–63 level, + 64 mostly pending free. */
  cells: u8,
  columnTotal: f64, // sum over the column's rows, in the unit of the measure
  max: z.number(), // value of level 63
  shown: z.number(), // allocations in sight
  folded: z.number(), // of these: less than a row high and less than a column wide
  foldedBytes: z.number(),
  meanColumns: z.number(), // mean width of an allocation in columns
})
export type LifetimeRaster = z.infer<typeof lifetimeRasterSchema>

/** Struct of arrays, one item an allocation. x in the unit of the axis; NaN = not in the capture. */
export const lifetimeBarsSchema = z.object({
  count: z.number(), // in sight
  bars: z
    .object({
      allocation: f64,
      start: f64,
      freeRequested: f64,
      freeCompleted: f64,
      y0: f64,
      y1: f64,
      bytes: f64,
      slot: f64, // color slot of its stack, or of its category
      titles: z.array(z.string()), // "name file:line"
    })
    .nullable(), // null = more than the limit
})
export type LifetimeBars = z.infer<typeof lifetimeBarsSchema>

export const lifetimeSortSchema = z.enum(['area', 'size', 'life'])
export const lifetimeListSchema = z.object({
  count: z.number(),
  bytes: z.number(),
  meanBytes: z.number(), // mean bytes alive over the rectangle
  temporary: z.number(), // freed, and alive for at most 40 events
  neverFreed: z.number(),
  rows: z.array(allocationRowSchema.extend({ area: z.number(), life: z.number() })), // inside the rectangle's x range
})

export const lifetimeMethods = {
  'lifetimes.space': { input: z.object({ captureId, device, order: lifetimeOrderSchema }), output: lifetimeSpaceSchema },
  'lifetimes.raster': {
    input: z.object({
      ...viewport,
      ...yRange,
      rows: z.number().int().min(1).max(maxSidePx),
      measure: lifetimeMeasureSchema,
      scale: levelScaleSchema,
      filter,
    }),
    output: lifetimeRasterSchema,
  },
  'lifetimes.bars': {
    input: z.object({
      ...xRange,
      ...yRange,
      filter,
      limit: z.number().int().min(1).max(5000),
      colorBy: lifetimeColorSchema.default('stack'),
    }),
    output: lifetimeBarsSchema,
  },
  'lifetimes.list': {
    input: z.object({
      ...xRange,
      ...yRange,
      filter,
      sort: lifetimeSortSchema,
      limit: z.number().int().min(1).max(1000),
      offset: z.number().int().nonnegative(),
    }),
    output: lifetimeListSchema,
  },
  /** The allocation alive or pending at a point, the largest of several. */
  'lifetimes.pick': {
    input: z.object({ captureId, device, axis: axisSchema, order: lifetimeOrderSchema, x: z.number(), y: z.number(), filter }),
    output: z.object({ allocation: allocationRowSchema.nullable() }),
  },
  /** Where an allocation is drawn; null where its start or end is not in the capture. */
  'lifetimes.place': {
    input: z.object({ captureId, device, axis: axisSchema, order: lifetimeOrderSchema, allocationId: z.number().int() }),
    output: z.object({
      start: z.number().nullable(),
      freeRequested: z.number().nullable(),
      freeCompleted: z.number().nullable(),
      y0: z.number(),
      y1: z.number(),
    }),
  },
} as const
