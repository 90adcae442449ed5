// What has no stack is named by what is known of it: its category, and why there is no stack.
import type { CaptureKind } from '../../../preload/contract/capture.ts'
import { type Category, categoryNames } from '../../../preload/contract/queries.ts'
import { plotText } from '../../i18n/part-texts.ts'
import type { FlameKey, Translate } from './texts.ts'

/** What is said of what has no stack, by the kind of capture. */
export const noStackKeys = {
  torch_snapshot: 'noStack',
  chrome_trace: 'noStackInTrace',
  stack_profile: 'noStackInProfile',
} as const satisfies Readonly<Record<CaptureKind, FlameKey>>

/** The category of a node of what has no stack, by its colour slot. */
export const bareCategory = (slot: number): Category => categoryNames[slot - 1] ?? 'unknown'

/** Only the backward pass makes these, as the rules have it. */
const ofBackward: readonly Category[] = ['gradient', 'autograd_detail']

const reasonOf = (slot: number, kind: CaptureKind) =>
  kind === 'chrome_trace' ? 'trace' : ofBackward.includes(bareCategory(slot)) ? 'backward' : 'plain'

/** "Gradient · backward, no Python stack". */
export function bareTitle(slot: number, kind: CaptureKind, t: Translate): string {
  const category = bareCategory(slot)
  if (category === 'unknown' || kind === 'stack_profile') return t(noStackKeys[kind])
  return t(`bare.title.${reasonOf(slot, kind)}`, { category: plotText(`category.${category}`) })
}

/** The same without the reason, for narrow places: "Gradient", or that there is no stack. */
export function bareShort(slot: number, kind: CaptureKind, t: Translate): string {
  const category = bareCategory(slot)
  return category === 'unknown' || kind === 'stack_profile' ? t('bare.label') : plotText(`category.${category}`)
}

/** Why there is no stack, in a few words and in a sentence. */
export const bareReason = (slot: number, kind: CaptureKind, t: Translate): string => t(`bare.reason.${reasonOf(slot, kind)}`)
export const bareSentence = (slot: number, kind: CaptureKind, t: Translate): string => t(`bare.sentence.${reasonOf(slot, kind)}`)
