// The view's part of the side bar: the numbers of the moment, the allocator's settings.
import { MomentFacts, SettingsFacts } from '../../diagnosis/moment-facts.tsx'
import type { ViewProps } from '../view.ts'
import { useDiagnosis } from './diagnosis-data.ts'

/** Nothing until the page is there. */
export function DiagnosisSideBar({ capture }: ViewProps) {
  const { page } = useDiagnosis(capture.captureId)
  if (!page) return null
  return (
    <>
      <MomentFacts diagnosis={page} />
      <SettingsFacts diagnosis={page} />
    </>
  )
}
