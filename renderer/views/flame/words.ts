// Numbers and names of the flame graph in words; screen, table and picture read the same ones.
import type { FlameUnit } from '../../../preload/contract/queries.ts'
import { formatBytes, formatCount, formatSignedBytes, formatTime } from '../../i18n/format.ts'
import type { Weighed } from './flame-data.ts'
import { type FlameFrame, isSigned, type Weight } from './flame-state.ts'
import { type FlameNodes, frameAt, growthAt } from './nodes.ts'
import type { Translate } from './texts.ts'

export interface Measured {
  readonly weight: Weight
  readonly unit: FlameUnit
  readonly hasTimes: boolean // else areas count events
}

/** A weight: 1.20 GiB, 3,411, 12.3 MiB·s. */
export function formatWeight(value: number, { weight, unit, hasTimes }: Measured, t: Translate): string {
  if (weight === 'area') {
    if (!hasTimes) return t('weightOfEvents', { weight: unit === 'bytes' ? formatBytes(value) : formatCount(value) })
    return unit === 'bytes' ? t('byteSeconds', { bytes: formatBytes(value / 1e9) }) : formatTime(value)
  }
  return unit === 'bytes' ? formatBytes(value) : formatCount(value)
}

/** A change with its sign. */
export function formatChange(value: number, measured: Measured): string {
  if (measured.unit === 'bytes') return formatSignedBytes(value)
  return value > 0 ? `+${formatCount(value)}` : formatCount(value)
}

/** What a node weighs; where two moments are compared, how much it grew. */
export const weightText = (nodes: FlameNodes, place: number, measured: Measured, t: Translate): string =>
  isSigned(measured.weight) ? formatChange(growthAt(nodes, place), measured) : formatWeight(nodes.tree.total[place] ?? 0, measured, t)

/** "file.py:12"; empty for what lies in no file, such as the operators of a trace. */
export function placeText({ filename, line }: Pick<FlameFrame, 'filename' | 'line'>): string {
  if (!/[./\\<]/.test(filename)) return ''
  const file = filename.split(/[\\/]/).at(-1) ?? filename
  return line > 0 ? `${file}:${line}` : file
}

/** What a node is called. */
export function nodeTitle(nodes: FlameNodes, place: number, isTrace: boolean, t: Translate): string {
  const frame = frameAt(nodes, place)
  if (frame) return frame.title
  if ((nodes.tree.depth[place] ?? 0) === 0) return t('all')
  return t(isTrace ? 'noStackInTrace' : 'noStack')
}

/** The moment or stretch that the weights are of. */
export function momentText({ weight, toEvent, from, end, isSelected, isDump }: Weighed, t: Translate): string {
  if (isDump) return t('atDump')
  if (weight === 'cursor' || weight === 'peak') return toEvent < 0 ? t('beforeFirst') : t('afterEvent', { event: formatCount(toEvent) })
  if (end <= from) return t('noEvents')
  return t(isSelected ? 'eventsSelected' : 'events', { first: formatCount(from), last: formatCount(end - 1) })
}

/** "Bytes alive at the cursor": weight and unit in one. */
export const weightTitle = ({ weight, unit }: Pick<Measured, 'weight' | 'unit'>, t: Translate): string => t(`title.${unit}.${weight}`)
