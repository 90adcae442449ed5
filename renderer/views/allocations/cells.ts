// A row of the table in words, on the screen, in pictures and on the clipboard. A further column is one
// more case of `cellText` and one more name in `columns`.
import type { DeviceSummary } from '../../../preload/contract/capture.ts'
import type { AllocationRow, Axis } from '../../../preload/contract/queries.ts'
import { categoryName } from '../../categories/words.ts'
import { exactBytes, exactTime, formatAddressVersion, formatBytes, formatCount, formatTime, unknownValue } from '../../i18n/format.ts'
import { panelText } from '../../i18n/part-texts.ts'
import { lifeOf } from '../../panels/details-text.ts'
import { allocationTitle, poolTitle, streamTitle } from '../../plot/legend.ts'
import type { Column } from './allocations-data.ts'
import { allocationsText as t } from './texts.ts'

/** What a cell is told against. */
export interface CellLook {
  readonly device: Pick<DeviceSummary, 'eventCount' | 'lastTimeNs'>
  readonly axis: Axis
}

/** Held by the program at the end of the capture; one whose free the file does not show is not. */
const isAlive = ({ freeRequestedEvent, freeCompletedEvent }: AllocationRow): boolean =>
  freeRequestedEvent === null && freeCompletedEvent === null

function lifeText(row: AllocationRow, { device, axis }: CellLook): string {
  const life = lifeOf({ ...row, state: isAlive(row) ? 'alive' : 'freed' }, device)
  const value = axis === 'event' ? life?.events : life?.timeNs
  if (value === undefined) return unknownValue
  return `${isAlive(row) ? '≥\u00a0' : ''}${axis === 'event' ? formatCount(value) : formatTime(value)}`
}

const momentText = (event: number, timeNs: number | null): string =>
  timeNs === null ? formatCount(event) : `${formatCount(event)} · ${formatTime(timeNs)}`

/** A cell's text. */
export function cellText(row: AllocationRow, column: Column, look: CellLook): string {
  switch (column) {
    case 'stack':
      return row.place === '' ? allocationTitle(row) : `${allocationTitle(row)} ${row.place}`
    case 'size':
      return formatBytes(row.sizeBytes)
    case 'requested':
      return formatBytes(row.requestedBytes)
    case 'category':
      return categoryName(row.categoryName)
    case 'life':
      return lifeText(row, look)
    case 'made':
      return row.allocEvent === null ? panelText('beforeHistory') : momentText(row.allocEvent, row.allocTimeNs)
    case 'freed':
      if (row.freeRequestedEvent !== null) return momentText(row.freeRequestedEvent, row.freeTimeNs)
      return isAlive(row) ? t('never') : unknownValue
    case 'address':
      return row.address === '' ? unknownValue : formatAddressVersion(row.address, row.version)
    case 'stream':
      return streamTitle(row.stream)
    case 'pool':
      return poolTitle(row.pool)
    default:
      return `#${row.allocationId}`
  }
}

/** What a cell shows when pointed at: the exact value. */
export function cellHint(row: AllocationRow, column: Column): string | undefined {
  if (column === 'size') return exactBytes(row.sizeBytes)
  if (column === 'requested') return exactBytes(row.requestedBytes)
  if (column === 'address') return row.address
  if (column === 'made') return row.allocTimeNs === null ? undefined : exactTime(row.allocTimeNs)
  return column === 'freed' && row.freeTimeNs !== null ? exactTime(row.freeTimeNs) : undefined
}

/** A column's head; a life is told in the unit of the axis. */
export const columnTitle = (column: Column, axis: Axis): string => t(column === 'life' ? `column.life.${axis}` : `column.${column}`)
