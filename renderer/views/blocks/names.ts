// Names of streams inside sentences.
import type { Translate } from './texts.ts'

/** "stream 0": a stream by its handle. */
export const streamWord = (stream: string, t: Translate): string =>
  stream === '' ? t('streamUnknown') : t('streamNamed', { stream: stream === '0x0' ? '0' : stream })
