// One line in words: what the event shown did.
import type { EventRow } from '../../../preload/contract/queries.ts'
import { counted, exactBytes, formatAddress, formatBytes, formatCount } from '../../i18n/format.ts'
import { stackTitle } from '../../plot/legend.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import type { ViewProps } from '../view.ts'
import { goToAddress } from './actions.ts'
import { useBlocksData } from './blocks-data.ts'
import { type Translate, useBlocksTexts } from './texts.ts'
import { totalsOf } from './totals.ts'
import { useOfMoment } from './use-of-moment.ts'

const known = [
  'alloc',
  'free_requested',
  'free_completed',
  'segment_alloc',
  'segment_free',
  'segment_map',
  'segment_unmap',
  'oom',
  'snapshot',
] as const
type KnownAction = (typeof known)[number]

const isKnown = (action: string): action is KnownAction => known.some((each) => each === action)

/** The action in words; an action of a newer PyTorch under its own name. */
const actionWords = (action: string, t: Translate): string => (isKnown(action) ? t(`action.${action}`) : action)

/** Action, size, address and stack of the event. */
export function EventLine({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const { value: change, isPending } = useOfMoment(capture.captureId, (data) => data.change)
  const row = change?.value
  const device = useDevice(capture)
  const { value: absent, isPending: isAbsentPending } = useOfMoment(capture.captureId, (data) => data.absent)
  const selected = useView(capture.captureId, (view) => view.selectedAllocation)
  const isAbsent = absent !== undefined && absent.allocationId === selected && !isAbsentPending
  if (device?.eventCount === 0) return null
  return (
    <p className='blocks-event' data-testid='blocks-event'>
      {row ? (
        <span className={isPending ? 'blocks-change pending' : 'blocks-change'}>
          <span className={row.action === 'oom' ? 'bad strong' : 't1 strong'}>{actionWords(row.action, t)}</span>{' '}
          {row.sizeBytes > 0 && (
            <span className='t1' title={exactBytes(row.sizeBytes)}>
              {formatBytes(row.sizeBytes)}{' '}
            </span>
          )}
          {row.address !== null && <Address capture={capture} address={row.address} />}
          <Stack row={row} />
        </span>
      ) : (
        !isPending && <span className='weak'>{t('noEvent')}</span>
      )}
      <Matches capture={capture} />
      {isAbsent && <span className='weak blocks-absent'>{t('selectionAbsent')}</span>}
    </p>
  )
}

/** How many blocks the filter lets pass. */
function Matches({ capture }: ViewProps) {
  const t = useBlocksTexts()
  const { value: matching, isPending } = useOfMoment(capture.captureId, (data) => data.matching)
  const picture = useBlocksData(capture.captureId, (data) => data.picture)
  if (!matching || !picture) return null
  const { blocks, freeBlocks } = totalsOf(picture.report)
  const values = { ...counted(matching.count), all: formatCount(blocks - freeBlocks), bytes: formatBytes(matching.bytes) }
  return (
    <span className={isPending ? 't1 blocks-matches pending' : 't1 blocks-matches'} data-testid='blocks-matches'>
      {t('matches', values)}
    </span>
  )
}

function Address({ capture, address }: ViewProps & { readonly address: string }) {
  const t = useBlocksTexts()
  return (
    <>
      <button type='button' className='jump plain mono' title={t('goToBlock')} onClick={() => void goToAddress(capture, address)}>
        {formatAddress(address)}
      </button>{' '}
    </>
  )
}

function Stack({ row }: { readonly row: EventRow }) {
  if (row.title === '' && row.place === '') return null
  return (
    <span className='truncate'>
      {stackTitle(row.title)} <span className='weak'>{row.place}</span>
    </span>
  )
}
