// The view's own texts outside React.
import { counted, formatBytes } from '../../i18n/format.ts'
import { type Translate as TranslatePart, textsOf } from '../../i18n/part-texts.ts'

export type Translate = TranslatePart<'trace'>

export const traceText = textsOf('trace')

/** How much, and in how many allocations. */
export const amountText = (bytes: number, count: number): string =>
  traceText('memory.count', { bytes: formatBytes(bytes), ...counted(count) })
