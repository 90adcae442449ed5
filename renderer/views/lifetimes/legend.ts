// What forms and colours mean, as data for side bar and finished pictures.
import { tellsAlive } from './heat.ts'
import type { PlacedHeat } from './lifetimes-data.ts'
import type { LifetimesKey, Translate } from './texts.ts'
import { byAddress } from './y-axis.ts'

export type Form = 'reserved' | 'notReserved' | 'pendingCell' | 'made' | 'active' | 'idle' | 'pending' | 'freed' | 'alive' | 'before'

export interface FormEntry {
  readonly form: Form
  readonly text: string
}

const entry = (form: Form, key: LifetimesKey, t: Translate): FormEntry => ({ form, text: t(key) })

/** Forms of the heat map; memory is reserved only where rows are addresses. */
export const heatForms = ({ order, measure }: Pick<PlacedHeat, 'order' | 'measure'>, t: Translate): FormEntry[] => [
  ...(byAddress(order)
    ? [entry('reserved', tellsAlive(measure) ? 'state.reserved' : 'state.reservedOnly', t), entry('notReserved', 'state.notReserved', t)]
    : []),
  entry('pendingCell', 'state.mostlyPending', t),
]

/** Forms of single lifetimes. */
export const singleForms = (t: Translate): FormEntry[] => [
  entry('made', 'state.made', t),
  entry('active', 'state.active', t),
  entry('idle', 'state.idle', t),
  entry('pending', 'state.pending', t),
  entry('freed', 'state.freed', t),
  entry('alive', 'state.aliveAtEnd', t),
  entry('before', 'state.before', t),
]
