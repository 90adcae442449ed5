// Looks at pictures: screenshots and exported files.
import type { Locator } from '@playwright/test'
import { PNG } from 'pngjs'

export interface Region {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A screenshot of an element, decoded. */
export async function pixelsOf(locator: Locator): Promise<PNG> {
  return PNG.sync.read(await locator.screenshot({ animations: 'disabled', caret: 'hide' }))
}

const colourAt = (png: PNG, x: number, y: number): number => png.data.readUInt32BE((y * png.width + x) * 4) >>> 8

function* coloursOf(png: PNG, region: Region): Generator<number> {
  for (let y = region.y; y < region.y + region.height; y++)
    for (let x = region.x; x < region.x + region.width; x++) yield colourAt(png, x, y)
}

const wholeOf = ({ width, height }: PNG): Region => ({ x: 0, y: 0, width, height })

/** How many colours a region has, and which share of it the commonest one covers. A blank picture has one that covers all. */
export function inkOf(png: PNG, region = wholeOf(png)): { readonly colours: number; readonly background: number } {
  const counts = new Map<number, number>()
  for (const colour of coloursOf(png, region)) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  return { colours: counts.size, background: Math.max(...counts.values()) / (region.width * region.height) }
}

const nearEnough = 8 // of 255 in each channel: drivers round differently

/** The share of pixels in which two pictures of the same size differ visibly. */
export function differingShare(a: PNG, b: PNG): number {
  if (a.width !== b.width || a.height !== b.height) return 1
  let differing = 0
  for (let i = 0; i < a.data.length; i += 4) {
    const far = [0, 1, 2].some((channel) => Math.abs((a.data[i + channel] ?? 0) - (b.data[i + channel] ?? 0)) > nearEnough)
    if (far) differing++
  }
  return differing / (a.width * a.height)
}
