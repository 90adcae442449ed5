// Numbers for people: on the screen and on the command line. Screen texts are short, `exact…` texts complete. Units are Latin and digits
// grouped by commas in every language, so none of these functions needs one.
const nbsp = '\u00a0'
const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
export const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** Stands for a value that the file does not give. */
export const unknownValue = '—'

/** Three significant digits, never an exponent: 1.50, 38.2, 417, 1,023. */
function threeDigits(value: number): string {
  const digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
  return digits === 0 ? grouped.format(value) : value.toFixed(digits)
}

function scaled(bytes: number): string {
  let unit = 0
  let rest = bytes
  // The rounded value decides, so that 1023.9996 KiB is 1.00 MiB and not 1,024 KiB.
  while (unit < byteUnits.length - 1 && (unit === 0 ? rest >= 1024 : Math.round(rest) >= 1024)) {
    rest /= 1024
    unit++
  }
  return `${unit === 0 ? grouped.format(rest) : threeDigits(rest)}${nbsp}${byteUnits[unit] ?? ''}`
}

/** Memory and files in binary units: 512 B, 1.50 KiB, 38.2 MiB, 1.42 GiB. */
export function formatBytes(bytes: number): string {
  return bytes < 0 ? `−${scaled(-bytes)}` : scaled(bytes)
}

/** From one amount up to another, in one unit where that stays readable: 3.95–4.67 GiB, 1,014–1,034 MiB, 900 KiB–1.20 GiB. */
export function formatBytesRange(from: number, to: number): string {
  const [first, last] = [formatBytes(from), formatBytes(to)]
  const [amount = '', unit = ''] = first.split(nbsp)
  if (first === last) return first
  if (unit === last.split(nbsp)[1]) return `${amount}–${last}`
  const inUnit = to / 1024 ** (byteUnits as readonly string[]).indexOf(unit)
  return inUnit < 9999.5 ? `${amount}–${threeDigits(inUnit)}${nbsp}${unit}` : `${first}–${last}`
}

/** All digits: 1,524,711,424 B. */
export function exactBytes(bytes: number): string {
  return `${formatCount(bytes)}${nbsp}B`
}

/** Short and complete for tooltips and copies: 1.42 GiB (1,524,711,424 B). */
export function formatBytesLong(bytes: number): string {
  return Math.abs(bytes) < 1024 ? exactBytes(bytes) : `${formatBytes(bytes)} (${exactBytes(bytes)})`
}

/** A change in bytes with its sign: +1.31 GiB, −12.0 MiB, 0 B. */
export function formatSignedBytes(bytes: number): string {
  return bytes > 0 ? `+${formatBytes(bytes)}` : formatBytes(bytes)
}

/** A whole number with grouped digits: 3,441,210. */
export function formatCount(count: number): string {
  return count < 0 ? `−${grouped.format(-count)}` : grouped.format(count)
}

const minuteNs = 60e9
const hourNs = 3600e9

/** A time or duration given in nanoseconds: 832 ns, 41.7 µs, 3.20 ms, 1.05 s, 2 min 13 s, 1 h 04 min. */
export function formatTime(ns: number): string {
  if (ns < 0) return `−${formatTime(-ns)}`
  if (ns < 999.5) return `${Math.round(ns)}${nbsp}ns`
  if (ns < 999.5e3) return `${threeDigits(ns / 1e3)}${nbsp}µs`
  if (ns < 999.5e6) return `${threeDigits(ns / 1e6)}${nbsp}ms`
  if (ns < minuteNs - 0.05e9) return `${threeDigits(ns / 1e9)}${nbsp}s`
  const seconds = Math.round(ns / 1e9)
  if (seconds < 3600) return `${Math.floor(seconds / 60)}${nbsp}min${nbsp}${String(seconds % 60).padStart(2, '0')}${nbsp}s`
  const minutes = Math.round(ns / minuteNs)
  const hours = Math.floor((minutes * minuteNs) / hourNs)
  return `${formatCount(hours)}${nbsp}h${nbsp}${String(minutes % 60).padStart(2, '0')}${nbsp}min`
}

/** A rough duration, rounded up to seconds: 3 s, 2 min 13 s. */
export function formatWholeSeconds(ns: number): string {
  const seconds = Math.ceil(ns / 1e9)
  return seconds < 60 ? `${seconds}${nbsp}s` : formatTime(seconds * 1e9)
}

/** All digits: 1,482,010,233 ns. */
export function exactTime(ns: number): string {
  return `${formatCount(Math.round(ns))}${nbsp}ns`
}

/** part of whole: 41.2 %, < 0.1 %, — when there is no whole. */
export function formatShare(part: number, whole: number): string {
  if (!(whole > 0)) return unknownValue
  const percent = (part / whole) * 100
  if (percent > 0 && percent < 0.1) return `<${nbsp}0.1${nbsp}%`
  return `${percent >= 99.95 || percent === 0 ? Math.round(percent) : percent.toFixed(1)}${nbsp}%`
}

/** A share of what is only judged, in whole percent: 85 %. */
export const formatPercent = (share: number): string => `${Math.round(share * 100)}${nbsp}%`

/** An address in groups of four digits for reading: 0x7f06_4c00_0000. Copies keep the plain form. */
export function formatAddress(address: string): string {
  const digits = address.replace(/^0x/, '')
  return `0x${digits.replace(/\B(?=([0-9a-f]{4})+$)/gi, '_')}`
}

/** The name of the n-th use of an address, as the allocator's own viewer writes it: b7f064c000000_0. */
export function formatAddressVersion(address: string, version: number): string {
  return `b${address.replace(/^0x/, '')}_${version}`
}

/** Whether a device is the CPU. It has no caching allocator: nothing is reserved there, and no free is pending. */
export const isCpu = (device: number, deviceType: string): boolean => device < 0 || deviceType === 'cpu'

/** A device for people: GPU 0, CPU, XPU 1. device: its number, −1 = the CPU; deviceType: as in the summary (cuda, hip, cpu, …). */
export function deviceName(device: number, deviceType: string): string {
  if (isCpu(device, deviceType)) return 'CPU'
  return `${['cuda', 'hip', ''].includes(deviceType) ? 'GPU' : deviceType.toUpperCase()}${nbsp}${device}`
}

/** The same text with ordinary spaces, for terminals and scripts. */
export function plainSpaces(text: string): string {
  return text.replaceAll(nbsp, ' ')
}
