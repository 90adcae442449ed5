// What colours mean: names or categories by their total time; each is a switch that makes the others step back.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { TraceColorBy } from '../../../preload/contract/queries.ts'
import { counted, formatTime } from '../../i18n/format.ts'
import { patchView } from '../../state/view-state.ts'
import { useTokens } from '../../theme/theme.ts'
import type { ViewProps } from '../view.ts'
import { setEmphasis, setSearch } from './actions.ts'
import { swatchColor } from './colors.ts'
import { isEmphasised, type LegendEntry, legendOf } from './legend.ts'
import { panelData } from './panel-data.ts'
import { titleParts } from './title-parts.ts'
import { useTexts, useTrace } from './use-trace.ts'

const mostEntries = 12 // those have a colour of their own

/** The legend of the colouring chosen. */
export function LegendSection({ capture }: ViewProps) {
  const t = useTexts()
  const { captureId } = capture
  const colorBy = useTrace(captureId, (data) => data.colorBy)
  const tracks = useTrace(captureId, (data) => data.tracks)
  const emphasis = useTrace(captureId, (data) => data.emphasis)
  const search = useTrace(captureId, (data) => data.search)
  if (!tracks) return null
  const { entries, count } = legendOf(tracks, colorBy, mostEntries)
  if (count === 0) return null
  const more = count - entries.length
  const isAny = emphasis !== undefined || entries.some((entry) => isEmphasised(entry, emphasis, search))
  return (
    <section className='panel-section' aria-labelledby='trace-legend-title'>
      <div className='panel-head'>
        <h2 id='trace-legend-title'>{t(`side.legend.${colorBy}`)}</h2>
        <span>{t('side.byTotal')}</span>
      </div>
      <ul className='legend' data-testid='trace-legend'>
        {entries.map((entry) => (
          <LegendRow
            key={entry.id}
            capture={capture}
            entry={entry}
            isOn={isEmphasised(entry, emphasis, search)}
            isDimmed={isAny && !isEmphasised(entry, emphasis, search)}
          />
        ))}
      </ul>
      {isAny && (
        <button type='button' className='legend-all' onClick={() => showAll(capture)}>
          {t('side.all')} <kbd>Esc</kbd>
        </button>
      )}
      {more > 0 && <MoreButton capture={capture} colorBy={colorBy} more={more} />}
    </section>
  )
}

function showAll(capture: CaptureSummary): void {
  setEmphasis(capture, undefined)
  setSearch(capture, undefined)
}

/** Where the rest is listed. */
function MoreButton({ capture: { captureId }, colorBy, more }: ViewProps & { readonly colorBy: TraceColorBy; readonly more: number }) {
  const t = useTexts()
  const show = () => {
    panelData(captureId).setState({ twin: 'names' })
    patchView(captureId, { showTable: true })
  }
  const count = counted(more)
  if (colorBy === 'category') return <p className='panel-note'>{t('side.moreCategories', count)}</p>
  return (
    <button type='button' className='legend-all' onClick={show}>
      {t('side.moreNames', count)}
    </button>
  )
}

interface LegendRowProps extends ViewProps {
  readonly entry: LegendEntry
  readonly isOn: boolean
  readonly isDimmed: boolean
}

function LegendRow({ capture, entry, isOn, isDimmed }: LegendRowProps) {
  const t = useTexts()
  const tokens = useTokens()
  const { text, slot, count, totalNs, nameId } = entry
  const title = text.trim() === '' ? t(nameId === undefined ? 'side.noCategory' : 'side.noName') : text
  const { name, place } = titleParts(title)
  const toggle = () => {
    if (nameId === undefined) setEmphasis(capture, [slot])
    else setSearch(capture, isOn ? undefined : { text, names: [nameId], sliceCount: count, isExact: true })
  }
  return (
    <li className={isDimmed ? 'dimmed' : undefined}>
      <button
        type='button'
        aria-pressed={isOn}
        title={t('side.legendHint', { text: title, ...counted(count), time: formatTime(totalNs) })}
        onClick={toggle}
      >
        <span className='swatch' style={{ background: swatchColor(tokens, slot) }} />
        <span className='truncate t1'>{name} </span>
        <span className='t1'>{formatTime(totalNs)} </span>
        {place !== '' && <span className='legend-place'>{place}</span>}
      </button>
    </li>
  )
}
