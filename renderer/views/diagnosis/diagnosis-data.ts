// What the engine says about the failure of a capture. Asked when the view comes to the front, not before.
import { useStore } from 'zustand'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { DiagnosisPage } from '../../../preload/contract/diagnosis.ts'
import { type Failure, ok, type Result } from '../../../preload/contract/errors.ts'
import { captureStores } from '../../data/capture-stores.ts'
import { engine } from '../../data/engine-client.ts'
import { sourcesOf, useSources } from '../../state/diagnosis-sources.ts'

interface DiagnosisState {
  readonly asked: string | undefined // the sources that the question is of that is out or was answered last
  readonly page: DiagnosisPage | undefined
  readonly pageOf: string | undefined // the sources that `page` is of
  readonly failure: Failure | undefined
}

const empty: DiagnosisState = { asked: undefined, page: undefined, pageOf: undefined, failure: undefined }

/** The store of a capture. */
const diagnosisData = captureStores(empty)

const keyOf = (sources: readonly string[]): string => JSON.stringify(sources)

/** The page of a capture in React, or why there is none. isPending: it is of other sources than are attached now, until the new one is there. */
export function useDiagnosis(captureId: string): Pick<DiagnosisState, 'page' | 'failure'> & { readonly isPending: boolean } {
  const { page, pageOf, failure } = useStore(diagnosisData(captureId))
  const sources = useSources(captureId)
  return { page, failure, isPending: failure === undefined && pageOf !== keyOf(sources) }
}

/** Asks unless the same was asked before; an earlier page stays until the new one is there, or until it is known that there is none. */
export async function askDiagnosis({ captureId }: CaptureSummary): Promise<void> {
  const sources = [...sourcesOf(captureId)]
  const asked = keyOf(sources)
  const store = diagnosisData(captureId)
  if (store.getState().asked === asked) return
  store.setState({ asked, failure: undefined })
  const answer = await engine.latest(`diagnosis ${captureId}`, 'diagnosis.capture', { captureId, sources })
  if (store.getState().asked !== asked) return
  if (answer.ok) store.setState({ page: answer.value, pageOf: asked })
  else store.setState({ ...empty, asked: answer.error.code === 'query/cancelled' ? undefined : asked, failure: answer.error })
}

/** Asks again after a failure. */
export function retryDiagnosis(capture: CaptureSummary): void {
  diagnosisData(capture.captureId).setState({ asked: undefined })
  void askDiagnosis(capture)
}

/** The page of the sources that are attached now, where it is known. */
export function shownPage({ captureId }: CaptureSummary): DiagnosisPage | undefined {
  const { page, pageOf } = diagnosisData(captureId).getState()
  return pageOf === keyOf(sourcesOf(captureId)) ? page : undefined
}

/** The same, else asked for: for pictures, which may be made before the view was in front. */
export async function currentPage(capture: CaptureSummary): Promise<Result<DiagnosisPage>> {
  const page = shownPage(capture)
  const { captureId } = capture
  return page ? ok(page) : engine.call('diagnosis.capture', { captureId, sources: [...sourcesOf(captureId)] })
}
