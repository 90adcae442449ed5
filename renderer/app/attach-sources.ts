// Files and pasted texts that are given to the diagnosis of an open capture: read with it, and then told what became of each.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { type DiagnosisSource, sourceOfText } from '../../preload/contract/diagnosis.ts'
import { asSentence } from '../diagnosis/words.ts'
import { failuresText as t } from '../failures/texts.ts'
import { captureOf, type OpenRequest } from '../state/captures.ts'
import { attachSources, detachSource, sourcesOf } from '../state/diagnosis-sources.ts'
import { showMessage } from '../state/shell.ts'
import { askDiagnosis, currentPage } from '../views/diagnosis/diagnosis-data.ts'

type Use = DiagnosisSource['use']

/** Reads them with a capture from now on; answers what became of each, by its token. Nothing where the page cannot be made. */
async function attach(capture: CaptureSummary, tokens: readonly string[]): Promise<ReadonlyMap<string, DiagnosisSource>> {
  const { captureId } = capture
  attachSources(captureId, tokens)
  const attached = sourcesOf(captureId)
  await askDiagnosis(capture)
  const page = await currentPage(capture)
  const sources = page.ok ? page.value.sources : []
  return new Map(
    sources.flatMap((source) => {
      const token = source.given === null ? undefined : attached[source.given]
      return token === undefined ? [] : [[token, source] as const]
    }),
  )
}

/** Where several captures take a file, the first of these tells what became of it. */
const byMerit: readonly Use[] = ['read', 'unused', 'others', 'lost', 'misfit']

/** Reads files with captures, says what became of them, and answers those that are of another run: they are read with none. */
export async function attachFiles(captures: readonly CaptureSummary[], files: readonly OpenRequest[]): Promise<readonly OpenRequest[]> {
  const tokens = files.map(({ token }) => token)
  const known = await Promise.all(captures.map(async (capture) => ({ capture, sources: await attach(capture, tokens) })))
  const [first] = captures
  for (const { capture, sources } of known)
    for (const [token, { use }] of sources) if (use === 'misfit' && tokens.includes(token)) detachSource(capture.captureId, token)
  const became = files.map((file) => {
    const told = known.flatMap(({ sources }) => sources.get(file.token) ?? [])
    return { file, source: byMerit.flatMap((use) => told.find((source) => source.use === use) ?? [])[0] }
  })
  for (const use of byMerit) {
    const names = became.filter(({ source }) => source?.use === use).map(({ file }) => file.name)
    if (use !== 'misfit' && names.length > 0 && first && captureOf(first.captureId)) tell(use, names, first)
  }
  const foreign = became.filter(({ source }) => source?.use === 'misfit')
  for (const { file, source } of foreign) showMessage(t('attach.misfit', { why: source?.why ? asSentence(source.why) : file.name }))
  return foreign.map(({ file }) => file)
}

const tell = (use: Exclude<Use, 'misfit'>, names: readonly string[], { sourceName }: CaptureSummary): void =>
  showMessage(t(`attach.${use}`, { name: names.join(', '), capture: sourceName }), use === 'lost' ? 'error' : 'info')

/** Reads a pasted text with a capture where it tells of the capture's failure; answers whether it does. */
export async function attachText(capture: CaptureSummary, text: string): Promise<boolean> {
  const token = sourceOfText(text)
  const { captureId, sourceName } = capture
  const isKnown = sourcesOf(captureId).includes(token)
  const sources = await attach(capture, [token])
  const isRead = sources.get(token)?.use === 'read'
  if (isRead) showMessage(t('attach.read', { name: t('pasted'), capture: sourceName }))
  else if (!isKnown) detachSource(captureId, token)
  return isRead
}
