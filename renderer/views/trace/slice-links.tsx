// What a slice is linked with: the call that launched it, the op it belongs to, what it lies inside of, its flows. Each link leads there.
import { useState } from 'react'
import type { NamedSlice } from '../../../preload/contract/queries.ts'
import { counted, formatCount } from '../../i18n/format.ts'
import type { ViewProps } from '../view.ts'
import { goToSlice } from './actions.ts'
import { mostFlows } from './draw-marks.ts'
import type { SliceProps } from './slice-text.ts'
import { titleParts } from './title-parts.ts'
import { useTexts } from './use-trace.ts'

const fewLinks = 5

/** The sections that have something to say. */
export function SliceLinks({ capture, details }: SliceProps) {
  const t = useTexts()
  const { launch, op, ancestors, flowsIn, flowsOut } = details
  const flows = flowsIn.length + flowsOut.length
  const isOpFar = op !== null && !ancestors.some(({ sliceId }) => sliceId === op.sliceId)
  return (
    <>
      {(launch || isOpFar) && (
        <section className='panel-section' data-testid='trace-launch'>
          <h3 className='panel-head'>{t('slice.links')}</h3>
          <ul className='trace-links'>
            {launch && <LinkRow capture={capture} link={launch} label={t('slice.launch')} />}
            {op && isOpFar && <LinkRow capture={capture} link={op} label={t('slice.op')} />}
          </ul>
        </section>
      )}
      <LinkList capture={capture} title={t('slice.flows')} label={t('slice.flowOut')} links={flowsOut} testId='trace-flows-out' />
      <LinkList capture={capture} title={t('slice.flows')} label={t('slice.flowIn')} links={flowsIn} testId='trace-flows-in' />
      {flows > mostFlows && (
        <p className='panel-note'>{t('slice.flowsDrawn', { drawn: formatCount(mostFlows), all: formatCount(flows) })}</p>
      )}
      <LinkList
        capture={capture}
        title={t('slice.ancestors')}
        links={ancestors}
        aside={t('slice.innermostFirst')}
        testId='trace-ancestors'
      />
    </>
  )
}

interface LinkListProps extends ViewProps {
  readonly title: string
  readonly label?: string
  readonly aside?: string
  readonly links: readonly NamedSlice[]
  readonly testId: string
}

/** The first few, and all when asked for. */
function LinkList({ capture, title, label, aside, links, testId }: LinkListProps) {
  const t = useTexts()
  const [isOpen, setOpen] = useState(false)
  const more = links.length - fewLinks
  if (links.length === 0) return null
  return (
    <section className='panel-section' data-testid={testId}>
      <div className='panel-head'>
        <h3>{label === undefined ? title : `${title} ${label}`}</h3>
        <span>{aside ?? formatCount(links.length)}</span>
      </div>
      <ul className='trace-links'>
        {links.slice(0, isOpen ? undefined : fewLinks).map((link, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two flows may lead to one slice
          <LinkRow key={index} capture={capture} link={link} />
        ))}
      </ul>
      {more > 0 && (
        <button type='button' className='link-button' aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('slice.fewer') : t('slice.more', counted(more))}
        </button>
      )}
    </section>
  )
}

interface LinkRowProps extends ViewProps {
  readonly link: NamedSlice
  readonly label?: string
}

function LinkRow({ capture, link: { sliceId, name, category }, label }: LinkRowProps) {
  const t = useTexts()
  const parts = titleParts(name)
  return (
    <li>
      {label !== undefined && <span className='weak'>{label}</span>}
      <button
        type='button'
        className='jump truncate'
        title={`${name}\n${category}\n${t('slice.goTo', { name: `#${sliceId}` })}`}
        onClick={() => void goToSlice(capture, sliceId)}
      >
        {parts.name}
      </button>
      {label === undefined && <span className='weak truncate trace-category'>{parts.place || category}</span>}
    </li>
  )
}
