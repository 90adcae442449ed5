// Run and stop, examples, earlier statements, the time limit.
import { sqlTimeLimitsMs } from '../../../preload/contract/queries.ts'
import { runCommand } from '../../commands/registry.ts'
import { useKeyLabel } from '../../commands/use-commands.ts'
import { Chooser } from '../../panels/chooser.tsx'
import { MenuButton } from '../../widgets/menu-button.tsx'
import type { ViewProps } from '../view.ts'
import { showExample } from './actions.ts'
import { focusEditor, rememberExamples } from './editor-focus.ts'
import { type ExampleId, examplesOf } from './examples.ts'
import { patchSql, useSqlState } from './sql-state.ts'
import { type Translate, useSqlTexts } from './texts.ts'

const limitText = (ms: number, t: Translate): string =>
  ms < 60_000 ? t('tools.seconds', { count: ms / 1000 }) : t('tools.minutes', { count: ms / 60_000 })

/** The row above the editor. */
export function ToolRow({ capture }: ViewProps) {
  const t = useSqlTexts()
  const { captureId } = capture
  const isRunning = useSqlState(captureId, (state) => state.running !== undefined)
  const isEmpty = useSqlState(captureId, (state) => state.text.trim() === '')
  const timeLimitMs = useSqlState(captureId, (state) => state.timeLimitMs)
  const runKey = useKeyLabel('sql.run')
  return (
    <div className='tool-row sql-tools'>
      {isRunning ? (
        <button type='button' className='tool-button bad' title='Esc' onClick={() => runCommand('sql.stop')}>
          {t('tools.stop')}
        </button>
      ) : (
        <button type='button' className='tool-button' title={runKey} disabled={isEmpty} onClick={() => runCommand('sql.run')}>
          {t('tools.run')}
        </button>
      )}
      {isRunning && (
        <span className='weak' role='status'>
          {t('result.running')}
        </span>
      )}
      <Examples capture={capture} />
      <History capture={capture} />
      <Chooser
        label={t('tools.timeLimit')}
        title={t('tools.timeLimitHint')}
        value={String(timeLimitMs)}
        options={sqlTimeLimitsMs.map((ms) => ({ value: String(ms), label: limitText(ms, t) }))}
        onChoose={(value) => patchSql(captureId, { timeLimitMs: Number(value) })}
      />
      <span className='weak truncate sql-keys'>{t('editor.keys', { run: runKey })}</span>
    </div>
  )
}

function Examples({ capture }: ViewProps) {
  const t = useSqlTexts()
  const key = useKeyLabel('sql.example')
  const choose = (id: string) => {
    const chosen = examplesOf(capture.kind).find((each) => each === id)
    if (!chosen) return
    showExample(capture, chosen)
    focusEditor()
  }
  return (
    <div ref={rememberExamples} title={t('tools.exampleHint', { keys: key })}>
      <MenuButton
        label={t('tools.examples')}
        items={examplesOf(capture.kind).map((id: ExampleId) => ({ id, label: t(`example.${id}`) }))}
        onChoose={choose}
      />
    </div>
  )
}

const shownLength = 60

function History({ capture }: ViewProps) {
  const t = useSqlTexts()
  const { captureId } = capture
  const history = useSqlState(captureId, (state) => state.history)
  const choose = (statement: string) => {
    patchSql(captureId, { text: statement })
    focusEditor()
  }
  const latestFirst = history.toReversed()
  return (
    <div title={t('tools.historyHint')}>
      <MenuButton
        label={t('tools.history')}
        disabled={history.length === 0}
        items={latestFirst.map((statement) => ({ id: statement, label: statement.replace(/\s+/g, ' ').slice(0, shownLength) }))}
        onChoose={choose}
      />
    </div>
  )
}
