// Settings: kept by the main process, applied here at once.
import { resolveLanguage } from '../../preload/contract/language.ts'
import type { Settings } from '../../preload/contract/shell.ts'
import { showLanguage, translate } from '../i18n/language.ts'
import { showMessage, useShell } from '../state/shell.ts'
import { askShell, onShell } from './bridge.ts'

/** Changes settings. The window follows at once, the file follows the window. */
export async function changeSettings(patch: Partial<Settings>): Promise<void> {
  useShell.setState((state) => ({ settings: { ...state.settings, ...patch } }))
  await askShell('settings.set', patch)
}

function applyLanguage(): void {
  const { settings, info } = useShell.getState()
  showLanguage(resolveLanguage(settings.language, info?.systemLanguage ?? navigator.language))
}

/** Reads settings and facts of the system, and follows their changes from now on. */
export async function startSettings(): Promise<void> {
  onShell('settings.reset', ({ keptAs }) =>
    showMessage(keptAs === null ? translate('settings.reset') : translate('settings.resetKept', { name: keptAs }), 'error'),
  )
  const [settings, info] = await Promise.all([askShell('settings.get', {}), askShell('app.info', {})])
  useShell.setState({
    ...(settings.ok ? { settings: settings.value } : {}),
    ...(info.ok ? { info: info.value } : {}),
  })
  applyLanguage()
  useShell.subscribe((state, old) => {
    if (state.settings.language !== old.settings.language) applyLanguage()
  })
}
