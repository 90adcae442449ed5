// Pieces that the questions of several views share. Units: see capture.ts.
import { z } from 'zod'

export const axisSchema = z.enum(['event', 'time'])
export type Axis = z.infer<typeof axisSchema>

/** Most pixel columns or rows of a viewport, so the longest side of a picture too. The native library has the same limit. */
export const maxSidePx = 16_384

export const f64 = z.instanceof(Float64Array)
export const u8 = z.instanceof(Uint8Array)
export const captureId = z.string()
export const device = z.number().int().min(-1) // −1 = the CPU, in traces
export const event = z.number().int().min(-1) // −1 = before the first
/** JSON of native/README.md, Filters; '' = everything passes. */
export const filter = z.string().max(1_000_000).default('')

/** x in events or nanoseconds since the capture's start; column i covers [x0 + i·w, x0 + (i+1)·w), w = (x1 − x0) / columns. */
export const xRange = { captureId, device, axis: axisSchema, x0: z.number(), x1: z.number() }
export const viewport = { ...xRange, columns: z.number().int().min(1).max(maxSidePx) }

/** Bytes a column: smallest and largest over its events and the state it starts with, and at the representative event. */
export const curveColumns = z.object({ min: f64, max: f64, rep: f64 })

/** Which events the columns show; of every answer with curves. */
export const curveFrame = {
  repEvent: f64, // event whose state the column shows (largest allocated, first such); −1 = before the first
  firstEvent: f64, // half-open range of the column's events; equal when it has none
  lastEvent: f64,
  repTimeNs: f64, // NaN where the file has no times
}
