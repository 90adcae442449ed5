// The page on the clipboard and as a file.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { DiagnosisPage } from '../../preload/contract/diagnosis.ts'
import type { ReportFormat } from '../../preload/contract/report-job.ts'
import { askShell } from '../app/bridge.ts'
import { tellSaved } from '../app/save-table.ts'
import { utcMinute } from '../sheet/words.ts'
import { copyText } from '../state/copy-text.ts'
import { showMessage, useShell } from '../state/shell.ts'
import { diagnosisHtml, withShortPaths } from './document-html.ts'
import { diagnosisMarkdown } from './markdown.ts'
import { sumPicture } from './picture.ts'
import { diagnosisText as t } from './words.ts'

const version = (): string => useShell.getState().info?.version ?? ''
const lead = (): string => t('document.madeBy', { app: `Tidemark ${version()}`, date: utcMinute(Date.now()) })

/** Puts the page on the clipboard as Markdown, with short paths, and says so. `capture`: whose file facts are told. */
export async function copyDiagnosis(page: DiagnosisPage, capture?: CaptureSummary): Promise<void> {
  if (await copyText(diagnosisMarkdown(withShortPaths(page), capture, lead()))) showMessage(t('action.copied'))
}

const unsafe = /[\\/:*?"<>|]+/g

interface SaveOptions {
  readonly format: ReportFormat
  readonly capture: CaptureSummary | undefined
  /** Paths are cut to their last two parts: whose folders they are is nobody else's business. */
  readonly shortPaths: boolean
}

/** Asks where to keep the page, and says how it went. */
export async function saveDiagnosis(whole: DiagnosisPage, { format, capture, shortPaths }: SaveOptions): Promise<void> {
  const page = shortPaths ? withShortPaths(whole) : whole
  const sum = await sumPicture(page, 'light')
  const suggestedName = `${page.name.replace(unsafe, '-')}-diagnosis.${format}`
  const saved = sum.ok
    ? await askShell('export.saveReport', {
        format,
        suggestedName,
        page: diagnosisHtml(page, { capture, sumSvg: sum.value, lead: lead(), version: version() }),
      })
    : sum
  tellSaved(saved)
}
