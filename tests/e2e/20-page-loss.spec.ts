// The page dies: the window loads it again and says what became of the captures. What Playwright knew of the page died with it, so the new
// one is asked through the main process.
import { type ElectronApplication, expect, test } from '@playwright/test'
import { samplePath } from './files.ts'
import { expectShown, openByDrop, tabNamed } from './steps.ts'
import { withApp } from './with-app.ts'

/** An expression's value in the page that there is now; undefined while it is being loaded. */
const inPage = (electron: ElectronApplication, expression: string): Promise<unknown> =>
  electron.evaluate(
    ({ BrowserWindow }, code) =>
      Promise.race([
        BrowserWindow.getAllWindows()[0]
          ?.webContents.executeJavaScript(code)
          .catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, 1000)),
      ]),
    expression,
  )

async function killPage(electron: ElectronApplication): Promise<void> {
  const pid = await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId())
  if (pid === undefined) throw new Error('there is no page')
  process.kill(pid, 'SIGKILL')
}

const tabs = `[...document.querySelectorAll('[role=tab]')].map((tab) => tab.title + (tab.ariaSelected === 'true' ? ', in front' : ''))`
const messages = `[...document.querySelectorAll('.message')].map((message) => message.textContent).join()`

test('captures are opened again once, in their order and with the same one in front; after a second death a message says what was closed', () =>
  withApp({}, async ({ page, electron }) => {
    await openByDrop(page, samplePath('oom'), 'oom.pickle')
    await openByDrop(page, samplePath('ft_lora'), 'ft_lora.pickle')
    await tabNamed(page, 'oom.pickle').click()
    await expectShown(page, 'oom.pickle')
    await killPage(electron)
    await expect.poll(() => inPage(electron, tabs)).toEqual(['oom.pickle, in front', 'ft_lora.pickle'])
    await expect.poll(() => inPage(electron, messages)).toContain('The window stopped and was loaded again. 2 captures were opened again.')
    await expect.poll(() => inPage(electron, `document.querySelector('[data-testid=diagnosis] h2') !== null`)).toBe(true)
    // What is asked is a dialog of the system.
    await electron.evaluate(({ dialog }) => {
      dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false })
    })
    await killPage(electron)
    await expect.poll(() => inPage(electron, messages)).toContain('2 captures were closed; open them from the recent files.')
    expect(await inPage(electron, tabs)).toEqual([])
  }))
