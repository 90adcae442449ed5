// "Who pins segments": the segments with most stranded bytes, and the stacks whose active blocks keep each from being given back.
import { exactBytes, formatAddress, formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { stackTitle } from '../../plot/legend.ts'
import { type Pin, type PinningStack, pinsSentence, stacksOf, stackWords } from '../../space/pins.ts'
import { useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { showHolder, showSegment } from './actions.ts'
import { useFragmentationTexts } from './texts.ts'
import { useReport } from './use-report.ts'

const shownStacks = 3 // a segment

/** The table under its sentence; a sentence alone where no segment is pinned. */
export function PinTable({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  const { report, isPending } = useReport(capture)
  if (!report) return null
  const { pins } = report.value
  const sentence = pinsSentence(pins, t)
  return (
    <section aria-labelledby='frag-pins-title'>
      <h2 id='frag-pins-title' className='frag-head'>
        {t('pins.title')}
      </h2>
      {sentence && (
        <p className={isPending ? 'frag-sentence pending' : 'frag-sentence'} data-testid='fragmentation-pins-sentence'>
          {sentence}
        </p>
      )}
      <p className='frag-note'>{pins.length === 0 ? t('pins.none') : t('pins.meaning')}</p>
      {pins.length > 0 && (
        <table className='data-table frag-table pins' data-testid='fragmentation-pins'>
          <thead>
            <tr>
              <th scope='col'>{t('pins.segment')}</th>
              <th scope='col'>{t('pins.free')}</th>
              <th scope='col'>{t('pins.total')}</th>
              <th scope='col'>{t('pins.keptBy')}</th>
            </tr>
          </thead>
          <tbody className={isPending ? 'pending' : undefined}>
            {pins.map((pin) => (
              <PinnedSegment key={pin.segmentAddress} capture={capture} pin={pin} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function PinnedSegment({ capture, pin }: ViewProps & { readonly pin: Pin }) {
  const t = useFragmentationTexts()
  const shown = stacksOf(pin).slice(0, shownStacks)
  const more = pin.activeCount - shown.reduce((sum, { count }) => sum + count, 0)
  const show = () => showSegment(capture, pin.segmentAddress)
  return (
    <tr>
      <th scope='row'>
        <button type='button' className='jump mono' title={t('pins.showSegment')} onClick={show}>
          {formatAddress(pin.segmentAddress)}
        </button>
      </th>
      <td title={exactBytes(pin.freeBytes)}>
        <b className='t1'>{formatBytes(pin.freeBytes)}</b> <span className='weak'>{formatShare(pin.freeBytes, pin.totalBytes)}</span>
      </td>
      <td title={exactBytes(pin.totalBytes)}>{formatBytes(pin.totalBytes)}</td>
      <td className='frag-holders'>
        {shown.map((stack) => (
          <HolderStack key={stack.key} capture={capture} stack={stack} />
        ))}
        {more > 0 && (
          <button type='button' className='jump plain' title={t('pins.showSegment')} onClick={show}>
            {t('pins.more', { count: more, blocks: formatCount(more) })}
          </button>
        )}
      </td>
    </tr>
  )
}

function HolderStack({ capture, stack }: ViewProps & { readonly stack: PinningStack }) {
  const t = useFragmentationTexts()
  const isSelected = useView(capture.captureId, (view) => view.selectedAllocation === stack.allocationId)
  const { title, place, bytes } = stack
  return (
    <button
      type='button'
      className={isSelected ? 'jump frag-holder selected' : 'jump frag-holder'}
      aria-pressed={isSelected}
      title={`${`${stackTitle(title)} ${place}`.trim()}\n${exactBytes(bytes)}\n${t('pins.select')}`}
      onClick={() => showHolder(capture, stack.allocationId)}
    >
      {stackWords(stack, t)}
    </button>
  )
}
