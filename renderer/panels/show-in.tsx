// Buttons that show the selection in another view.
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import { type ViewId, viewIdSchema } from '../../preload/contract/shell.ts'
import { canRun, runCommand } from '../commands/registry.ts'
import { useCommandChanges } from '../commands/use-commands.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { commandTitle } from '../i18n/texts.ts'
import { useView } from '../state/use-view.ts'

/** Commands that lead to the other views of the window that show a selection. */
export const showInCommands = (): readonly string[] =>
  viewIdSchema
    .exclude(['sql', 'diagnosis'])
    .options.map((id: ViewId) => `showIn.${id}`)
    .filter(canRun)

/** The row of buttons; nothing while there is only one view. */
export function ShowIn({ capture }: { readonly capture: CaptureSummary }) {
  const t = usePanelTexts()
  useCommandChanges()
  useView(capture.captureId, (view) => view.view)
  const commands = showInCommands()
  if (commands.length === 0) return null
  return (
    <section className='actions show-in' aria-label={t('showIn')}>
      <span className='weak grow'>{t('showIn')}</span>
      {commands.map((command) => (
        <button key={command} type='button' className='tool-button' title={commandTitle(command)} onClick={() => runCommand(command)}>
          {commandTitle(command.replace('showIn', 'view'))}
        </button>
      ))}
    </section>
  )
}
