// Which step of the program was at work, by what the program or the profiler annotated.
import type { CaptureMeasures } from './capture-measures.ts'
import type { Reading } from './reading.ts'

export interface Stepping {
  readonly annotated: number | null
  readonly work: Pick<CaptureMeasures, 'optimizerSteps' | 'isInOptimizerStep' | 'stepAtWork'>
}

/** Steps of the recorded history by annotation: those of the profiler, else calls of the optimizer. */
export async function stepsOf(reading: Reading, device: number, event: number): Promise<Stepping> {
  const times = await reading.row(
    `SELECT (SELECT time_ns FROM event WHERE device = d.device AND event = ?) AS time_ns, first_time_ns FROM device AS d WHERE device = ?`,
    [event, device],
  )
  const at = typeof times?.time_ns === 'number' ? times.time_ns : Number.MAX_SAFE_INTEGER
  const from = typeof times?.first_time_ns === 'number' ? times.first_time_ns : 0
  const counts = await reading.row(
    `SELECT sum(name LIKE 'ProfilerStep#%') AS profiler, sum(name LIKE 'Optimizer.step#%') AS optimizer,
       sum(name LIKE 'ProfilerStep#%' AND start_ns >= ?) AS recorded_profiler, sum(name LIKE 'Optimizer.step#%' AND start_ns >= ?) AS recorded_optimizer,
       max(name LIKE 'Optimizer.step#%' AND coalesce(end_ns, ?) >= ?) AS inside
      FROM annotation WHERE start_ns <= ?`,
    [from, from, at, at, at],
  )
  const [profiler, optimizerSteps] = [Number(counts?.profiler ?? 0), Number(counts?.optimizer ?? 0)]
  const recorded = Number((profiler > 0 ? counts?.recorded_profiler : counts?.recorded_optimizer) ?? 0)
  const isInOptimizerStep = Number(counts?.inside ?? 0) > 0
  // A step of the profiler begins before what it holds, one of the optimizer ends the step.
  const byOptimizer = optimizerSteps > 0 ? optimizerSteps + (isInOptimizerStep ? 0 : 1) : null
  return {
    annotated: profiler + optimizerSteps > 0 ? recorded : null,
    work: { optimizerSteps, isInOptimizerStep, stepAtWork: profiler > 0 ? profiler : byOptimizer },
  }
}
