// Numbers for people, in English: the command line's output is read by scripts too, so it does not follow the locale.

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** "1.38 GiB"; three significant digits. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (Math.abs(value) >= 1024 && unit < byteUnits.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 ? value.toFixed(0) : value.toPrecision(Math.abs(value) >= 1000 ? 4 : 3)} ${byteUnits[unit]}`
}

const timeUnits: readonly (readonly [number, string])[] = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'µs'],
]

/** "12.3 ms" from nanoseconds. */
export function formatTime(ns: number): string {
  const [size, unit] = timeUnits.find(([each]) => Math.abs(ns) >= each) ?? [1, 'ns']
  return `${Number((ns / size).toPrecision(4))} ${unit}`
}

/** "3,441,216". */
export const formatCount = (count: number): string => count.toLocaleString('en-US')
