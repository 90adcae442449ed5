// Values of the heat map in words.
import type { Axis, LifetimeMeasure } from '../../../preload/contract/queries.ts'
import { counted, formatBytes, formatTime } from '../../i18n/format.ts'
import { isPerAddress, valueAt } from './heat.ts'
import type { PlacedHeat } from './lifetimes-data.ts'
import { lifetimesText as t } from './texts.ts'

const mebi = 2 ** 20
const nsPerSecond = 1e9

/** A value of a measure with its unit. */
export function valueText(measure: LifetimeMeasure, axis: Axis, value: number): string {
  if (measure === 'age') return axis === 'time' ? formatTime(value) : t('unit.events', counted(value))
  if (measure !== 'area') return formatBytes(value)
  return axis === 'time'
    ? t('unit.byteSeconds', { bytes: formatBytes(value / nsPerSecond) })
    : t('unit.byteEvents', { bytes: formatBytes(value) })
}

export type HeatLook = Pick<PlacedHeat, 'measure' | 'order' | 'scale' | 'axis'>

/** Words at shares 0, 1/2 and 1 of the scale bar. `max`: value at its end. */
export function scaleWords(
  { measure, order, scale, axis }: HeatLook,
  max: number,
): readonly { readonly share: number; readonly text: string }[] {
  const top = isPerAddress(measure, order) ? mebi : max
  return [
    { share: 0, text: '> 0' },
    { share: 0.5, text: valueText(measure, axis, top * valueAt(scale, 0.5)) },
    { share: 1, text: valueText(measure, axis, top) },
  ]
}

/** What a value is of: a cell, or a stretch of addresses. */
export const perWords = ({ measure, order }: Pick<HeatLook, 'measure' | 'order'>): string =>
  measure === 'age' ? t('per.age') : isPerAddress(measure, order) ? t('per.addresses') : t('per.cell')
