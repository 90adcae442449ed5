// Runs projects of playwright.config.ts, on a virtual screen also where there is a real one: windows that pop up would take the user's keyboard.
import { join } from 'node:path'
import { electronEnvironment } from '../electron.mjs'
import { canFakeDisplay, withVirtualDisplay } from './display.mjs'
import { root, run } from './process.mjs'

/** `label` stands before each line of what is printed. */
export function runWindows(electron, projects, label = '') {
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
  const command = [process.execPath, [cli, 'test', ...projects.map((name) => `--project=${name}`)]]
  const [program, args] = canFakeDisplay() ? withVirtualDisplay(...command) : command
  return run(program, args, { env: electronEnvironment(electron), label })
}
