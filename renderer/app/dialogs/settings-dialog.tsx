// Language, theme and sessions: each choice holds at once.
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { languageSchema, themeSchema } from '../../../preload/contract/shell.ts'
import { noteText, useTexts } from '../../i18n/part-texts.ts'
import { showDialog, useShell } from '../../state/shell.ts'
import { Modal } from '../../widgets/modal.tsx'
import { forgetSessions } from '../sessions.ts'
import { changeSettings } from '../settings.ts'

/** The settings. */
export function SettingsDialog() {
  const { t } = useTranslation()
  const noteWords = useTexts(noteText)
  const settings = useShell((state) => state.settings)
  const close = () => showDialog(undefined)
  return (
    <Modal label={t('settings.title')} className='small-dialog' onClose={close}>
      <h1>{t('settings.title')}</h1>
      <Field label={t('settings.language')}>
        {(id) => (
          <select
            id={id}
            value={settings.language}
            onChange={(event) => void changeSettings({ language: languageSchema.parse(event.target.value) })}
          >
            <option value='system'>{t('settings.languageSystem')}</option>
            {/* Languages are named in themselves, so that a lost user finds home. */}
            <option value='en'>English</option>
            <option value='zh-CN'>简体中文</option>
          </select>
        )}
      </Field>
      <Field label={t('settings.theme')}>
        {(id) => (
          <select
            id={id}
            value={settings.theme}
            onChange={(event) => void changeSettings({ theme: themeSchema.parse(event.target.value) })}
          >
            <option value='system'>{t('settings.themeSystem')}</option>
            <option value='dark'>{t('settings.themeDark')}</option>
            <option value='light'>{t('settings.themeLight')}</option>
          </select>
        )}
      </Field>
      <Field label={noteWords('session.keep')} hint={noteWords('session.keepHint')}>
        {(id) => (
          <input
            id={id}
            type='checkbox'
            checked={settings.keepSessions}
            onChange={(event) => void changeSettings({ keepSessions: event.target.checked })}
          />
        )}
      </Field>
      <div>
        <button type='button' className='button' onClick={() => void forgetSessions()}>
          {noteWords('session.forget')}
        </button>
      </div>
      <div className='actions end'>
        <button type='button' className='button primary' onClick={close}>
          {t('settings.done')}
        </button>
      </div>
    </Modal>
  )
}

interface FieldProps {
  readonly label: string
  readonly hint?: string
  readonly children: (id: string) => ReactNode
}

/** A labelled control of a dialog. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId()
  return (
    <div className='field'>
      <label htmlFor={id}>
        {label}
        {hint && <span className='hint'>{hint}</span>}
      </label>
      {children(id)}
    </div>
  )
}
