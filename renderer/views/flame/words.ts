// Numbers and names of the flame graph in words; screen, table and picture read the same ones.
import type { CaptureKind, ProfileValueType } from '../../../preload/contract/capture.ts'
import { meaningOf } from '../../../preload/contract/profile-units.ts'
import type { FlameUnit } from '../../../preload/contract/queries.ts'
import { categoryOfSlot } from '../../categories/words.ts'
import { formatBytes, formatCount, formatShare, formatSignedBytes, formatTime } from '../../i18n/format.ts'
import { bareTitle } from './bare.ts'
import type { Weighed } from './flame-data.ts'
import { type FlameFrame, isSigned, type Weight } from './flame-state.ts'
import { categoryAt, type FlameNodes, frameAt, growthAt } from './nodes.ts'
import type { Translate } from './texts.ts'

export interface Measured {
  readonly weight: Weight
  readonly unit: FlameUnit
  readonly hasTimes: boolean // else areas count events
  readonly valueType: ProfileValueType | undefined // of a profile: what its values are
}

/** A value of a profile, in the unit that the file gives it. */
function formatValue(value: number, unit: string): string {
  const { kind, size } = meaningOf(unit)
  if (kind === 'bytes') return formatBytes(value * size)
  if (kind === 'time') return formatTime(value * size)
  const number = Number.isInteger(value) || Math.abs(value) >= 100 ? formatCount(value) : String(Number(value.toPrecision(3)))
  return kind === 'count' ? number : `${number}\u00a0${unit}`
}

/** True where values are whole bytes, which texts about memory fit. */
export const isOfBytes = ({ weight, unit, valueType }: Measured): boolean =>
  valueType ? meaningOf(valueType.unit).kind === 'bytes' : unit === 'bytes' && weight !== 'area'

/** What a profile's values are called: its own word, or ours where the format has none. */
export const valueTypeTitle = ({ name, unit }: Pick<ProfileValueType, 'name' | 'unit'>, t: Translate): string => {
  const ours = ['before', 'after', 'change'] as const // of folded stacks with two numbers
  const known = ours.find((each) => each === name)
  return known ? t(`values.${known}`) : name === '' ? t(`values.of.${meaningOf(unit).kind}`) : name
}

/** A weight: 1.20 GiB, 3,411, 12.3 MiB·s. */
export function formatWeight(value: number, { weight, unit, hasTimes, valueType }: Measured, t: Translate): string {
  if (valueType) return formatValue(value, valueType.unit)
  if (weight === 'area') {
    if (!hasTimes) return t('weightOfEvents', { weight: unit === 'bytes' ? formatBytes(value) : formatCount(value) })
    return unit === 'bytes' ? t('byteSeconds', { bytes: formatBytes(value / 1e9) }) : formatTime(value)
  }
  return unit === 'bytes' ? formatBytes(value) : formatCount(value)
}

/** A change with its sign. */
export function formatChange(value: number, measured: Measured): string {
  if (measured.valueType) return `${value > 0 ? '+' : ''}${formatValue(value, measured.valueType.unit)}`
  if (measured.unit === 'bytes') return formatSignedBytes(value)
  return value > 0 ? `+${formatCount(value)}` : formatCount(value)
}

/** What a node weighs; where two moments are compared, how much it grew. */
export const weightText = (nodes: FlameNodes, place: number, measured: Measured, t: Translate): string =>
  isSigned(measured.weight) ? formatChange(growthAt(nodes, place), measured) : formatWeight(nodes.tree.total[place] ?? 0, measured, t)

/** "Activation · 83 %": the category that holds most of a node's bytes; the name alone where it holds all. undefined: the node holds nothing. */
export function categoryText(nodes: Pick<FlameNodes, 'tree'>, place: number): string | undefined {
  const found = categoryAt(nodes, place)
  const name = found && categoryOfSlot(found.slot)
  return found && name !== undefined && found.share < 1 ? `${name} · ${formatShare(found.share, 1)}` : name
}

/** "file.py:12"; empty for what lies in no file, such as the operators of a trace. */
export function placeText({ filename, line }: Pick<FlameFrame, 'filename' | 'line'>): string {
  if (!/[./\\<]/.test(filename)) return ''
  const file = filename.split(/[\\/]/).at(-1) ?? filename
  return line > 0 ? `${file}:${line}` : file
}

/** What a node is called. */
export function nodeTitle(nodes: FlameNodes, place: number, kind: CaptureKind, t: Translate): string {
  const frame = frameAt(nodes, place)
  if (frame) return frame.title
  if ((nodes.tree.depth[place] ?? 0) === 0) return t('all')
  return bareTitle(nodes.tree.bare[place] ?? 0, kind, t)
}

/** The moment or stretch that the weights are of. */
export function momentText({ weight, toEvent, from, end, isSelected, isDump, valueType }: Weighed, t: Translate): string {
  if (valueType) return t('wholeProfile')
  if (isDump) return t('atDump')
  if (weight === 'cursor' || weight === 'peak') return toEvent < 0 ? t('beforeFirst') : t('afterEvent', { event: formatCount(toEvent) })
  if (end <= from) return t('noEvents')
  return t(isSelected ? 'eventsSelected' : 'events', { first: formatCount(from), last: formatCount(end - 1) })
}

/** "Bytes alive at the cursor": weight and unit in one. */
export const weightTitle = ({ weight, unit, valueType }: Pick<Measured, 'weight' | 'unit' | 'valueType'>, t: Translate): string =>
  valueType || weight === 'values' || weight === 'changes'
    ? valueTypeTitle(valueType ?? { name: '', unit: '' }, t)
    : t(`title.${unit}.${weight}`)
