// The numbers above the picture.

import type { ViewProps } from '../view.ts'
import { useBlocksData } from './blocks-data.ts'
import { useBlocksTexts } from './texts.ts'
import { roundingNote, type Tile, tilesOf, totalsOf } from './totals.ts'
import { useCaptureRequest, useKeepsRequest } from './use-request.ts'

const outcomeSigns = { fits: '✓', segment: '＋', noBlock: '○', fails: '▲' } as const

/** Reserved, allocated, free, largest free block, and the request where there is one. */
export function Tiles({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const picture = useBlocksData(capture.captureId, (data) => data.picture)
  const { request, isPending } = useCaptureRequest(capture)
  const keepsRequest = useKeepsRequest(capture)
  const className = `blocks-tiles ${keepsRequest ? 'keeps-request' : ''}`
  if (!picture) return <div className={className} />
  const totals = totalsOf(picture.report)
  const tiles = tilesOf(totals, request, t, keepsRequest)
  const rounding = roundingNote(totals, t)
  return (
    <>
      <dl className={isPending ? `${className} pending` : className} data-testid='blocks-tiles'>
        {tiles.map((tile) => (
          <TileCard key={tile.name} tile={tile} />
        ))}
      </dl>
      {rounding !== undefined && (
        <p className='blocks-rounding t1' data-testid='blocks-rounding' title={t('roundingMeaning')}>
          <span className='blocks-swatch rounding' aria-hidden='true' />
          <span className='truncate'>{rounding}</span>
        </p>
      )}
    </>
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
        <p className='blocks-tile-note' title={name === 'request' ? note : undefined}>
          {note}
        </p>
      </dd>
    </div>
  )
}
