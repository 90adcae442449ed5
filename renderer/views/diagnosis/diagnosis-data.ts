// What the engine says about the failure of a capture. Asked when the view comes to the front, not before.
import { useStore } from 'zustand'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { DiagnosisPage } from '../../../preload/contract/diagnosis.ts'
import type { Failure, Result } from '../../../preload/contract/errors.ts'
import { captureStores } from '../../data/capture-stores.ts'
import { engine } from '../../data/engine-client.ts'
import { sourcesOf } from '../../state/diagnosis-sources.ts'

interface DiagnosisState {
  readonly asked: string | undefined // the sources that `answer`, or the question that is out, is of
  readonly page: DiagnosisPage | undefined
  readonly failure: Failure | undefined
}

const empty: DiagnosisState = { asked: undefined, page: undefined, failure: undefined }

/** The store of a capture. */
const diagnosisData = captureStores(empty)

/** Part of it in React. */
export const useDiagnosis = <T>(captureId: string, pick: (state: DiagnosisState) => T): T => useStore(diagnosisData(captureId), pick)

/** Asks unless the same was asked before; an earlier page stays until the new one is there. */
export async function askDiagnosis({ captureId }: CaptureSummary): Promise<void> {
  const sources = [...sourcesOf(captureId)]
  const asked = JSON.stringify(sources)
  const store = diagnosisData(captureId)
  if (store.getState().asked === asked) return
  store.setState({ asked, failure: undefined })
  const answer = await engine.latest(`diagnosis ${captureId}`, 'diagnosis.capture', { captureId, sources })
  if (store.getState().asked !== asked) return
  if (answer.ok) store.setState({ page: answer.value })
  else store.setState({ asked: answer.error.code === 'query/cancelled' ? undefined : asked, failure: answer.error })
}

/** Asks again after a failure. */
export function retryDiagnosis(capture: CaptureSummary): void {
  diagnosisData(capture.captureId).setState({ asked: undefined })
  void askDiagnosis(capture)
}

/** The page as shown, else asked for: for pictures, which may be made before the view was in front. */
export async function pageOf({ captureId }: CaptureSummary): Promise<Result<DiagnosisPage>> {
  const { page } = diagnosisData(captureId).getState()
  if (page) return { ok: true, value: page }
  return engine.call('diagnosis.capture', { captureId, sources: [...sourcesOf(captureId)] })
}

/** The page as shown. */
export const shownPage = ({ captureId }: CaptureSummary): DiagnosisPage | undefined => diagnosisData(captureId).getState().page
