// The drawer's part about the selected allocation in captures of the same run: op, step and kernels of a trace, stack and segment of a snapshot.
import { useStore } from 'zustand'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { AllocationDetails, JoinedOp, NamedSlice, SliceRow } from '../../preload/contract/queries.ts'
import type { ViewId } from '../../preload/contract/shell.ts'
import { counted, exactBytes, formatAddress, formatBytes, formatCount, formatTime, unknownValue } from '../i18n/format.ts'
import { commandTitle, failureSentence } from '../i18n/texts.ts'
import { Fact } from '../panels/fact.tsx'
import { StackFrames } from '../panels/stack-frames.tsx'
import { goToAllocationOf, goToSliceOf } from './go.ts'
import { isJoined, type JoinedAllocation, joinData, pairsOf, partnerOf, readyCapture, useJoins } from './join-data.ts'
import { usePartnerName } from './partner-name.ts'
import { useJoinTexts } from './texts.ts'
import './join.css'

interface JoinedAllocationsProps {
  readonly capture: CaptureSummary
  readonly allocationId: number
}

/** One section a joined partner that has answered about this allocation. */
export function JoinedAllocations({ capture: { captureId }, allocationId }: JoinedAllocationsProps) {
  const pairs = useJoins((joins) => joins.pairs)
  const allocations = useStore(joinData(captureId), (data) => data.allocations)
  const partners = pairsOf(pairs, captureId)
    .filter(isJoined)
    .map((pair) => partnerOf(pair, captureId))
  return allocations
    .filter((joined) => joined.allocationId === allocationId && partners.includes(joined.partnerId))
    .map((joined) => <InPartner key={joined.partnerId} joined={joined} />)
}

function InPartner({ joined }: { readonly joined: JoinedAllocation }) {
  const t = useJoinTexts()
  const { partnerId, partner, op, failure } = joined
  const name = usePartnerName(partnerId)
  const isTrace = readyCapture(partnerId)?.kind === 'chrome_trace'
  return (
    <section className='panel-section joined-allocation' data-testid='joined-allocation'>
      <div className='panel-head'>
        <h3>{isTrace ? t('inTrace') : t('inSnapshot')}</h3>
        <span className='truncate' title={name}>
          {name}
        </span>
      </div>
      {failure && <p role='alert'>{failureSentence(failure)}</p>}
      {!failure && !partner && <p className='panel-note'>{isTrace ? t('notInTrace') : t('notInSnapshot')}</p>}
      {op && <OpFacts traceId={partnerId} op={op} />}
      {partner && !isTrace && <SnapshotFacts partner={partner} />}
      {partner && <Ways partnerId={partnerId} name={name} partner={partner} views={isTrace ? traceViews : snapshotViews} />}
    </section>
  )
}

interface SliceLinkProps {
  readonly traceId: string
  readonly slice: SliceRow | NamedSlice
}

/** Leads to a slice in the trace's tab. */
function SliceLink({ traceId, slice }: SliceLinkProps) {
  const t = useJoinTexts()
  const { name, category } = slice
  const go = () => goToSliceOf(traceId, 'laneId' in slice ? slice : slice.sliceId)
  return (
    <button type='button' className='jump truncate' title={`${name}\n${category}\n${t('goToSlice')}`} onClick={go}>
      {name}
    </button>
  )
}

function OpFacts({ traceId, op: joined }: { readonly traceId: string; readonly op: JoinedOp }) {
  const t = useJoinTexts()
  const { name, op, innermost, step, annotations, kernels, kernelCount } = joined
  const link = (slice: SliceRow | NamedSlice) => <SliceLink traceId={traceId} slice={slice} />
  return (
    <>
      <dl className='join-facts'>
        <Fact label={t('op')} value={op ? link(op) : name === '' ? t('noOp') : name} />
        {innermost && innermost.sliceId !== op?.sliceId && <Fact label={t('madeIn')} value={link(innermost)} />}
        {step && <Fact label={t('step')} value={link(step)} />}
        {annotations.map((annotation) => (
          <Fact key={annotation.sliceId} label={t('annotation')} value={link(annotation)} />
        ))}
      </dl>
      {op && <Kernels traceId={traceId} kernels={kernels} count={kernelCount} />}
    </>
  )
}

interface KernelsProps {
  readonly traceId: string
  readonly kernels: readonly SliceRow[]
  readonly count: number | null // all; null = not counted
}

function Kernels({ traceId, kernels, count }: KernelsProps) {
  const t = useJoinTexts()
  if (count === null) return <p className='panel-note'>{t('kernelsUnknown')}</p>
  if (kernels.length === 0) return <p className='panel-note'>{t('noKernels')}</p>
  const more = count - kernels.length
  return (
    <>
      <div className='panel-head'>
        <h4>{t('kernels')}</h4>
        <span>{formatCount(count)}</span>
      </div>
      <ul className='join-links' data-testid='joined-kernels'>
        {kernels.map((kernel) => (
          <li key={kernel.sliceId}>
            <SliceLink traceId={traceId} slice={kernel} />
            <span>{formatTime(kernel.durNs)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className='panel-note'>{t('moreKernels', counted(more))}</p>}
    </>
  )
}

function SnapshotFacts({ partner }: { readonly partner: AllocationDetails }) {
  const t = useJoinTexts()
  const { sizeBytes, requestedBytes, segmentAddress, segmentBytes, frames, stackIsOfFree } = partner
  return (
    <>
      <dl>
        <Fact label={t('rounded')} value={formatBytes(sizeBytes)} title={exactBytes(sizeBytes)} />
        <Fact label={t('requested')} value={formatBytes(requestedBytes)} title={exactBytes(requestedBytes)} />
        <Fact
          label={t('segment')}
          value={segmentAddress === null ? unknownValue : formatAddress(segmentAddress)}
          title={segmentBytes === null ? undefined : exactBytes(segmentBytes)}
          mono
        />
      </dl>
      <div className='panel-head'>
        <h4>{stackIsOfFree ? t('stackOfFree') : t('stack')}</h4>
        <span>{t('innermostFirst')}</span>
      </div>
      <StackFrames key={partner.allocationId} frames={frames} />
    </>
  )
}

const snapshotViews = ['blocks', 'timeline'] as const satisfies readonly ViewId[]
const traceViews = ['trace', 'timeline'] as const satisfies readonly ViewId[]

interface WaysProps {
  readonly partnerId: string
  readonly name: string
  readonly partner: AllocationDetails
  readonly views: typeof snapshotViews | typeof traceViews
}

/** Buttons that show the same allocation in views of the partner. */
function Ways({ partnerId, name, partner, views }: WaysProps) {
  const t = useJoinTexts()
  return (
    <div className='actions join-ways'>
      <span className='weak grow truncate' title={name}>
        {t('showIn', { name })}
      </span>
      {views.map((view) => (
        <button key={view} type='button' className='tool-button' onClick={() => goToAllocationOf(partnerId, view, partner)}>
          {commandTitle(`view.${view}`)}
        </button>
      ))}
    </div>
  )
}
