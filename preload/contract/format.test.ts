import { describe, expect, it } from 'vitest'
import {
  deviceName,
  exactBytes,
  exactTime,
  formatAddress,
  formatAddressVersion,
  formatBytes,
  formatBytesLong,
  formatBytesRange,
  formatCount,
  formatShare,
  formatSignedBytes,
  formatTime,
  formatWholeSeconds,
  plainSpaces as plain,
} from './format.ts'

const mib = 1024 ** 2
const gib = 1024 ** 3

describe('bytes', () => {
  it.each([
    [0, '0 B'],
    [512, '512 B'],
    [1023, '1,023 B'],
    [1024, '1.00 KiB'],
    [1536, '1.50 KiB'],
    [38.2 * mib, '38.2 MiB'],
    [9.996 * mib, '10.0 MiB'],
    [999.5 * mib, '1,000 MiB'],
    [1000 * mib, '1,000 MiB'],
    [gib - 1, '1.00 GiB'],
    [1_524_711_424, '1.42 GiB'],
    [-12 * mib, '−12.0 MiB'],
  ])('%d is %s', (bytes, text) => expect(plain(formatBytes(bytes))).toBe(text))

  it.each([
    [3.95 * gib, 4.67 * gib, '3.95–4.67 GiB'],
    [1014 * mib, 1034 * mib, '1,014–1,034 MiB'],
    [mib, mib, '1.00 MiB'],
    [900, 12 * gib, '900 B–12.0 GiB'],
  ])('from %d to %d is %s', (from, to, text) => expect(plain(formatBytesRange(from, to))).toBe(text))

  it('keeps every digit where asked', () => {
    expect(plain(exactBytes(1_524_711_424))).toBe('1,524,711,424 B')
    expect(plain(formatBytesLong(1_524_711_424))).toBe('1.42 GiB (1,524,711,424 B)')
    expect(plain(formatBytesLong(512))).toBe('512 B')
  })

  it('signs changes, not nothing', () => {
    expect(plain(formatSignedBytes(1.31 * gib))).toBe('+1.31 GiB')
    expect(plain(formatSignedBytes(-12 * mib))).toBe('−12.0 MiB')
    expect(plain(formatSignedBytes(0))).toBe('0 B')
  })
})

describe('time', () => {
  it.each([
    [0, '0 ns'],
    [832, '832 ns'],
    [41_700, '41.7 µs'],
    [999_600, '1.00 ms'],
    [3_200_000, '3.20 ms'],
    [1_050_000_000, '1.05 s'],
    [59_960_000_000, '1 min 00 s'],
    [133_000_000_000, '2 min 13 s'],
    [3_840_000_000_000, '1 h 04 min'],
    [-832, '−832 ns'],
  ])('%d is %s', (ns, text) => expect(plain(formatTime(ns))).toBe(text))

  it('rounds estimates up to seconds', () => {
    expect(plain(formatWholeSeconds(2.1e9))).toBe('3 s')
    expect(plain(formatWholeSeconds(132.5e9))).toBe('2 min 13 s')
  })

  it('is exact where asked', () => expect(plain(exactTime(1_482_010_233))).toBe('1,482,010,233 ns'))
})

describe('counts, shares and addresses', () => {
  it('groups digits', () => {
    expect(formatCount(3_441_210)).toBe('3,441,210')
    expect(formatCount(-1200)).toBe('−1,200')
  })

  it.each([
    [412, 1000, '41.2 %'],
    [1, 100_000, '< 0.1 %'],
    [0, 10, '0 %'],
    [10, 10, '100 %'],
    [1, 0, '—'],
  ])('%d of %d is %s', (part, whole, text) => expect(plain(formatShare(part, whole))).toBe(text))

  it.each([
    [0, 'cuda', 'GPU 0'],
    [3, 'hip', 'GPU 3'],
    [1, 'xpu', 'XPU 1'],
    [-1, 'cpu', 'CPU'],
  ])('names device %d of type %s %s', (device, type, name) => expect(plain(deviceName(device, type))).toBe(name))

  it('groups addresses by four', () => {
    expect(formatAddress('0x7f064c000000')).toBe('0x7f06_4c00_0000')
    expect(formatAddress('0x200')).toBe('0x200')
    expect(formatAddressVersion('0x7f064c000000', 2)).toBe('b7f064c000000_2')
  })
})
