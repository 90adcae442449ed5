import type { AnnotationSpan } from './annotations.ts'
// Steps of a training run, read from annotations: the profiler's own (ProfilerStep#3), or else from the end of one Optimizer.step to the
// end of the next.

export interface TrainingStep {
  readonly number: number
  readonly span: AnnotationSpan
  readonly isWhole: boolean // begins and ends within the capture
}

interface Found {
  readonly steps: readonly TrainingStep[]
  readonly others: readonly AnnotationSpan[] // annotations that are no steps themselves
}

const profilerStep = /^ProfilerStep#(\d+)$/
const optimizerStep = /^Optimizer\.step#/

/** The steps in order of time; none when nothing repeats. */
export function stepsOf(spans: readonly AnnotationSpan[]): Found {
  const profiled = spans.filter(({ name }) => profilerStep.test(name))
  if (profiled.length > 0) {
    const steps = profiled.map((span) => ({ number: Number(profilerStep.exec(span.name)?.[1]), span, isWhole: span.endNs !== null }))
    return { steps: steps.sort((a, b) => a.span.startNs - b.span.startNs), others: spans.filter(({ name }) => !profilerStep.test(name)) }
  }
  return { steps: betweenOptimizerSteps(spans), others: spans }
}

function betweenOptimizerSteps(spans: readonly AnnotationSpan[]): TrainingStep[] {
  const byName = new Map<string, AnnotationSpan[]>()
  for (const span of spans) {
    if (!optimizerStep.test(span.name) || span.endNs === null) continue
    const known = byName.get(span.name)
    if (known) known.push(span)
    else byName.set(span.name, [span])
  }
  // Several optimizers: the one that steps most often beats the time.
  const beats = [...byName.values()].reduce<AnnotationSpan[]>((most, each) => (each.length > most.length ? each : most), [])
  if (beats.length < 2) return []
  beats.sort((a, b) => a.startNs - b.startNs)
  return beats.map((beat, index): TrainingStep => {
    const before = beats[index - 1]
    const span = { ...beat, startNs: before?.endNs ?? 0, startEvent: before?.endEvent ?? 0 }
    return { number: index + 1, span, isWhole: before !== undefined }
  })
}

/** An annotation in few words: what an optimizer's hook repeats is left out. */
export const shortName = (name: string): string => /^Optimizer\.(?:step|zero_grad)#(.+)$/.exec(name)?.[1] ?? name
