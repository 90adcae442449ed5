// Export of the view as a picture: format, size, resolution, theme, range, with a preview from the same drawing.
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { maxSidePx } from '../../../preload/contract/queries.ts'
import { pictureFormatSchema, type Settings } from '../../../preload/contract/shell.ts'
import { formatCount } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { showDialog, useShell } from '../../state/shell.ts'
import type { PictureOptions } from '../../views/view.ts'
import { Modal } from '../../widgets/modal.tsx'
import { drawnFormat, makePicture, saveImage } from '../export-image.ts'
import { changeSettings } from '../settings.ts'
import { Field } from './settings-dialog.tsx'

type LastExport = NonNullable<Settings['lastExport']>
type Choice = LastExport & { readonly scale: number; readonly wholeRange: boolean }

const firstChoice: LastExport = { format: 'png', width: 1600, height: 900, theme: 'light' } // light: most reports are white
const smallest = 320

const optionsOf = ({ format, width, height, scale, theme, wholeRange }: Choice): PictureOptions => {
  const factor = format === 'png' ? scale : 1
  return { format: drawnFormat(format), width: width * factor, height: height * factor, scale: factor, theme, wholeRange }
}

const isValid = (length: number, scale: number) => Number.isInteger(length) && length >= smallest && length * scale <= maxSidePx

/** The dialog for one capture. */
export function ExportDialog({ capture }: { readonly capture: CaptureSummary }) {
  const { t } = useTranslation()
  const last = useShell((state) => state.settings.lastExport)
  const [choice, setChoice] = useState<Choice>({ ...(last ?? firstChoice), scale: 1, wholeRange: false })
  const [saving, setSaving] = useState(false)
  const close = () => showDialog(undefined)
  const options = optionsOf(choice)
  const valid = isValid(choice.width, options.scale) && isValid(choice.height, options.scale)
  const save = async () => {
    setSaving(true)
    const { format, width, height, theme } = choice
    void changeSettings({ lastExport: { format, width, height, theme } })
    const saved = await saveImage(capture, format, options)
    setSaving(false)
    if (saved) close()
  }
  return (
    <Modal label={t('export.title')} className='export-dialog' onClose={close}>
      <h1>{t('export.title')}</h1>
      <div className='export-columns'>
        <ExportFields choice={choice} onChange={(patch) => setChoice({ ...choice, ...patch })} />
        <Preview capture={capture} choice={choice} valid={valid} />
      </div>
      <div className='actions end'>
        {valid ? (
          <span className='weak grow'>
            {t('export.result', { width: formatCount(options.width), height: formatCount(options.height) })}
          </span>
        ) : (
          <span className='grow' role='alert'>
            {t('export.badSize', { least: formatCount(smallest), most: formatCount(maxSidePx) })}
          </span>
        )}
        <button type='button' className='button' onClick={close}>
          {t('export.cancel')}
        </button>
        <button type='button' className='button primary' disabled={!valid || saving} onClick={() => void save()}>
          {saving ? t('export.saving') : t('export.save')}
        </button>
      </div>
    </Modal>
  )
}

interface ExportFieldsProps {
  readonly choice: Choice
  readonly onChange: (patch: Partial<Choice>) => void
}

function ExportFields({ choice, onChange }: ExportFieldsProps) {
  const { t } = useTranslation()
  return (
    <div>
      <Field label={t('export.format')}>
        {(id) => (
          <select id={id} value={choice.format} onChange={(event) => onChange({ format: pictureFormatSchema.parse(event.target.value) })}>
            <option value='png'>{t('export.png')}</option>
            <option value='svg'>{t('export.svg')}</option>
            <option value='pdf'>{t('export.pdf')}</option>
          </select>
        )}
      </Field>
      <SizeField label={t('export.width')} value={choice.width} onChange={(width) => onChange({ width })} />
      <SizeField label={t('export.height')} value={choice.height} onChange={(height) => onChange({ height })} />
      {choice.format === 'png' && (
        <Field label={t('export.scale')} hint={t('export.scaleHint')}>
          {(id) => (
            <select id={id} value={choice.scale} onChange={(event) => onChange({ scale: Number(event.target.value) })}>
              {[1, 2, 3, 4].map((scale) => (
                <option key={scale} value={scale}>
                  {scale} ×
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field label={t('export.theme')}>
        {(id) => (
          <select id={id} value={choice.theme} onChange={(event) => onChange({ theme: event.target.value === 'dark' ? 'dark' : 'light' })}>
            <option value='light'>{t('settings.themeLight')}</option>
            <option value='dark'>{t('settings.themeDark')}</option>
          </select>
        )}
      </Field>
      <Field label={t('export.range')}>
        {(id) => (
          <select id={id} value={String(choice.wholeRange)} onChange={(event) => onChange({ wholeRange: event.target.value === 'true' })}>
            <option value='false'>{t('export.rangeVisible')}</option>
            <option value='true'>{t('export.rangeAll')}</option>
          </select>
        )}
      </Field>
    </div>
  )
}

interface SizeFieldProps {
  readonly label: string
  readonly value: number
  readonly onChange: (value: number) => void
}

function SizeField({ label, value, onChange }: SizeFieldProps) {
  const { t } = useTranslation()
  return (
    <Field label={`${label} (${t('export.unitPixels')})`}>
      {(id) => (
        <input
          id={id}
          type='number'
          min={smallest}
          max={maxSidePx}
          step={1}
          value={value}
          onChange={(event) => onChange(Math.round(event.target.valueAsNumber || 0))}
        />
      )}
    </Field>
  )
}

const previewWidth = 480
const restMs = 200

interface PreviewProps {
  readonly capture: CaptureSummary
  readonly choice: Choice
  readonly valid: boolean
}

function Preview({ capture, choice, valid }: PreviewProps) {
  const { t } = useTranslation()
  const [shown, setShown] = useState<{ readonly url?: string; readonly problem?: string }>({})
  const { width, height, theme, wholeRange } = choice
  useEffect(() => {
    if (!valid) return setShown({ problem: '' })
    let url: string | undefined
    let stale = false
    const draw = async () => {
      const scale = previewWidth / width
      // Drawn at the chosen size and shrunk by the browser, so that the preview has the proportions of the result.
      const options: PictureOptions = {
        format: 'png',
        width: previewWidth * 2,
        height: Math.round(height * scale * 2),
        scale: scale * 2,
        theme,
        wholeRange,
      }
      const picture = await makePicture(capture, options)
      if (stale) return
      if (!picture.ok || typeof picture.value === 'string') {
        setShown({ problem: picture.ok ? '' : failureSentence(picture.error) })
        return
      }
      url = URL.createObjectURL(new Blob([picture.value], { type: 'image/png' }))
      setShown({ url })
    }
    const timer = setTimeout(() => void draw(), restMs)
    return () => {
      stale = true
      clearTimeout(timer)
      if (url) URL.revokeObjectURL(url)
    }
  }, [capture, width, height, theme, wholeRange, valid])
  return (
    <figure className='preview'>
      {shown.url ? <img src={shown.url} alt={t('export.preview')} /> : <p className='weak'>{shown.problem ?? t('export.previewing')}</p>}
    </figure>
  )
}
