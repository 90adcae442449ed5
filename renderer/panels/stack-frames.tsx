// A stack, innermost first: own frames strong with a bar, library frames folded and counted.
import { useState } from 'react'
import type { StackFrame } from '../../preload/contract/queries.ts'
import { formatCount } from '../i18n/format.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { foldFrames, packagesOf, shortFile } from './fold-frames.ts'

/** All frames of an allocation. */
export function StackFrames({ frames }: { readonly frames: readonly StackFrame[] }) {
  const t = usePanelTexts()
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  if (frames.length === 0) return <p className='panel-note'>{t('details.noFrames')}</p>
  return (
    <ol className='stack-frames'>
      {foldFrames(frames).flatMap((part) => {
        if (part.kind === 'frame') return [<Frame key={part.index} frame={part.frame} />]
        const isOpen = open.has(part.index)
        const toggle = () => setOpen(new Set(isOpen ? [...open].filter((each) => each !== part.index) : [...open, part.index]))
        const packages = packagesOf(part.frames.map(({ frame }) => frame))
        return [
          <li key={part.index}>
            <button type='button' className='stack-fold' aria-expanded={isOpen} onClick={toggle}>
              {isOpen ? '▾' : '▸'} {t('details.libraryFrames', { count: part.frames.length, frames: formatCount(part.frames.length) })}
              {packages.length > 0 && ` (${packages.join(', ')})`}
            </button>
          </li>,
          ...(isOpen ? part.frames.map(({ frame, index }) => <Frame key={index} frame={frame} />) : []),
        ]
      })}
    </ol>
  )
}

function Frame({ frame }: { readonly frame: StackFrame }) {
  const place = frame.line > 0 ? `${frame.filename}:${frame.line}` : frame.filename
  return (
    <li className={`stack-frame ${frame.kind}`} title={`${frame.name}\n${place}`}>
      <span className='truncate'>{frame.name}</span>
      <span className='stack-place'>{frame.line > 0 ? `${shortFile(frame.filename)}:${frame.line}` : shortFile(frame.filename)}</span>
    </li>
  )
}
