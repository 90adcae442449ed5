// The view's part of the side bar: what the areas and lines mean, with their bytes at the moment shown.
import { exactBytes, formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { type Line, lines, type Measures, type Part, partOf, parts } from '../../space/measures.ts'
import { isFiltering } from '../../state/filter.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import { cssColor } from '../../theme/palette.ts'
import { useTokens } from '../../theme/theme.ts'
import type { ViewProps } from '../view.ts'
import { toggleEmphasis } from './actions.ts'
import { partColor } from './colors.ts'
import { useFragmentation } from './fragmentation-data.ts'
import { useFragmentationTexts } from './texts.ts'
import { useReport } from './use-report.ts'

/** Legend, and a word about the filter. */
export function FragmentationSideBar({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  const showLegend = useView(capture.captureId, (view) => view.showLegend)
  const filter = useView(capture.captureId, (view) => view.filter)
  return (
    <>
      {filter && isFiltering(filter) && <p className='panel-note'>{t('filterNote')}</p>}
      {showLegend && <LegendSection capture={capture} />}
    </>
  )
}

function LegendSection({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  const device = useDevice(capture)
  const { measures, isPending } = useReport(capture)
  const emphasis = useFragmentation(capture.captureId, (data) => data.emphasis)
  if (!device) return null
  const when = device.eventCount === 0 || !measures || measures.event < 0 ? '' : t('atEvent', { event: formatCount(measures.event) })
  return (
    <section className='panel-section' aria-labelledby='frag-legend-title'>
      <div className='panel-head'>
        <h2 id='frag-legend-title'>{t('legend.title')}</h2>
        <span>{when}</span>
      </div>
      <ul className={isPending ? 'legend pending' : 'legend'}>
        {parts.toReversed().map((part) => (
          <LegendRow key={part} capture={capture} name={part} title={t(`part.${part}`)} measures={measures} emphasis={emphasis} />
        ))}
        {lines.map((line) => (
          <LegendRow key={line} capture={capture} name={line} title={t(`line.${line}`)} measures={measures} emphasis={emphasis} />
        ))}
      </ul>
      {emphasis && (
        <button type='button' className='legend-all' onClick={() => toggleEmphasis(capture, emphasis)}>
          {t('legend.all')} <kbd>Esc</kbd>
        </button>
      )}
      <p className='panel-note'>{t('legend.note')}</p>
    </section>
  )
}

interface LegendProps extends ViewProps {
  readonly name: Part | Line
  readonly title: string
  readonly measures: Measures | undefined
  readonly emphasis: Part | Line | undefined
}

const isLine = (name: Part | Line): name is Line => name === 'largestFree' || name === 'inactiveSplit'

/** One area or line as a toggle: pressed, it stands out. */
function LegendRow({ capture, name, title, measures, emphasis }: LegendProps) {
  const t = useFragmentationTexts()
  const tokens = useTokens()
  const isOn = emphasis === name
  const bytes = measures && (isLine(name) ? measures[name] : partOf(measures, name))
  return (
    <li className={emphasis && !isOn ? 'dimmed' : undefined}>
      <button
        type='button'
        aria-pressed={isOn}
        title={`${t(`meaning.${name}`)}\n${bytes === undefined ? '' : `${exactBytes(bytes)}\n`}${t('legend.hint')}`}
        onClick={() => toggleEmphasis(capture, name)}
      >
        {isLine(name) ? (
          <span className={`frag-line ${name}`} aria-hidden='true' />
        ) : (
          <span className='swatch' style={{ background: cssColor(partColor(tokens, name)) }} />
        )}
        <span className='truncate t1'>{title} </span>
        {bytes !== undefined && <span className='t1'>{formatBytes(bytes)} </span>}
        {bytes !== undefined && measures && <span className='legend-share'>{formatShare(bytes, measures.reserved)}</span>}
      </button>
    </li>
  )
}
