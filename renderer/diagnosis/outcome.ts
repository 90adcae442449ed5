// Whether the run failed is not always known: a file that is cut may have lost the failure.
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import { diagnosisText, headline } from './words.ts'

/** True where no failure is on record and the sources do not show that there was none. */
export const isOutcomeUnknown = ({ verdict, situation }: Pick<DiagnosisPage, 'verdict' | 'situation'>): boolean =>
  !situation.isFailure && verdict.label === 'not_enough_evidence'

/** What happened, or that it is not known. */
export const outcomeLine = (page: DiagnosisPage): string =>
  isOutcomeUnknown(page) ? diagnosisText(page.held ? 'headline.unknownOutcome' : 'headline.noFailureText') : headline(page)
