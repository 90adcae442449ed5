// The view's own texts outside React.
import { type Translate as TranslatePart, textsOf } from '../../i18n/part-texts.ts'

export type Translate = TranslatePart<'trace'>

export const traceText = textsOf('trace')
