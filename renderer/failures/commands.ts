// What commands do while a table of failures is in front.
import type { FailureRow, Failures } from '../../preload/contract/diagnosis.ts'
import { type CommandAction, registerCommands } from '../commands/registry.ts'
import { counted } from '../i18n/format.ts'
import { copyText } from '../state/copy-text.ts'
import { showMessage } from '../state/shell.ts'
import { lookOf, patchLook } from './look.ts'
import { rowAsText, rowsAsCsv, rowsAsMarkdown } from './rows.ts'
import { failuresText as t } from './texts.ts'

interface FailuresCommands {
  readonly tabId: number
  readonly failures: Failures
  readonly rows: readonly FailureRow[] // that are shown
  readonly hasTable: boolean
  readonly onSave: (text: string) => void
  readonly onSearch: () => void
}

async function copy(text: string, said: string): Promise<void> {
  if (await copyText(text)) showMessage(said)
}

/** One step back: the failure's page, then the pattern, then the filter. */
function stepBack(tabId: number): void {
  const { open, pattern, text } = lookOf(tabId)
  if (open !== undefined) patchLook(tabId, { open: undefined })
  else if (pattern !== undefined) patchLook(tabId, { pattern: undefined })
  else if (text !== '') patchLook(tabId, { text: '' })
}

/** Registers them; returns the removal. */
export function registerFailuresCommands({ tabId, failures, rows, hasTable, onSave, onSearch }: FailuresCommands): () => void {
  const isTable = () => hasTable && lookOf(tabId).open === undefined
  const leave: CommandAction = {
    when: () => hasTable && lookOf(tabId).open !== undefined,
    run: () => patchLook(tabId, { open: undefined }),
  }
  const selected = () => rows.find(({ index }) => index === lookOf(tabId).selected)
  const copyRow = () => {
    const row = selected()
    if (row) void copy(rowAsText(row), t('copied', { name: row.name }))
  }
  const copyTable = () => void copy(rowsAsMarkdown(rows), t('copiedTable', counted(rows.length)))
  return registerCommands({
    'file.exportCsv': { when: isTable, run: () => onSave(rowsAsCsv(rows, failures.patterns)) },
    'edit.copyDetails': { when: () => isTable() && selected() !== undefined, run: copyRow },
    'edit.copyMarkdown': { when: isTable, run: copyTable },
    'go.search': { when: isTable, run: onSearch },
    'go.escape': { when: () => hasTable, run: () => stepBack(tabId) },
    'go.back': leave,
    'go.up': leave,
  })
}
