/** True when one of the parts is not what it was. */
export const partsDiffer = <T, K extends keyof T>(now: T | undefined, old: T | undefined, parts: readonly K[]): boolean =>
  parts.some((part) => now?.[part] !== old?.[part])
