// A slice that another tab leads to, until the view of tracks of its capture can bring it into sight.
import type { SliceRow } from '../../preload/contract/queries.ts'
import { captureStores } from '../data/capture-stores.ts'

interface AwaitedSlice {
  readonly slice: number | SliceRow | undefined // with only its id the rest is asked for
}

const none: AwaitedSlice = { slice: undefined }

/** The store of a capture. */
export const awaitedSlice = captureStores(none)
