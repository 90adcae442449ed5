import { describe, expect, it } from 'vitest'
import { placeSpans } from './annotations.ts'
import { shortName, stepsOf } from './training-steps.ts'

const span = (name: string, startNs: number, endNs: number | null) => ({
  name,
  startNs,
  endNs,
  startEvent: startNs / 10,
  endEvent: (endNs ?? 0) / 10,
})
const told = (spans: ReturnType<typeof span>[]) =>
  stepsOf(spans).steps.map(({ number, span: { startNs, endNs }, isWhole }) => `${number} ${startNs}–${endNs}${isWhole ? '' : ' part'}`)

describe('steps', () => {
  it('are the profiler’s own where it tells them', () => {
    const spans = [span('ProfilerStep#4', 100, 200), span('ProfilerStep#3', 0, 100), span('Optimizer.step#SGD.step', 80, 90)]
    expect(told(spans)).toEqual(['3 0–100', '4 100–200'])
    expect(stepsOf(spans).others.map(({ name }) => name)).toEqual(['Optimizer.step#SGD.step'])
  })

  it('run from the end of one optimizer step to the end of the next; the first has no known start', () => {
    const spans = [
      span('Optimizer.step#AdamW.step', 80, 90),
      span('Optimizer.zero_grad#AdamW.zero_grad', 91, 92),
      span('Optimizer.step#AdamW.step', 180, 190),
    ]
    expect(told(spans)).toEqual(['1 0–90 part', '2 90–190'])
  })

  it('follow the optimizer that steps most often', () => {
    const spans = [0, 100, 200].map((at) => span('Optimizer.step#D.step', at + 50, at + 60))
    expect(told([...spans, span('Optimizer.step#G.step', 70, 80), span('Optimizer.step#G.step', 270, 280)])).toHaveLength(3)
  })

  it('are none where nothing repeats or a step has not ended', () => {
    expect(told([span('Optimizer.step#SGD.step', 0, 10)])).toEqual([])
    expect(told([span('Optimizer.step#SGD.step', 0, 10), span('Optimizer.step#SGD.step', 20, null)])).toEqual([])
    expect(told([span('forward', 0, 10), span('forward', 20, 30)])).toEqual([])
  })
})

it('places steps in the first row, the rest below, and leaves out what ended before the first event', () => {
  const spans = [
    span('Optimizer.step#SGD.step', -20, -10),
    span('Optimizer.step#SGD.step', 80, 90),
    span('Optimizer.step#SGD.step', 180, 190),
    span('loss', 100, 120),
  ]
  const rows = placeSpans(spans, 'event', 100, 4).map(({ step, span: { name }, row, x0, x1 }) => `${step ?? name} ${row} ${x0}–${x1}`)
  expect(rows).toEqual(['2 0 -1–9', '3 0 9–19', 'Optimizer.step#SGD.step 1 8–9', 'loss 1 10–12', 'Optimizer.step#SGD.step 1 18–19'])
})

it('shortens what hooks of optimizers repeat', () => {
  expect(['Optimizer.step#AdamW.step', 'Optimizer.zero_grad#SGD.zero_grad', '## forward ##'].map(shortName)).toEqual([
    'AdamW.step',
    'SGD.zero_grad',
    '## forward ##',
  ])
})
