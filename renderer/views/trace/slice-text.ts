// The details of a slice as plain text for the clipboard.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { SliceDetails } from '../../../preload/contract/queries.ts'
import { exactTime, formatTime, unknownValue } from '../../i18n/format.ts'
import { argsText } from './slice-args.ts'
import { traceText as t } from './texts.ts'

export interface SliceProps {
  readonly capture: CaptureSummary
  readonly details: SliceDetails
}

/** Lines "name: value" with exact numbers, what it lies inside of, then all arguments. */
export function sliceText(details: SliceDetails): string {
  const { startNs, durNs, selfNs, ancestors, isUnfinished } = details
  const lines = [
    details.name,
    `${formatTime(durNs)} (${exactTime(durNs)})${isUnfinished ? `, ${t('drawer.unfinished')}` : ''}`,
    `${t('slice.category')}: ${details.category}`,
    `${t('slice.start')}: ${exactTime(startNs)}`,
    `${t('slice.self')}: ${selfNs === null ? unknownValue : exactTime(selfNs)}`,
    `${t('slice.track')}: ${details.trackName}`,
    ...(details.processName === '' ? [] : [`${t('slice.process')}: ${details.processName}`]),
    ...(details.launch ? [`${t('slice.launch')}: ${details.launch.name}`] : []),
    ...(details.op ? [`${t('slice.op')}: ${details.op.name}`] : []),
    ...(ancestors.length === 0 ? [] : [`${t('slice.ancestors')}:`, ...ancestors.map(({ name }) => `  ${name}`)]),
  ]
  return `${lines.join('\n')}\n${argsText(details.args ?? [])}`
}
