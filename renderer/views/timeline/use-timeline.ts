// The timeline's answers in React, at settled pace.
import { useStore } from 'zustand'
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { usePaced } from '../../data/paced.ts'
import { useTexts as useTextsOf } from '../../i18n/part-texts.ts'
import type { TopStacks } from '../../plot/placed.ts'
import { useDevice, useView } from '../../state/use-view.ts'
import { stacksEvent } from './moments.ts'
import { type Translate, timelineText } from './texts.ts'
import { type TimelineData, timelineData } from './timeline-data.ts'

/** Part of what the engine has answered. */
export function useTimeline<T>(captureId: string, pick: (data: TimelineData) => T): T {
  return useStore(timelineData(captureId), pick)
}

/** Texts of the timeline; the component is drawn again when the language changes. */
export const useTexts = (): Translate => useTextsOf(timelineText)

export interface ShownStacks {
  readonly top: TopStacks | undefined
  readonly isAtPeak: boolean // there is no cursor
  readonly isPending: boolean // they are of another event than the cursor's (without one, the peak's)
}

/** The largest stacks as answered last for the device, with the event they belong to. */
export function useTopStacks(capture: CaptureSummary): ShownStacks {
  const device = useDevice(capture)
  const cursorEvent = useView(capture.captureId, (view) => view.cursorEvent)
  const answered = useTimeline(capture.captureId, (data) => data.topStacks)
  const top = answered?.device === device?.device ? answered : undefined
  const isPending = device !== undefined && top?.event !== stacksEvent(cursorEvent, device)
  return { top, isAtPeak: cursorEvent === undefined && !isPending, isPending }
}

/** What the engine has answered, at most ten times a second: for words about answers that come with every frame of a pan. */
export const usePacedTimeline = (captureId: string): TimelineData => usePaced(timelineData(captureId))
