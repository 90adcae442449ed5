// The analysis process dies: the window says so, brings it back and what was open with it.
import { readdirSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { enginePid, killEngine } from './engine-process.ts'
import { ftLora, largeCapture, samplePath } from './files.ts'
import { dropFiles } from './launch.ts'
import { cursorEvent, curveAtCursor, exactText, expectShown, liveRows, messageOf, openByDrop, press, statusOf, tabsOf } from './steps.ts'
import { withApp } from './with-app.ts'

test('a killed engine comes back, the window says so, and the capture is as it was and usable', () =>
  withApp({}, async ({ page, electron }) => {
    await openByDrop(page, samplePath('oom'), 'oom.pickle')
    await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
    await press(page, 'k', '+')
    await killEngine(electron)
    await expect(messageOf(page, 'The analysis process was restarted and the captures were opened again.')).toBeVisible()
    await expectShown(page, 'ft_lora.pickle')
    expect(await cursorEvent(page), 'the view is kept').toBe(ftLora.peakEvent)
    await press(page, 'Escape', '0', 'k')
    await expect(curveAtCursor(page, 'Allocated')).toHaveAttribute('title', exactText(ftLora.peakBytes))
    await press(page, 't')
    await expect(liveRows(page).first()).toBeVisible()
    await page.keyboard.press('Control+Tab')
    await expectShown(page, 'oom.pickle')
  }))

test('while it is away the status line says that it starts', () =>
  withApp({}, async ({ page, electron }) => {
    await openByDrop(page, samplePath('oom'), 'oom.pickle')
    await page.evaluate(() => {
      const seen: string[] = []
      Object.assign(window, { seenStatus: seen })
      const status = document.querySelector('[data-region=status]')
      if (status)
        new MutationObserver(() => seen.push(status.textContent ?? '')).observe(status, {
          subtree: true,
          childList: true,
          characterData: true,
        })
    })
    await killEngine(electron)
    await expectShown(page, 'oom.pickle')
    const seen = await page.evaluate(() => Reflect.get(window, 'seenStatus') as string[])
    expect(seen.some((text) => text.includes('Analysis process is starting'))).toBe(true)
    await expect(statusOf(page)).not.toContainText('Analysis process is starting')
  }))

test('an engine that does not answer is waited for in words', () =>
  withApp({}, async ({ page, electron }) => {
    await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
    const pid = await enginePid(electron)
    if (pid === undefined) throw new Error('no engine runs')
    process.kill(pid, 'SIGSTOP')
    try {
      await page.keyboard.press('2')
      await expect(statusOf(page)).toContainText('Waiting for an answer')
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await expect(statusOf(page)).toContainText('Index ready')
    await expect(statusOf(page)).not.toContainText('Waiting for an answer')
  }))

test('an engine killed during a load is told with its code; the load starts again on demand and leaves nothing half-made', () =>
  withApp({}, async ({ page, electron, cacheFolder }) => {
    const large = largeCapture()
    await dropFiles(page, [large.path])
    await expect(page.getByRole('progressbar')).toBeVisible()
    await killEngine(electron)
    const alert = page.getByRole('alert')
    await expect(alert.getByRole('heading')).toHaveText('The analysis process stopped')
    await expect(alert.getByText('engine/crashed', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectShown(page, large.name)
    expect(readdirSync(cacheFolder)).toEqual([expect.stringMatching(/\.tidemark$/)])
  }))

test('a capture that was open each time the engine died asks before it is opened again', () =>
  withApp({}, async ({ page, electron }) => {
    await openByDrop(page, samplePath('oom'), 'oom.pickle')
    await killEngine(electron)
    await expectShown(page, 'oom.pickle')
    await killEngine(electron)
    await expect(page.getByRole('alert').getByText('engine/crashed', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectShown(page, 'oom.pickle')
    await expect(tabsOf(page)).toHaveCount(1)
  }))
