// What a row names that other views can show: an allocation, an event, a stack, a slice, an address.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import type { SqlCells } from '../../../preload/contract/queries.ts'
import { engine } from '../../data/engine-client.ts'
import { formatCount } from '../../i18n/format.ts'
import { goToAllocation, goToEvent } from '../../state/go-to.ts'
import { chooseDevice } from '../../state/initial-view.ts'
import { showMessage } from '../../state/shell.ts'
import { noFilter, patchView, viewOf } from '../../state/view-state.ts'
import { sqlViewText as t } from './texts.ts'

export interface Lead {
  readonly kind: 'allocation' | 'event' | 'stack' | 'slice' | 'address'
  readonly column: number
  readonly value: number | string
  readonly device: number | undefined
}

function kindOf(column: string): Lead['kind'] | undefined {
  const name = column.replace(/:\d+$/, '').toLowerCase()
  if (/(^|_)allocation_id$/.test(name)) return 'allocation'
  if (/(^|_)stack_id$/.test(name)) return 'stack'
  if (/(^|_)slice_id$/.test(name)) return 'slice'
  if (/(^|_)event$/.test(name)) return 'event'
  return name === 'address' ? 'address' : undefined
}

/** What the cells of a row lead to, in the order of the columns. */
export function leadsOf({ trace }: Pick<CaptureSummary, 'trace'>, columns: readonly string[], row: SqlCells): readonly Lead[] {
  const deviceCell = row[columns.findIndex((column) => column.toLowerCase() === 'device')]
  const device = typeof deviceCell === 'number' ? deviceCell : undefined
  return columns.flatMap((name, column): Lead[] => {
    const kind = kindOf(name)
    const value = row[column]
    if (kind === undefined || (kind === 'slice' && !trace)) return []
    if (kind === 'address') return typeof value === 'string' && value.startsWith('0x') ? [{ kind, column, value, device }] : []
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? [{ kind, column, value, device }] : []
  })
}

/** In words, for a button. */
export const leadText = ({ kind, value }: Lead): string =>
  t(`lead.${kind}`, { value: typeof value === 'number' && kind === 'event' ? formatCount(value) : value })

/** Selects what it names, for all views. */
export async function follow(capture: CaptureSummary, lead: Lead): Promise<void> {
  const { captureId } = capture
  const { kind, value, device } = lead
  const view = viewOf(captureId)
  if (!view) return
  const isOther = device !== undefined && device !== view.device && capture.devices.some((each) => each.device === device)
  if (isOther) chooseDevice(capture, device, view.axis)
  if (kind === 'stack') {
    patchView(captureId, { filter: { ...noFilter, within: { stacks: [Number(value)], title: leadText(lead) } } })
    return showMessage(t('lead.filtered', { value }))
  }
  if (kind === 'slice') patchView(captureId, { selectedSlice: Number(value) })
  else if (kind === 'event') await goToEvent(captureId, Number(value))
  else {
    const text = kind === 'allocation' ? `#${value}` : String(value)
    const found = await engine.call('allocation.find', { captureId, device: device ?? view.device, text })
    const allocation = found.ok ? found.value.allocation : null
    if (!allocation) return showMessage(t('lead.notFound', { value }), 'error')
    await goToAllocation(captureId, allocation)
  }
  showMessage(t('lead.went', { what: leadText(lead) }))
}
