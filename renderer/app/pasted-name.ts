// What the tab of a pasted text is called: by what the text tells of, so that several can be told apart.
import type { Failures } from '../../preload/contract/diagnosis.ts'
import { labelName } from '../diagnosis/words.ts'
import { failuresText as t } from '../failures/texts.ts'
import { counted, formatBytes } from '../i18n/format.ts'

/** "Pasted text · 784 MiB on GPU 0", or how many failures it tells of. taken: names of the other tabs. */
export function pastedName({ rows: [row], total }: Failures, taken: readonly string[]): string {
  const told = total === 1 && row ? toldOf(row) : t('count.failures', counted(total))
  const name = t('pastedOf', { told })
  if (!taken.includes(name)) return name
  for (let at = 2; ; at++) {
    const numbered = t('pastedAgain', { name, at })
    if (!taken.includes(numbered)) return numbered
  }
}

function toldOf({ requestedBytes, device, label }: Failures['rows'][number]): string {
  if (requestedBytes === null) return labelName(label)
  const bytes = formatBytes(requestedBytes)
  return device === null ? bytes : t('pastedOn', { bytes, device })
}
