// The GPU context is taken away, as a driver reset or a sleeping laptop does.
import { expect, type Page, test } from '@playwright/test'
import { samplePath } from './files.ts'
import { waitUntilIdle } from './launch.ts'
import { differingShare, inkOf, pixelsOf } from './pixels.ts'
import { canvasOf, openByDrop, press, spanOf, visibleEvents } from './steps.ts'
import { withApp } from './with-app.ts'

/** Takes the WebGL context of the picture away; answers whether there was one. */
async function loseContext(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const canvas = [...document.querySelectorAll<HTMLCanvasElement>('[data-testid=timeline-canvas] canvas')].find((each) =>
      each.getContext('webgl2'),
    )
    const extension = canvas?.getContext('webgl2')?.getExtension('WEBGL_lose_context')
    if (!canvas || !extension) return false
    const gone = new Promise<void>((resolve) => canvas.addEventListener('webglcontextlost', () => resolve(), { once: true }))
    extension.loseContext()
    await gone
    return true
  })
}

async function expectSamePicture(page: Page, before: Awaited<ReturnType<typeof pixelsOf>>): Promise<void> {
  await expect.poll(async () => differingShare(before, await pixelsOf(canvasOf(page)))).toBeLessThan(0.002)
}

test('a lost GPU context brings the same picture back, and it still moves', () =>
  withApp({}, async ({ page }) => {
    await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
    await page.mouse.move(2, 2)
    const before = await pixelsOf(canvasOf(page))
    expect(await loseContext(page)).toBe(true)
    await expectSamePicture(page, before)
    const all = await visibleEvents(page)
    await press(page, '+', '+')
    expect(spanOf(await visibleEvents(page))).toBeLessThan(spanOf(all))
    expect(differingShare(before, await pixelsOf(canvasOf(page)))).toBeGreaterThan(0.05)
    await press(page, '0')
    await expectSamePicture(page, before)
  }))

test('nothing of earlier frames is left in a picture: it equals the one that a fresh context draws', () =>
  withApp({}, async ({ page }) => {
    await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
    await page.mouse.move(2, 2)
    // The event axis fills the picture, the time axis leaves most of it empty.
    for (const keys of [
      ['k', 'ArrowDown', 'x'],
      ['x', '+', '+', 'Escape', 'Escape'],
    ]) {
      await press(page, ...keys)
      const before = await pixelsOf(canvasOf(page))
      expect(await loseContext(page)).toBe(true)
      await expectSamePicture(page, before)
    }
  }))

test('a GPU that is lost again and again is done without', () =>
  withApp({}, async ({ page }) => {
    await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
    await page.mouse.move(2, 2)
    const before = await pixelsOf(canvasOf(page))
    for (let loss = 1; loss <= 3; loss++) {
      await expect.poll(() => loseContext(page), `loss ${loss}`).toBe(true)
      if (loss < 3) await expectSamePicture(page, before)
    }
    await waitUntilIdle(page)
    await expect(page.locator('[data-testid=timeline-canvas] canvas')).toHaveCount(1)
    const flat = await pixelsOf(canvasOf(page))
    expect(inkOf(flat).colours).toBeGreaterThan(40)
    expect(differingShare(before, flat), 'drawn by another painter').toBeLessThan(0.05)
    await press(page, '+', '+')
    expect(differingShare(flat, await pixelsOf(canvasOf(page)))).toBeGreaterThan(0.05)
  }))
