// The strip below views of one moment: which event is shown, and everything that moves it.
import { ChevronLeft, ChevronRight, Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import type { CaptureSummary, DeviceSummary } from '../../preload/contract/capture.ts'
import { registerCommands, runCommand } from '../commands/registry.ts'
import { useKeyLabels } from '../commands/use-commands.ts'
import { formatCount, formatTime } from '../i18n/format.ts'
import { usePanelTexts } from '../i18n/part-texts.ts'
import { Chooser } from '../panels/chooser.tsx'
import { endsOf } from '../plot/scales.ts'
import { shownEvent } from '../state/moment.ts'
import { stepBy, stepToFirst, stepToLast } from '../state/step.ts'
import { useDevice, useView } from '../state/use-view.ts'
import { startScrubberCanvas } from './canvas.ts'
import { startScrubberLoader } from './loader.ts'
import { Player } from './player.ts'
import { offeredRates, rates, scrubberData, suitedRate, useScrubber } from './scrubber-data.ts'
import './scrubber.css'

interface ScrubberProps {
  readonly capture: CaptureSummary
}

/** The strip. While it is there, ↑ and ↓ step one event and Space plays. */
export function Scrubber({ capture }: ScrubberProps) {
  const t = usePanelTexts()
  const device = useDevice(capture)
  useEffect(() => startScrubberLoader(capture), [capture])
  useEffect(() => registerScrubber(capture), [capture])
  if (!device) return null
  return (
    <section className='scrubber' aria-label={t('scrubber.title')}>
      {device.eventCount === 0 ? (
        <p className='scrubber-none'>
          <strong>{t('scrubber.noHistory')}</strong> {t('scrubber.noHistoryHint')}
        </p>
      ) : (
        <>
          <Controls capture={capture} device={device} />
          <Slider capture={capture} device={device} />
          <Marked capture={capture} device={device} />
        </>
      )}
    </section>
  )
}

/** Registers what only a scrubber does; returns the end. */
function registerScrubber(capture: CaptureSummary): () => void {
  const player = new Player(capture)
  const remove = registerCommands({
    'select.up': { run: () => stepBy(capture, -1) },
    'select.down': { run: () => stepBy(capture, 1) },
    'go.play': { run: () => player.toggle() },
  })
  return () => {
    remove()
    player.stop()
  }
}

interface DeviceProps extends ScrubberProps {
  readonly device: DeviceSummary
}

function Controls({ capture, device }: DeviceProps) {
  const t = usePanelTexts()
  const keyOf = useKeyLabels()
  const { captureId } = capture
  const isPlaying = useScrubber(captureId, (data) => data.isPlaying)
  const rate = useScrubber(captureId, (data) => data.rate) ?? suitedRate(device.eventCount)
  const options = offeredRates(device.eventCount).map((each) => ({
    value: String(each),
    label: t('scrubber.ratePerSecond', { events: formatCount(each) }),
  }))
  return (
    <div className='scrubber-controls'>
      <div className='scrubber-buttons'>
        <Button command='go.firstEvent' label={t('scrubber.first')}>
          <SkipBack aria-hidden='true' size={14} />
        </Button>
        <Button command='go.previousEvent' label={`${t('scrubber.previous')} (${keyOf('select.up')})`}>
          <ChevronLeft aria-hidden='true' size={14} />
        </Button>
        <Button command='go.play' label={`${isPlaying ? t('scrubber.pause') : t('scrubber.play')} (${keyOf('go.play')})`}>
          {isPlaying ? <Pause aria-hidden='true' size={14} /> : <Play aria-hidden='true' size={14} />}
        </Button>
        <Button command='go.nextEvent' label={`${t('scrubber.next')} (${keyOf('select.down')})`}>
          <ChevronRight aria-hidden='true' size={14} />
        </Button>
        <Button command='go.lastEvent' label={t('scrubber.last')}>
          <SkipForward aria-hidden='true' size={14} />
        </Button>
      </div>
      <MomentText capture={capture} device={device} />
      <Chooser
        label={t('scrubber.rate')}
        title={t('scrubber.rateHint')}
        value={String(rate)}
        options={options}
        onChoose={(value) => scrubberData(captureId).setState({ rate: rates.find((each) => String(each) === value) })}
      />
    </div>
  )
}

function Button({ command, label, children }: { readonly command: string; readonly label: string; readonly children: ReactNode }) {
  return (
    <button type='button' className='tool-button icon' aria-label={label} title={label} onClick={() => runCommand(command)}>
      {children}
    </button>
  )
}

function MomentText({ capture, device }: DeviceProps) {
  const t = usePanelTexts()
  const event = useView(capture.captureId, (view) => shownEvent(view, device)) ?? -1
  const moment = useScrubber(capture.captureId, (data) => data.moment)
  const isOom = device.ooms.some((oom) => oom.event === event)
  const isKnown = moment?.device === device.device && moment.event === event && !Number.isNaN(moment.timeNs)
  const values = { event: formatCount(event), last: formatCount(device.eventCount - 1) }
  return (
    <div>
      <div className={isOom ? 'bad strong' : 't1 strong'}>
        {isOom && '▲ '}
        {event < 0 ? t('scrubber.beforeFirst') : t('scrubber.eventOf', values)}
      </div>
      <div className='weak'>{isKnown ? t('scrubber.afterStart', { time: formatTime(moment.timeNs) }) : '\u00a0'}</div>
    </div>
  )
}

/** What the canvas shows of the selected range, for those who do not see it. */
function Marked({ capture, device }: DeviceProps) {
  const t = usePanelTexts()
  const marked = useScrubber(capture.captureId, (data) => data.marked)
  if (marked?.device !== device.device) return null
  const [first, last] = endsOf(device.eventCount, marked.events)
  return (
    <p className='visually-hidden' data-testid='scrubber-marked'>
      {t('scrubber.marked', { first: formatCount(first), last: formatCount(last) })}
    </p>
  )
}

const manyEvents = 100
type Move = (capture: CaptureSummary) => void
const moves: Readonly<Record<string, Move>> = {
  ArrowLeft: (capture) => stepBy(capture, -1),
  ArrowRight: (capture) => stepBy(capture, 1),
  PageUp: (capture) => stepBy(capture, -manyEvents),
  PageDown: (capture) => stepBy(capture, manyEvents),
  Home: stepToFirst,
  End: stepToLast,
}

function Slider({ capture, device }: DeviceProps) {
  const t = usePanelTexts()
  const host = useRef<HTMLDivElement>(null)
  const event = useView(capture.captureId, (view) => shownEvent(view, device)) ?? -1
  const isDrawn = useScrubber(capture.captureId, (data) => data.curves !== undefined)
  useEffect(() => (host.current ? startScrubberCanvas(capture, host.current) : undefined), [capture])
  const onKeyDown = (press: KeyboardEvent) => {
    const move = press.ctrlKey || press.metaKey || press.altKey || press.shiftKey ? undefined : moves[press.key]
    if (!move) return
    press.preventDefault()
    move(capture)
  }
  const isOom = device.ooms.some((oom) => oom.event === event)
  const values = { event: formatCount(event), last: formatCount(device.eventCount - 1) }
  return (
    <div
      ref={host}
      className='scrubber-canvas'
      role='slider'
      tabIndex={0}
      aria-label={t('scrubber.slider')}
      aria-valuemin={0}
      aria-valuemax={device.eventCount - 1}
      aria-valuenow={Math.max(0, event)}
      aria-valuetext={
        event < 0 ? t('scrubber.beforeFirst') : isOom ? t('scrubber.oom', { event: values.event }) : t('scrubber.eventOf', values)
      }
      data-testid='scrubber'
      data-drawn={isDrawn ? 'yes' : 'no'}
      onKeyDown={onKeyDown}
    />
  )
}
