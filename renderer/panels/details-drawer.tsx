// Details of the selected allocation, or of the failure at the cursor.
import { X } from 'lucide-react'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { AllocationDetails } from '../../preload/contract/queries.ts'
import { CategoryDetails } from '../categories/category-details.tsx'
import { useFocus } from '../focus/focus-data.ts'
import {
  counted,
  exactBytes,
  formatAddress,
  formatAddressVersion,
  formatBytes,
  formatCount,
  formatShare,
  formatTime,
  unknownValue,
} from '../i18n/format.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { JoinedAllocations } from '../join/joined-allocation.tsx'
import { allocationTitle, poolTitle, streamTitle } from '../plot/legend.ts'
import { failureAtCursor } from '../state/go-to.ts'
import { useDevice, useView } from '../state/use-view.ts'
import { patchView } from '../state/view-state.ts'
import { cssColor, slotColor } from '../theme/palette.ts'
import { useTokens } from '../theme/theme.ts'
import { CopyButton } from '../widgets/copy-button.tsx'
import { AllocationNotes } from './allocation-notes.tsx'
import { detailsText } from './details-text.ts'
import { Fact } from './fact.tsx'
import { LifeFacts } from './life-facts.tsx'
import { MemoryErrorDetails } from './memory-error-details.tsx'
import { ShowIn } from './show-in.tsx'
import { StackFrames } from './stack-frames.tsx'
import { UseList } from './use-list.tsx'
import { UseStrip } from './use-strip.tsx'

interface CaptureProps {
  readonly capture: CaptureSummary
}

interface DetailsProps extends CaptureProps {
  readonly details: AllocationDetails
}

interface DetailsDrawerProps extends CaptureProps {
  readonly hint: string // how to select an allocation in this view
}

/** The drawer's content: the selected allocation, the failure to allocate at the cursor, or how to select something. */
export function DetailsDrawer({ capture, hint }: DetailsDrawerProps) {
  const t = usePanelTexts()
  const failure = useView(capture.captureId, (view) => failureAtCursor(capture, view))
  const selected = useView(capture.captureId, (view) => view.selectedAllocation)
  const details = useFocus(capture.captureId, (data) => data.details)
  const close = () => patchView(capture.captureId, { showDetails: false, showEmptyDetails: false })
  return (
    <div className='details-drawer'>
      <header className='panel-head'>
        <h2>{selected === undefined && failure ? t('memoryError.title') : t('details.title')}</h2>
        <button type='button' className='icon-button' aria-label={t('details.close')} title={t('details.close')} onClick={close}>
          <X aria-hidden='true' size={14} />
        </button>
      </header>
      {selected === undefined &&
        (failure ? <MemoryErrorDetails capture={capture} failure={failure} /> : <p className='details-hint'>{hint}</p>)}
      {selected !== undefined && details && (
        // What was selected before stays, dimmed and out of reach, until the answer is there.
        <div className={`details-body ${details.allocationId === selected ? '' : 'pending'}`} inert={details.allocationId !== selected}>
          <Details capture={capture} details={details} />
        </div>
      )}
    </div>
  )
}

function Details({ capture, details }: DetailsProps) {
  const t = usePanelTexts()
  return (
    <>
      <Headline capture={capture} details={details} />
      <Facts capture={capture} details={details} />
      <AllocationNotes capture={capture} details={details} />
      <CategoryDetails capture={capture} details={details} />
      <JoinedAllocations capture={capture} allocationId={details.allocationId} />
      {details.useCount > 1 && (
        <section className='panel-section'>
          <div className='panel-head'>
            <h3>{t('details.uses')}</h3>
            <span>{t('details.useOf', { index: formatCount(details.useIndex + 1), ...counted(details.useCount) })}</span>
          </div>
          <UseStrip capture={capture} details={details} />
          <UseList capture={capture} details={details} />
        </section>
      )}
      <section className='panel-section'>
        <div className='panel-head'>
          <h3>{details.stackIsOfFree ? t('details.stackOfFree') : t('details.stack')}</h3>
          <span>{t('details.innermostFirst')}</span>
        </div>
        <StackFrames key={details.allocationId} frames={details.frames} />
      </section>
      <SameStack details={details} />
      <ShowIn capture={capture} />
      <div className='actions details-copy'>
        <CopyButton text={details.address} label={t('details.copyAddress')} done={t('details.copied')} />
        <CopyButton text={detailsText(details)} label={t('details.copyAll')} done={t('details.copied')} />
      </div>
    </>
  )
}

function Headline({ capture, details }: DetailsProps) {
  const t = usePanelTexts()
  const tokens = useTokens()
  const device = useDevice(capture)
  return (
    <div className='details-headline'>
      <div>
        <span className='details-size' title={exactBytes(details.sizeBytes)}>
          {formatBytes(details.sizeBytes)}
        </span>
        {device && (
          <span className='weak'>{t('details.ofPeak', { share: formatShare(details.sizeBytes, device.peakAllocatedBytes) })}</span>
        )}
      </div>
      <div className='details-stack' title={details.place}>
        <span className='swatch' style={{ background: cssColor(slotColor(tokens, 'stack', details.slot) ?? [0, 0, 0]) }} />
        <span className='t1 truncate'>{allocationTitle(details)}</span>
        <span className='weak truncate'>{details.place}</span>
      </div>
    </div>
  )
}

function Facts({ capture, details }: DetailsProps) {
  const t = usePanelTexts()
  const offset = details.segmentAddress === null ? undefined : Number(BigInt(details.address) - BigInt(details.segmentAddress))
  const loss = details.sizeBytes - details.requestedBytes
  return (
    <dl className='panel-section'>
      <Fact label={t('details.address')} value={formatAddress(details.address)} title={details.address} mono />
      <Fact
        label={t('details.version')}
        value={formatAddressVersion(details.address, details.version)}
        title={t('details.versionNote')}
        mono
      />
      <Fact label={t('details.requested')} value={exactBytes(details.requestedBytes)} />
      <Fact
        label={t('details.rounded')}
        value={exactBytes(details.sizeBytes)}
        title={loss > 0 ? t('details.loss', { bytes: exactBytes(loss) }) : undefined}
      />
      <LifeFacts capture={capture} details={details} />
      <Fact label={t('details.stream')} value={streamTitle(details.stream)} />
      <Fact label={t('details.pool')} value={poolTitle(details.pool)} />
      <Fact
        label={t('details.segment')}
        value={
          details.segmentAddress === null || offset === undefined
            ? unknownValue
            : `${formatAddress(details.segmentAddress)} + ${formatBytes(offset)}`
        }
        title={
          details.segmentAddress === null
            ? t('details.segmentUnknown')
            : details.segmentBytes === null
              ? undefined
              : exactBytes(details.segmentBytes)
        }
        mono
      />
      {details.compileContext !== null && <Fact label={t('details.compileContext')} value={details.compileContext} />}
      {details.userMetadata !== null && <Fact label={t('details.userMetadata')} value={details.userMetadata} />}
    </dl>
  )
}

function SameStack({ details }: { readonly details: AllocationDetails }) {
  const t = usePanelTexts()
  if (details.stackId < 0) return null
  return (
    <section className='panel-section'>
      <div className='panel-head'>
        <h3>{t('details.sameStack')}</h3>
        <span>{t('details.wholeCapture')}</span>
      </div>
      <dl>
        <Fact label={t('details.allocations')} value={formatCount(details.sameStackCount)} />
        <Fact
          label={t('details.medianLifetime')}
          value={details.sameStackMedianNs === null ? unknownValue : formatTime(details.sameStackMedianNs)}
          title={details.sameStackMedianNs === null ? t('details.medianUnknown') : undefined}
        />
      </dl>
    </section>
  )
}
