// The numbers above the curves. Each leads to the block map at the same moment.

import { type Tile, tilesOf } from '../../space/tiles.ts'
import type { ViewProps } from '../view.ts'
import { showBlocks, showLargestFree } from './actions.ts'
import { useFragmentationTexts } from './texts.ts'
import { useReport } from './use-report.ts'

/** All tiles; those of the moment before, dimmed, until the answer is there. */
export function Tiles({ capture }: ViewProps) {
  const t = useFragmentationTexts()
  const { measures, failedBytes, isPending } = useReport(capture)
  if (!measures) return <div className='frag-tiles' />
  return (
    <dl className={isPending ? 'frag-tiles pending' : 'frag-tiles'} data-testid='fragmentation-tiles'>
      {tilesOf(measures, failedBytes, t).map((tile) => (
        <TileCard key={tile.name} capture={capture} tile={tile} />
      ))}
    </dl>
  )
}

function TileCard({ capture, tile: { name, label, value, exact, note, definition } }: ViewProps & { readonly tile: Tile }) {
  const t = useFragmentationTexts()
  const show = () => (name === 'largestFree' ? void showLargestFree(capture) : showBlocks(capture))
  return (
    <div className={`frag-tile ${name}`} title={`${exact}\n${definition}`}>
      <dt>{label}</dt>
      <dd>
        <button type='button' className='frag-tile-value' title={`${exact}\n${t('showInBlocks')}`} onClick={show}>
          {value}
        </button>
      </dd>
      <dd className='frag-tile-note'>{note}</dd>
      <dd className='frag-tile-definition'>{definition}</dd>
    </div>
  )
}
