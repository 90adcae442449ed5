// How long an allocation lives, whatever part of it is looked at.
import type { AllocationRow } from '../../../preload/contract/queries.ts'
import { formatCount, formatTime } from '../../i18n/format.ts'
import { historyOf, type LifetimesInput } from './model-input.ts'

export type LifeLook = Pick<LifetimesInput, 'axis' | 'device'>
type Ends = Pick<AllocationRow, 'allocEvent' | 'freeRequestedEvent' | 'allocTimeNs' | 'freeTimeNs'>

export interface OwnLife {
  readonly life: number // events or nanoseconds, by the axis
  readonly isOpen: boolean // it began before the history or goes on after it: at least as long
}

/** From its allocation to its free, as far as the history reaches. */
export function ownLife(row: Ends, look: LifeLook): OwnLife {
  const { x0, x1 } = historyOf(look)
  const [from, to] = look.axis === 'time' ? [row.allocTimeNs, row.freeTimeNs] : [row.allocEvent, row.freeRequestedEvent]
  return { life: Math.max(0, (to ?? x1) - (from ?? x0)), isOpen: row.allocEvent === null || row.freeRequestedEvent === null }
}

/** A length of life in the unit of the axis. */
export const lifeText = (life: number, axis: LifeLook['axis']): string => (axis === 'event' ? formatCount(life) : formatTime(life))

/** The own life in words; "≥" where the capture does not hold all of it. */
export function ownLifeText(row: Ends, look: LifeLook): string {
  const { life, isOpen } = ownLife(row, look)
  return `${isOpen ? '≥\u00a0' : ''}${lifeText(life, look.axis)}`
}
