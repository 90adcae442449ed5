import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { dismissErrors, holdMessage, releaseMessage, showMessage, useShell } from './shell.ts'

const shown = () => useShell.getState().messages.map(({ text }) => text)

beforeEach(() => {
  vi.useFakeTimers()
  useShell.setState({ messages: [] })
})
afterEach(() => vi.useRealTimers())

it('lets errors leave later than other messages, but not one with something to do about it', () => {
  showMessage('saved')
  showMessage('failed', 'error')
  showMessage('failed, but can be tried again', 'error', { label: 'Again', run: () => undefined })
  vi.advanceTimersByTime(6000)
  expect(shown()).toEqual(['failed', 'failed, but can be tried again'])
  vi.advanceTimersByTime(60_000)
  expect(shown()).toEqual(['failed, but can be tried again'])
})

it('keeps a message that is pointed at, and gives it its whole time afterwards', () => {
  showMessage('failed', 'error')
  const [message] = useShell.getState().messages
  if (!message) throw new Error('no message')
  holdMessage(message)
  vi.advanceTimersByTime(60_000)
  releaseMessage(message)
  vi.advanceTimersByTime(11_000)
  expect(shown()).toEqual(['failed'])
  vi.advanceTimersByTime(1000)
  expect(shown()).toEqual([])
})

it('takes away errors that need no decision when the user goes on, and nothing else', () => {
  showMessage('saved')
  showMessage('failed', 'error')
  showMessage('choose', 'error', { label: 'Again', run: () => undefined })
  dismissErrors()
  expect(shown()).toEqual(['saved', 'choose'])
})

it('says the same thing once', () => {
  showMessage('restored')
  showMessage('saved')
  showMessage('restored')
  expect(shown()).toEqual(['saved', 'restored'])
})
