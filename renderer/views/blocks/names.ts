// Names of streams and pools inside sentences.
import type { Translate } from './texts.ts'

/** "stream 0": a stream by its handle. */
export const streamWord = (stream: string, t: Translate): string =>
  stream === '' ? t('streamUnknown') : t('streamNamed', { stream: stream === '0x0' ? '0' : stream })

/** True for the pool that all allocations without one of their own come from. */
export const isDefaultPool = (pool: string): boolean => pool.replaceAll(' ', '') === '(0,0)'
