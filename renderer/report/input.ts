// What a report is made of. The page follows from it alone: same input and language, same bytes.
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import type { ReportCategories, ReportDevice, ReportFailure, ReportMoment } from '../../preload/contract/report.ts'
import type { ReportView } from '../../preload/contract/report-job.ts'
import type { DrawnDiagnosis } from '../diagnosis/document-html.ts'

export interface ReportPicture {
  readonly view: ReportView
  readonly svg: string
  readonly isAsInWindow: boolean // drawn with the window's cursor, filter and range
  readonly isLastStretch?: boolean // of the timeline: what led to the failure, drawn larger
}

export interface ReportInput {
  readonly capture: CaptureSummary
  /** What it is about; both absent in a trace without memory. */
  readonly device: DeviceSummary | undefined
  readonly facts: ReportDevice | undefined
  readonly categories?: ReportCategories
  /** Of a capture with a failure: the first page. */
  readonly diagnosis?: DrawnDiagnosis
  readonly pictures: readonly ReportPicture[]
  readonly notes: readonly string[]
  readonly shortPaths: boolean
  readonly madeAtMs: number // Unix time
  readonly version: string // of this program
  readonly temporaryEvents: number
}

/** A device with its facts: what most sections need. */
export interface DeviceInput extends ReportInput {
  readonly device: DeviceSummary
  readonly facts: ReportDevice
}

export type MomentName = 'failure' | 'peak' | 'dump'

export interface NamedMoment {
  readonly name: MomentName
  readonly moment: ReportMoment
  readonly failure: ReportFailure | null
}

/** True where the diagnosis is of the failure that the report dwells on: then it is the summary, and nothing that it tells is told twice. */
export function isDiagnosed({ diagnosis, device, facts }: ReportInput): boolean {
  const failure = facts?.failure
  return failure != null && diagnosis?.page.device === device?.device && diagnosis?.page.event === failure.moment.event
}

/** The moment that the report dwells on: the last failure, else the peak, else the dump. */
export function mainMoment({ failure, peak, dump }: ReportDevice): NamedMoment | undefined {
  if (failure) return { name: 'failure', moment: failure.moment, failure }
  if (peak) return { name: 'peak', moment: peak, failure: null }
  return dump ? { name: 'dump', moment: dump, failure: null } : undefined
}
