// Says within which annotations of the program the allocations of a node without a stack were made.
import { useEffect, useState } from 'react'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { EngineOutput } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { formatShare } from '../../i18n/format.ts'
import { askFilter } from '../../state/filter.ts'
import { useView } from '../../state/use-view.ts'
import { bareCategory } from './bare.ts'
import type { Weighed } from './flame-data.ts'
import { questionOf } from './questions.ts'
import { useFlameTexts } from './texts.ts'

interface WithinNoteProps {
  readonly capture: CaptureSummary
  readonly weighed: Weighed
  readonly slot: number // of the node's category
}

interface Found extends EngineOutput<'flame.within'> {
  readonly key: string
}

/** A sentence; nothing where the capture has no annotations, or none of them holds any. */
export function WithinNote({ capture, weighed, slot }: WithinNoteProps) {
  const t = useFlameTexts()
  const { captureId } = capture
  const filter = useView(captureId, (view) => view.filter)
  const key = JSON.stringify([questionOf(captureId, weighed), slot, filter])
  const [found, setFound] = useState<Found>()
  useEffect(() => {
    let isCurrent = true
    const [question] = JSON.parse(key) as [ReturnType<typeof questionOf>]
    const ask = async (): Promise<void> => {
      const asked = await askFilter(captureId)
      if (!asked.ok) return
      const answer = await engine.call('flame.within', { ...question, category: bareCategory(slot), filter: asked.value })
      if (answer.ok && isCurrent) setFound({ ...answer.value, key })
    }
    void ask()
    return () => {
      isCurrent = false
    }
  }, [captureId, key, slot])
  if (found?.key !== key || found.annotations.length === 0) return null
  const items = found.annotations.map(({ name, bytes }) => t('bare.withinItem', { name, share: formatShare(bytes, found.bytes) }))
  return (
    <p className='panel-note' data-testid='flame-within'>
      {t('bare.within', { list: items.join(t('bare.comma')) })}
    </p>
  )
}
