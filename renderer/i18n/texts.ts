// Texts chosen by a code that came from outside: failures, findings, commands.
import i18next from 'i18next'
import type { Finding } from '../../preload/contract/capture.ts'
import { commands } from '../../preload/contract/commands.ts'
import type { Failure } from '../../preload/contract/errors.ts'
import { currentLanguage, translate } from './language.ts'

export interface CodedText {
  readonly title: string
  readonly cause: string
  readonly next: string
}

/** What happened, why, and what to do about it. */
export function failureText(failure: Failure): CodedText {
  const { code } = failure
  return { title: translate(`errors:${code}.title`), cause: translate(`errors:${code}.cause`), next: translate(`errors:${code}.next`) }
}

/** What happened and what to do about it, where there is room for a line only; of a write that the system refused, also why it did. */
export function failureSentence(failure: Failure): string {
  const { title, next } = failureText(failure)
  const isRefused = failure.code === 'export/write_failed'
  return isRefused
    ? translate('failure.lineWithReason', { title, reason: failure.message, next })
    : translate('failure.line', { title, next })
}

/** The text of a finding. A code that is newer than this window shows the engine's own message. */
export function findingText(finding: Pick<Finding, 'code' | 'message'>): CodedText {
  const { code, message } = finding
  return {
    title: textOfKey(`findings:${code}.title`) ?? code,
    cause: textOfKey(`findings:${code}.cause`) ?? message,
    next: textOfKey(`findings:${code}.next`) ?? '',
  }
}

/** The text of a key that is known only at run time. */
function textOfKey(key: string): string | undefined {
  return i18next.exists(key) ? String(i18next.t(key as never)) : undefined
}

/** The title of a command in the language shown. */
export function commandTitle(id: string): string {
  return commands.find((command) => command.id === id)?.title[currentLanguage()] ?? id
}
