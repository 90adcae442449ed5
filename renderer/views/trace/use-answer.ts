// One answer of the engine to what a panel asks now; the one before stays, marked as pending, until it or a failure is there.
import { useEffect, useState } from 'react'
import type { Failure } from '../../../preload/contract/errors.ts'
import type { EngineInput, EngineMethod, EngineOutput } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'

type TraceMethod = Extract<EngineMethod, `trace.${string}`>

export interface Answer<T> {
  readonly value: T | undefined
  readonly failure: Failure | undefined
  readonly isPending: boolean // the value belongs to another question
}

interface Kept<T> {
  readonly key: string
  readonly value: T | undefined
  readonly failure: Failure | undefined
}

const nothing = { key: '', value: undefined, failure: undefined }

/** Asks when the input changes; undefined asks nothing and answers nothing. */
export function useAnswer<M extends TraceMethod>(method: M, input: EngineInput<M> | undefined): Answer<EngineOutput<M>> {
  const [kept, setKept] = useState<Kept<EngineOutput<M>>>(nothing)
  const key = input === undefined ? '' : JSON.stringify(input)
  useEffect(() => {
    if (key === '') return
    const abort = new AbortController()
    void engine.call(method, JSON.parse(key) as EngineInput<M>, { signal: abort.signal }).then((answer) => {
      if (abort.signal.aborted) return
      setKept(answer.ok ? { key, value: answer.value, failure: undefined } : { key, value: undefined, failure: answer.error })
    })
    return () => abort.abort()
  }, [method, key])
  return key === '' ? { value: undefined, failure: undefined, isPending: false } : { ...kept, isPending: kept.key !== key }
}
