// Composes a report of the capture in front: which pictures, whose notes, how much of the paths, HTML or PDF.
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { type ReportFormat, type ReportView, reportFormatSchema } from '../../../preload/contract/report-job.ts'
import { textsOf, useTexts } from '../../i18n/part-texts.ts'
import { commandTitle } from '../../i18n/texts.ts'
import { deviceOf } from '../../state/initial-view.ts'
import { notesOf, useNotes } from '../../state/notes.ts'
import { showDialog } from '../../state/shell.ts'
import { viewOf } from '../../state/view-state.ts'
import { Modal } from '../../widgets/modal.tsx'
import { reportViewsOf } from '../compose-report.ts'
import { placeWords } from '../place-words.ts'
import { type SaveProgress, saveReport } from '../save-report.ts'
import { Field } from './settings-dialog.tsx'

const reportText = textsOf('report')

interface Choice {
  readonly format: ReportFormat
  readonly views: readonly ReportView[]
  readonly wholeRange: boolean
  readonly theme: 'light' | 'dark'
  readonly notes: string
  readonly keptNotes: boolean // those of the capture too
  readonly shortPaths: boolean
}

/** The dialog for one capture. What it needs stays until it is closed; closing it while it works withdraws the report. */
export function ReportDialog({ capture }: { readonly capture: CaptureSummary }) {
  const t = useTexts(reportText)
  const device = deviceOf(capture, viewOf(capture.captureId)?.device ?? 0)
  const offered = reportViewsOf(capture, device)
  const [choice, setChoice] = useState<Choice>({
    format: 'html',
    views: offered,
    wholeRange: true,
    theme: 'light',
    notes: '',
    keptNotes: true,
    shortPaths: true,
  })
  const [progress, setProgress] = useState<SaveProgress | undefined>()
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const close = () => showDialog(undefined)
  const change = (patch: Partial<Choice>) => setChoice({ ...choice, ...patch })
  const save = async () => {
    const controller = new AbortController()
    running.current = controller
    const { notes, keptNotes, ...chosen } = choice
    const saved = await saveReport(capture, {
      ...chosen,
      device,
      views: offered.filter((view) => choice.views.includes(view)),
      notes: [...(notes.trim() === '' ? [] : [notes]), ...(keptNotes ? notesInWords(capture) : [])],
      signal: controller.signal,
      onProgress: setProgress,
    })
    if (controller.signal.aborted) return
    setProgress(undefined)
    if (saved) close()
  }
  return (
    <Modal label={t('dialog.title')} className='report-dialog' onClose={close}>
      <h1>{t('dialog.title')}</h1>
      <p className='weak'>{t('dialog.intro')}</p>
      <div className='dialog-scroll'>
        <ReportFields choice={choice} offered={offered} onChange={change} />
        <KeptNotesField capture={capture} isChosen={choice.keptNotes} onChange={(keptNotes) => change({ keptNotes })} />
      </div>
      <div className='actions end'>
        <span className='weak grow' role='status'>
          {progress && progressText(progress)}
        </span>
        <button type='button' className='button' onClick={close}>
          {t('dialog.cancel')}
        </button>
        <button type='button' className='button primary' disabled={progress !== undefined} onClick={() => void save()}>
          {t('dialog.save')}
        </button>
      </div>
    </Modal>
  )
}

function progressText(progress: SaveProgress): string {
  if (progress === 'gathering') return reportText('dialog.gathering')
  if (progress === 'writing') return reportText('dialog.writing')
  return reportText('dialog.working', { at: progress.at + 1, all: progress.all })
}

interface FieldsProps {
  readonly choice: Choice
  readonly offered: readonly ReportView[]
  readonly onChange: (patch: Partial<Choice>) => void
}

function ReportFields({ choice, offered, onChange }: FieldsProps) {
  const { t: shell } = useTranslation()
  const t = useTexts(reportText)
  return (
    <>
      <Field label={t('dialog.format')}>
        {(id) => (
          <select id={id} value={choice.format} onChange={(event) => onChange({ format: reportFormatSchema.parse(event.target.value) })}>
            <option value='html'>{t('dialog.html')}</option>
            <option value='pdf'>{t('dialog.pdf')}</option>
          </select>
        )}
      </Field>
      <ViewChoice choice={choice} offered={offered} onChange={onChange} />
      <Field label={t('dialog.range')}>
        {(id) => (
          <select id={id} value={String(choice.wholeRange)} onChange={(event) => onChange({ wholeRange: event.target.value === 'true' })}>
            <option value='true'>{shell('export.rangeAll')}</option>
            <option value='false'>{shell('export.rangeVisible')}</option>
          </select>
        )}
      </Field>
      <Field label={t('dialog.theme')}>
        {(id) => (
          <select id={id} value={choice.theme} onChange={(event) => onChange({ theme: event.target.value === 'dark' ? 'dark' : 'light' })}>
            <option value='light'>{shell('settings.themeLight')}</option>
            <option value='dark'>{shell('settings.themeDark')}</option>
          </select>
        )}
      </Field>
      <label className='check'>
        <input type='checkbox' checked={choice.shortPaths} onChange={(event) => onChange({ shortPaths: event.target.checked })} />
        <span>
          {t('dialog.shortPaths')}
          <span className='hint'>{t('dialog.shortPathsHint')}</span>
        </span>
      </label>
      <NotesField text={choice.notes} onChange={(notes) => onChange({ notes })} />
    </>
  )
}

function ViewChoice({ choice, offered, onChange }: FieldsProps) {
  const t = useTexts(reportText)
  const hint = useId()
  const toggle = (view: ReportView) =>
    onChange({ views: choice.views.includes(view) ? choice.views.filter((each) => each !== view) : [...choice.views, view] })
  return (
    <fieldset className='checks' aria-describedby={hint}>
      <legend>{t('dialog.views')}</legend>
      {offered.map((view) => (
        <label key={view} className='check'>
          <input type='checkbox' checked={choice.views.includes(view)} onChange={() => toggle(view)} />
          {commandTitle(`view.${view}`)}
        </label>
      ))}
      <p id={hint} className='hint'>
        {t('dialog.viewsHint')}
      </p>
    </fieldset>
  )
}

function NotesField({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const t = useTexts(reportText)
  const id = useId()
  return (
    <div className='notes-field'>
      <label htmlFor={id}>
        {t('dialog.notes')}
        <span className='hint'>{t('dialog.notesHint')}</span>
      </label>
      <textarea id={id} rows={4} maxLength={100_000} value={text} onChange={(event) => onChange(event.target.value)} />
    </div>
  )
}

/** The notes of the capture, with the numbers of their flags in the pictures. */
const notesInWords = (capture: CaptureSummary): string[] =>
  notesOf(capture.captureId).map(({ text, place }, index) => `${index + 1} · ${placeWords(capture, place)}\n${text}`)

interface KeptNotesFieldProps {
  readonly capture: CaptureSummary
  readonly isChosen: boolean
  readonly onChange: (isChosen: boolean) => void
}

function KeptNotesField({ capture, isChosen, onChange }: KeptNotesFieldProps) {
  const t = useTexts(reportText)
  const count = useNotes(capture.captureId, ({ notes }) => notes.length)
  if (count === 0) return null
  return (
    <label className='check'>
      <input type='checkbox' checked={isChosen} onChange={(event) => onChange(event.target.checked)} />
      {t('dialog.keptNotes', { count })}
    </label>
  )
}
