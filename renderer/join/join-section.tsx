// The side bar's part about captures of the same run: with which one this is joined, how sure that is, and the way there.
import { Check, CircleHelp, TriangleAlert, X } from 'lucide-react'
import { useStore } from 'zustand'
import type { CaptureSummary } from '../../preload/contract/capture.ts'
import type { JoinMatch, JoinVerdict } from '../../preload/contract/queries.ts'
import { counted, deviceName, exactTime, formatCount, formatShare, formatTime } from '../i18n/format.ts'
import { failureSentence } from '../i18n/texts.ts'
import { Fact } from '../panels/fact.tsx'
import { useView } from '../state/use-view.ts'
import { goToCapture } from './go.ts'
import { isJoined, type JoinPair, joinData, pairKey, pairsOf, partnerOf, useJoins } from './join-data.ts'
import { usePartnerName } from './partner-name.ts'
import { useJoinTexts } from './texts.ts'
import './join.css'

interface CaptureProps {
  readonly capture: CaptureSummary
}

/** One section a partner; nothing without candidates. */
export function JoinSections({ capture }: CaptureProps) {
  const pairs = useJoins((joins) => joins.pairs)
  return pairsOf(pairs, capture.captureId).map((pair) => <JoinSection key={pairKey(pair)} capture={capture} pair={pair} />)
}

interface PairProps extends CaptureProps {
  readonly pair: JoinPair
}

function JoinSection({ capture, pair }: PairProps) {
  const t = useJoinTexts()
  const partnerId = partnerOf(pair, capture.captureId)
  const name = usePartnerName(partnerId)
  const { match, failure } = pair
  const title = !match ? t('comparedWith') : isJoined(pair) ? t('joinedWith') : t('notJoinedWith')
  return (
    <section className='panel-section join-section' aria-label={`${title} ${name}`} data-testid='join-section'>
      <h2>{title}</h2>
      <button type='button' className='jump truncate join-partner' title={t('goTo', { name })} onClick={() => goToCapture(partnerId)}>
        {name}
      </button>
      {match && <Verdict match={match} device={nameOfDevice(capture, pair.devices[0] ?? 0)} />}
      {match?.reason && <p className='panel-note'>{t(`reason.${match.reason}`)}</p>}
      {match && pair.devices.length > 1 && (
        <p className='panel-note'>
          {t('onlyDevice', { device: nameOfDevice(capture, pair.devices[0] ?? 0), ...counted(pair.devices.length) })}
        </p>
      )}
      {match && isJoined(pair) && <MatchFacts match={match} />}
      {isJoined(pair) && <EdgeNote capture={capture} partnerId={partnerId} name={name} />}
      {!match && !failure && <p className='panel-note'>{t('comparing')}</p>}
      {failure && (
        <p className='panel-note' role='alert'>
          {failureSentence(failure)}
        </p>
      )}
    </section>
  )
}

const icons = { same_run: Check, doubtful: TriangleAlert, other_run: X, unknown: CircleHelp } as const
const colors = { same_run: 'good', doubtful: 't1', other_run: 'weak', unknown: 'weak' } as const satisfies Record<JoinVerdict, string>

/** A device that both captures know, as people call it. */
const nameOfDevice = ({ devices }: CaptureSummary, device: number): string =>
  deviceName(device, devices.find((each) => each.device === device)?.deviceType ?? '')

/** In words, with a mark of its own shape, and the device whose allocations were compared. */
function Verdict({ match: { verdict }, device }: { readonly match: JoinMatch; readonly device: string }) {
  const t = useJoinTexts()
  const Icon = icons[verdict]
  return (
    <p className='join-verdict' data-testid='join-verdict'>
      <Icon className={colors[verdict]} aria-hidden='true' size={14} />
      {t('verdictOn', { verdict: t(`verdict.${verdict}`), device })}
    </p>
  )
}

function MatchFacts({ match }: { readonly match: JoinMatch }) {
  const t = useJoinTexts()
  const { matched, equalSizes, snapshotAllocations, traceAllocations, clockDifferenceNs, spreadNs, overlap } = match
  const most = Math.min(snapshotAllocations, traceAllocations)
  return (
    <dl>
      <Fact
        label={t('matched')}
        value={t('matchedOf', { matched: formatCount(matched), all: formatCount(most) })}
        title={t('matchedHint', {
          snapshot: formatCount(snapshotAllocations),
          trace: formatCount(traceAllocations),
          equal: formatCount(equalSizes),
        })}
      />
      <Fact label={t('share')} value={formatShare(matched, most)} inner />
      {clockDifferenceNs !== null && (
        <Fact
          label={t('clocks')}
          value={t('plusMinus', { difference: formatTime(clockDifferenceNs), spread: formatTime(spreadNs ?? 0) })}
          title={t('clocksHint', { difference: exactTime(clockDifferenceNs), spread: exactTime(spreadNs ?? 0) })}
        />
      )}
      {overlap && (
        <Fact
          label={t('overlap')}
          value={formatTime(overlap.traceToNs - overlap.traceFromNs)}
          title={t('overlapHint', {
            snapshot: `${formatTime(overlap.snapshotFromNs)} – ${formatTime(overlap.snapshotToNs)}`,
            trace: `${formatTime(overlap.traceFromNs)} – ${formatTime(overlap.traceToNs)}`,
          })}
        />
      )}
    </dl>
  )
}

interface EdgeNoteProps extends CaptureProps {
  readonly partnerId: string
  readonly name: string
}

/** Where the cursor of one lies outside of what the other recorded, it stands at that one's edge. */
function EdgeNote({ capture: { captureId }, partnerId, name }: EdgeNoteProps) {
  const t = useJoinTexts()
  const here = useStore(joinData(captureId), ({ atEdge }) => atEdge)
  const there = useStore(joinData(partnerId), ({ atEdge }) => atEdge)
  const cursorHere = useView(captureId, (view) => view.cursorEvent)
  const cursorThere = useView(partnerId, (view) => view.cursorEvent)
  if (here?.partnerId === partnerId && here.event === cursorHere) return <p className='panel-note'>{t('edgeHere', { name })}</p>
  if (there?.partnerId === captureId && there.event === cursorThere) return <p className='panel-note'>{t('edgeThere', { name })}</p>
  return null
}
