// What an index must say of itself to be used as it is.
import { version } from '../../package.json'

/** Version of this program; an index in the cache made by another one is rebuilt. */
export const toolVersion: string = version

/** Layout of the index; must equal kSchemaVersion of the native library. */
export const schemaVersion = 5
