// The timeline's own texts outside React.
import type { ParseKeys } from 'i18next'
import { type Translate as TranslatePart, textsOf } from '../../i18n/part-texts.ts'

export type TimelineKey = ParseKeys<'timeline'>
export type Translate = TranslatePart<'timeline'>

export const timelineText = textsOf('timeline')
