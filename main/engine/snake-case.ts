// Names of fields as the JSON of the command line has them.

/** `limitBytes` → `limit_bytes`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
