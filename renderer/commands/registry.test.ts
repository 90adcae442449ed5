import { expect, it } from 'vitest'
import { canRun, registerCommands, runCommand } from './registry.ts'

it('runs what was registered last, and what was before once that is removed, in whatever order', () => {
  const ran: string[] = []
  const register = (name: string) => registerCommands({ x: { run: () => ran.push(name) } })
  const [removeShell, removeCapture, removeView] = [register('shell'), register('capture'), register('view')]
  runCommand('x')
  removeCapture()
  runCommand('x')
  removeView()
  runCommand('x')
  expect(ran).toEqual(['view', 'view', 'shell'])
  removeShell()
  expect(canRun('x')).toBe(false)
})
