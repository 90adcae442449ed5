// The numbers above the picture.

import type { ViewProps } from '../view.ts'
import { useBlocksData } from './blocks-data.ts'
import { useBlocksTexts } from './texts.ts'
import { type Tile, tilesOf, totalsOf } from './totals.ts'
import { useCaptureRequest } from './use-request.ts'

export const outcomeSigns = { fits: '✓', segment: '＋', noBlock: '○', fails: '▲' } as const

/** Reserved, allocated, free, largest free block, and the request where there is one. */
export function Tiles({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const picture = useBlocksData(capture.captureId, (data) => data.picture)
  const { request, isPending } = useCaptureRequest(capture)
  if (!picture) return <div className='blocks-tiles' />
  const tiles = tilesOf(totalsOf(picture.segments), request, t)
  return (
    <dl className={isPending ? 'blocks-tiles pending' : 'blocks-tiles'} data-testid='blocks-tiles'>
      {tiles.map((tile) => (
        <TileCard key={tile.name} tile={tile} />
      ))}
    </dl>
  )
}

function TileCard({ tile: { name, label, value, exact, note, verdict } }: { readonly tile: Tile }) {
  return (
    <div className={`blocks-tile ${name}`}>
      <dt>{label}</dt>
      <dd>
        <span className='blocks-tile-value' title={exact}>
          {value}
        </span>
        {verdict && (
          <span className={`blocks-verdict ${verdict.outcome === 'fails' ? 'bad' : verdict.outcome === 'fits' ? 'good' : 't1'}`}>
            <span aria-hidden='true'>{outcomeSigns[verdict.outcome]}</span> {verdict.text}
          </span>
        )}
        <p className='blocks-tile-note'>{note}</p>
      </dd>
    </div>
  )
}
