// The dialog that is open, if any.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { useShell } from '../../state/shell.ts'
import { Palette } from '../palette/palette.tsx'
import { AboutDialog } from './about-dialog.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { NoteDialog } from './note-dialog.tsx'
import { ReportDialog } from './report-dialog.tsx'
import { SaveFilterDialog } from './save-filter-dialog.tsx'
import { SettingsDialog } from './settings-dialog.tsx'

/** One dialog at a time. */
export function Dialogs({ capture }: { readonly capture: CaptureSummary | undefined }) {
  const dialog = useShell((state) => state.dialog)
  if (!dialog) return null
  if (dialog.kind === 'palette') return <Palette key={dialog.mode} mode={dialog.mode} capture={capture} />
  if (dialog.kind === 'keys') return <KeysDialog />
  if (dialog.kind === 'settings') return <SettingsDialog />
  if (dialog.kind === 'about') return <AboutDialog />
  if (dialog.kind === 'report') return capture ? <ReportDialog capture={capture} /> : null
  if (dialog.kind === 'note') return capture ? <NoteDialog capture={capture} about={dialog.about} /> : null
  if (dialog.kind === 'saveFilter') return capture ? <SaveFilterDialog capture={capture} /> : null
  return capture ? <ExportDialog capture={capture} /> : null
}
