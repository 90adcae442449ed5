// The view's part of the side bar: what the picture shows, and what its colours mean.
import { counted, formatBytes, formatCount } from '../../i18n/format.ts'
import { Fact } from '../../panels/fact.tsx'
import { ScaleBar } from '../../panels/scale-bar.tsx'
import { useView } from '../../state/use-view.ts'
import { cssColor } from '../../theme/palette.ts'
import { useTokens } from '../../theme/theme.ts'
import type { ViewProps } from '../view.ts'
import { measuredOf, rootOf } from './assemble.ts'
import { useFlameData } from './flame-data.ts'
import { isSigned, useFlameState } from './flame-state.ts'
import { flameLegend, hasModuleWeights } from './legend.ts'
import { rowsBelow } from './nodes.ts'
import { SpotSection } from './spot-section.tsx'
import { useFlameTexts } from './texts.ts'
import { formatWeight, momentText, weightText, weightTitle } from './words.ts'

/** All sections. */
export function FlameSideBar({ capture }: ViewProps) {
  const showLegend = useView(capture.captureId, (view) => view.showLegend)
  return (
    <>
      <Shown capture={capture} />
      <SpotSection capture={capture} />
      {showLegend && <LegendSection capture={capture} />}
    </>
  )
}

function useShown({ captureId }: ViewProps['capture']) {
  const answer = useFlameData(captureId, (data) => data.answer)
  const zoomed = useFlameState(captureId, rootOf)
  const colorBy = useFlameState(captureId, (state) => state.colorBy)
  return answer && { ...answer, colorBy, root: answer.nodes.placeOf.get(zoomed) ?? 0 }
}

function Shown({ capture }: ViewProps) {
  const t = useFlameTexts()
  const shown = useShown(capture)
  if (!shown) return null
  const { nodes, weighed, root } = shown
  const { tree } = nodes
  return (
    <section className='panel-section' aria-labelledby='flame-shown'>
      <div className='panel-head'>
        <h2 id='flame-shown'>{t('shown.title')}</h2>
        <span>{momentText(weighed, t)}</span>
      </div>
      <dl>
        <Fact label={weightTitle(weighed, t)} value={weightText(nodes, root, measuredOf(capture, weighed), t)} />
        {!weighed.valueType && <Fact label={t('fact.count')} value={formatCount(tree.count[root] ?? 0)} />}
        <Fact label={t('shown.nodes')} value={formatCount(tree.node.length)} />
        {tree.leftOut > 0 && <Fact label={t('shown.leftOut')} value={formatCount(tree.leftOut)} title={t('shown.leftOutHint')} />}
        <Fact label={t('shown.depth')} value={formatCount(rowsBelow(nodes, root))} />
      </dl>
    </section>
  )
}

/** A profile has no moments and no allocations. */
const noteOf = (isSigned: boolean, isProfile: boolean) =>
  isProfile ? (isSigned ? 'legend.profileChangeNote' : 'legend.profileNote') : isSigned ? 'legend.changeNote' : 'legend.note'

function LegendSection({ capture }: ViewProps) {
  const t = useFlameTexts()
  const tokens = useTokens()
  const shown = useShown(capture)
  if (!shown) return null
  const { weighed } = shown
  const measured = measuredOf(capture, weighed)
  const legend = flameLegend(shown, tokens, t)
  const signed = isSigned(weighed.weight)
  const byCategory = !signed && shown.colorBy === 'category'
  const weightOf = (bytes: number) => (byCategory ? formatBytes(bytes) : formatWeight(bytes, measured, t))
  return (
    <section className='panel-section' aria-labelledby='flame-legend'>
      <div className='panel-head'>
        <h2 id='flame-legend'>{t(signed ? 'legend.change' : byCategory ? 'legend.categories' : 'legend.modules')}</h2>
        {!signed && !byCategory && hasModuleWeights(shown) && <span title={t('legend.selfHint')}>{t('fact.self')}</span>}
      </div>
      {legend.kind === 'scale' ? (
        <ScaleBar scale={legend} />
      ) : (
        <ul className='flame-legend'>
          {legend.swatches.map(({ key, color, title, place, bytes }) => (
            <li key={key} title={`${title} ${place}`.trim()}>
              <span className={`swatch ${place === '' ? '' : 'flame-own'}`} style={{ background: cssColor(color) }} />
              <span className='truncate'>
                {place === '' ? title : <strong>{title}</strong>} {place !== '' && <span className='weak'>{place}</span>}
              </span>
              {bytes !== undefined && <span className='t1'>{weightOf(bytes)}</span>}
            </li>
          ))}
          {legend.more > 0 && <li className='weak'>{t('legend.more', counted(legend.more))}</li>}
        </ul>
      )}
      <p className='panel-note'>{t(byCategory ? 'legend.categoryNote' : noteOf(signed, weighed.valueType !== undefined))}</p>
    </section>
  )
}
