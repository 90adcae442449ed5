// Every command with its keys, searchable; made from the commands themselves.
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type CommandDeclaration, commands } from '../../../preload/contract/commands.ts'
import { keyLabel } from '../../commands/keymap.ts'
import { commandTitle } from '../../i18n/texts.ts'
import { showDialog, useShell } from '../../state/shell.ts'
import { Modal } from '../../widgets/modal.tsx'
import { searchItems } from '../palette/search.ts'

const groups = ['file', 'view', 'filter', 'go', 'showIn', 'sql', 'select', 'edit', 'theme', 'language', 'help', 'app'] as const

/** The table of keys. */
export function KeysDialog() {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const mac = useShell((state) => state.info?.platform === 'darwin')
  const rows = commands.map((command) => {
    const labels = command.keys.map((key) => keyLabel(key, mac))
    return { command, labels, text: `${command.title.en} ${command.title['zh-CN']} ${labels.join(' ')}` }
  })
  const found = searchItems(rows, typed)
  const close = () => showDialog(undefined)
  // A search field would take the first Esc to clear itself.
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    close()
  }
  return (
    <Modal label={t('keys.title')} className='keys-dialog' onClose={close}>
      <div className='dialog-head'>
        <h1>{t('keys.title')}</h1>
        <input
          type='search'
          aria-label={t('keys.search')}
          placeholder={t('keys.search')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={closeOnEscape}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area without controls must take the focus, else keys cannot scroll it. */}
      <section className='dialog-scroll' aria-label={t('keys.title')} tabIndex={0}>
        {found.length === 0 && <p className='weak'>{t('keys.none')}</p>}
        {groups.map((group) => (
          <KeyGroup key={group} group={group} rows={found.filter(({ command }) => command.id.startsWith(`${group}.`))} />
        ))}
      </section>
      <div className='actions end'>
        <button type='button' className='button' onClick={close}>
          {t('keys.close')}
        </button>
      </div>
    </Modal>
  )
}

interface KeyGroupProps {
  readonly group: (typeof groups)[number]
  readonly rows: readonly { readonly command: CommandDeclaration; readonly labels: readonly string[] }[]
}

function KeyGroup({ group, rows }: KeyGroupProps) {
  const { t } = useTranslation()
  if (rows.length === 0) return null
  return (
    <table className='key-table'>
      <caption>{t(`keys.group.${group}`)}</caption>
      <thead className='visually-hidden'>
        <tr>
          <th scope='col'>{t('keys.command')}</th>
          <th scope='col'>{t('keys.key')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ command, labels }) => (
          <tr key={command.id}>
            <td>{commandTitle(command.id)}</td>
            <td>
              {labels.length === 0 ? (
                <span className='weak'>{t('keys.noKey')}</span>
              ) : (
                labels.map((label) => <kbd key={label}>{label}</kbd>)
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
