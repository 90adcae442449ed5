// A scale of colours.
import type { Legend } from '../plot/legend.ts'
import { cssColor } from '../theme/palette.ts'

/** The bar and its labels. */
export function ScaleBar({ scale }: { readonly scale: Pick<Legend & { kind: 'scale' }, 'steps' | 'labels'> }) {
  return (
    <div className='scale'>
      <div className='scale-bar'>
        {scale.steps.map((color, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other identity than its place
          <span key={index} style={{ background: cssColor(color) }} />
        ))}
      </div>
      <div className='scale-labels'>
        {scale.labels.map(({ text }) => (
          <span key={text}>{text}</span>
        ))}
      </div>
    </div>
  )
}
