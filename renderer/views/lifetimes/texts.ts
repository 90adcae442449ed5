// The view's own texts outside React.
import type { ParseKeys } from 'i18next'
import { type Translate as TranslatePart, textsOf } from '../../i18n/part-texts.ts'

export type LifetimesKey = ParseKeys<'lifetimes'>
export type Translate = TranslatePart<'lifetimes'>

export const lifetimesText = textsOf('lifetimes')
