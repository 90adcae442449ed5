// Statistics of the selected range of tracks: its slices by name, category or track, and what memory did in it.
import { traceGroupBySchema } from '../../../preload/contract/queries.ts'
import { saveTable } from '../../app/save-table.ts'
import { counted, exactTime, formatCount, formatTime } from '../../i18n/format.ts'
import { failureSentence } from '../../i18n/texts.ts'
import { Switch } from '../../panels/chooser.tsx'
import { Fact } from '../../panels/fact.tsx'
import { spanOf } from '../../plot/scales.ts'
import { exactTimeLabel } from '../../plot/ticks.ts'
import type { Range } from '../../state/view-state.ts'
import type { ViewProps } from '../view.ts'
import { notSaved } from './csv.ts'
import { GroupTable } from './group-table.tsx'
import { MemoryChanges } from './memory-changes.tsx'
import { panelData, usePanel } from './panel-data.ts'
import { type GroupRow, groupsCsv, sortGroups } from './rows.ts'
import { useAnswer } from './use-answer.ts'
import { useArea } from './use-area.ts'
import { useTexts } from './use-trace.ts'

const mostRows = 100 // elements; CSV has what the engine tells
const limit = 1000

/** The panel; nothing without a selected range. */
export function AreaStatistics({ capture }: ViewProps) {
  const t = useTexts()
  const { captureId } = capture
  const by = usePanel(captureId, (data) => data.groupBy)
  const area = useArea(capture)
  const question = area && { captureId, tracks: [...area.trackIds], fromNs: area.range.x0, toNs: area.range.x1, by, limit }
  const { value, failure, isPending } = useAnswer('trace.selection', question)
  if (!area) return null
  return (
    <div className='details-body' data-testid='trace-area' aria-busy={isPending}>
      <section className='panel-section'>
        <dl>
          <Fact label={t('area.from')} value={exactTimeLabel(area.range.x0)} title={exactTime(area.range.x0)} />
          <Fact label={t('area.to')} value={exactTimeLabel(area.range.x1)} title={exactTime(area.range.x1)} />
          <Fact label={t('area.duration')} value={formatTime(spanOf(area.range))} title={exactTime(spanOf(area.range))} />
          <Fact label={t('area.tracks')} value={area.isAll ? t('area.all') : formatCount(area.trackIds.length)} />
        </dl>
        {value && (
          <dl className={isPending ? 'pending' : undefined}>
            <Fact label={t('area.slices')} value={formatCount(value.count)} />
            <Fact label={t('area.total')} value={formatTime(value.totalNs)} title={`${t('area.totalHint')}\n${exactTime(value.totalNs)}`} />
          </dl>
        )}
      </section>
      {failure && <p role='alert'>{failureSentence(failure)}</p>}
      {value && capture.hasHistory && (
        <section className={isPending ? 'panel-section pending' : 'panel-section'} inert={isPending} data-testid='trace-area-memory'>
          <h3 className='panel-head'>{t('memory.inRange')}</h3>
          {!area.isAll && <p className='panel-note'>{t('memory.ofDevice')}</p>}
          <MemoryChanges capture={capture} changes={value.memory} range={area.range} />
        </section>
      )}
      {(value || failure) && (
        <Groups
          capture={capture}
          rows={value?.rows ?? []}
          groups={value?.groups ?? 0}
          range={area.range}
          isPending={isPending || value === undefined}
        />
      )}
    </div>
  )
}

interface GroupsProps extends ViewProps {
  readonly rows: readonly GroupRow[]
  readonly groups: number
  readonly range: Range
  readonly isPending: boolean
}

function Groups({ capture, rows, groups, range, isPending }: GroupsProps) {
  const t = useTexts()
  const { captureId } = capture
  const by = usePanel(captureId, (data) => data.groupBy)
  const order = usePanel(captureId, (data) => data.groupOrder)
  const sorted = sortGroups(rows, order)
  const shown = sorted.slice(0, mostRows)
  const more = groups - shown.length
  const save = () =>
    void saveTable(capture, `${by}-${Math.round(range.x0)}-${Math.round(range.x1)}-ns`, groupsCsv(sorted), notSaved(groups - rows.length))
  return (
    <section className='panel-section trace-groups'>
      <div className='panel-head'>
        <Switch
          label={t('area.groupBy')}
          value={by}
          options={traceGroupBySchema.options.map((value) => ({ value, label: t(`area.by.${value}`) }))}
          onChoose={(groupBy) => panelData(captureId).setState({ groupBy })}
        />
        <button type='button' className='tool-button' title={t('area.csvHint')} disabled={isPending} onClick={save}>
          {t('area.csv')}
        </button>
      </div>
      {rows.length === 0 && !isPending && <p className='panel-note'>{t('area.empty')}</p>}
      {rows.length > 0 && (
        <GroupTable
          capture={capture}
          rows={shown}
          isName={by === 'name'}
          isPending={isPending}
          order={order}
          onOrder={(groupOrder) => panelData(captureId).setState({ groupOrder })}
        />
      )}
      {more > 0 && <p className={isPending ? 'panel-note pending' : 'panel-note'}>{t('area.more', counted(more))}</p>}
    </section>
  )
}
