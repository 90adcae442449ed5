// The timeline's texts outside React. Keys are those of its language file, so the compiler knows them.
import type { ParseKeys } from 'i18next'
import i18next from 'i18next'

export type TimelineKey = ParseKeys<'timeline'>

/** Text of a key in the language shown, with values put in. */
export type Translate = (key: TimelineKey, values?: Readonly<Record<string, string | number>>) => string

export const timelineText: Translate = (key, values) => String(i18next.t(key as never, { ns: 'timeline', ...values } as never))
