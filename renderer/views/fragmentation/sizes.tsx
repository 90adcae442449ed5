// The histogram of request sizes against free-block sizes with its head.
import { useEffect, useRef } from 'react'
import { Switch } from '../../panels/chooser.tsx'
import type { ViewProps } from '../view.ts'
import { fragmentationData, type Unit, useFragmentation } from './fragmentation-data.ts'
import { mismatchSentence } from './mismatch.ts'
import { startSizes } from './size-scene.ts'
import { useFragmentationTexts } from './texts.ts'
import { useReport } from './use-report.ts'

/** Head, picture, and the mismatch in one sentence. */
export function Sizes({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  const host = useRef<HTMLDivElement>(null)
  const unit = useFragmentation(capture.captureId, (data) => data.unit)
  const { report, isPending } = useReport(capture)
  useEffect(() => (host.current ? startSizes(capture, host.current) : undefined), [capture])
  const choose = (each: Unit) => fragmentationData(capture.captureId).setState({ unit: each })
  const sentence = report ? mismatchSentence(report, t) : ''
  return (
    <section className='frag-sizes' aria-labelledby='frag-sizes-title'>
      <header className='frag-head'>
        <h2 id='frag-sizes-title'>{t('sizes.title')}</h2>
        <Switch
          label={t('sizes.unit')}
          value={unit}
          options={[
            { value: 'count', label: t('sizes.count') },
            { value: 'bytes', label: t('sizes.bytes') },
          ]}
          onChoose={choose}
        />
      </header>
      <p className={isPending ? 'frag-sentence pending' : 'frag-sentence'}>{sentence}</p>
      <div
        ref={host}
        className='frag-histogram'
        role='img'
        aria-label={t('sentences', { first: t('sizes.title'), second: sentence })}
        data-testid='fragmentation-sizes'
      />
      <p className='frag-note'>{t('sizes.scale')}</p>
    </section>
  )
}
