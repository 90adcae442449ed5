import { describe, expect, it } from 'vitest'
import { categoryNames } from '../../preload/contract/queries.ts'
import {
  cellColor,
  cellPalette,
  contrast,
  cssColor,
  inkOn,
  leftOutSlot,
  mix,
  noFramesSlot,
  parseHex,
  type Rgb,
  slotColor,
} from './palette.ts'
import { dark, light } from './tokens.ts'

// Machado, Oliveira and Fernandes 2009, severity 1.
const deficiencies: Readonly<Record<string, readonly (readonly [number, number, number])[]>> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
}

const linear = (value: number) => (value <= 10.31 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
const gamma = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055) * 255

function simulate(color: Rgb, matrix: readonly (readonly [number, number, number])[]): Rgb {
  const [r, g, b] = color.map(linear) as [number, number, number]
  const seen = matrix.map(([x, y, z]) => gamma(Math.min(1, Math.max(0, x * r + y * g + z * b))))
  return seen as unknown as Rgb
}

const distance = (a: Rgb, b: Rgb) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
const stackColors = (tokens: typeof dark) =>
  Array.from({ length: 12 }, (_, index) => slotColor(tokens, 'stack', index + 1) ?? ([0, 0, 0] as const))

describe('slot colours', () => {
  it('has none for nothing and grey for no frames', () => {
    expect(slotColor(dark, 'stack', 0)).toBeUndefined()
    expect(cssColor(slotColor(dark, 'stack', noFramesSlot) ?? [0, 0, 0])).toBe('#8e9196')
  })

  it.each([dark, light])('lets what a filter leaves out step back further than any other slot in $name', (tokens) => {
    const canvas = parseHex(tokens.canvas)
    for (const colorBy of ['stack', 'size'] as const) {
      const leftOut = contrast(slotColor(tokens, colorBy, leftOutSlot) ?? canvas, canvas)
      expect(leftOut).toBeGreaterThan(1.1)
      for (let slot = 1; slot <= 24; slot++) expect(contrast(slotColor(tokens, 'stack', slot) ?? canvas, canvas)).toBeGreaterThan(leftOut)
    }
  })

  it('runs viridis from a tenth up for heat', () => {
    const ends = [1, 32].map((slot) => cssColor(slotColor(light, 'size', slot) ?? [0, 0, 0]))
    expect(ends).toEqual(['#482475', '#fde725'])
  })

  it.each([dark, light])('keeps the twelve hues apart from the canvas in $name', (tokens) => {
    for (const color of stackColors(tokens)) expect(contrast(color, parseHex(tokens.canvas))).toBeGreaterThan(1.9)
  })

  it.each(Object.entries(deficiencies))('keeps the six largest stacks apart under %s', (_, matrix) => {
    const seen = stackColors(dark)
      .slice(0, 6)
      .map((color) => simulate(color, matrix))
    for (const [index, a] of seen.entries()) for (const b of seen.slice(index + 1)) expect(distance(a, b)).toBeGreaterThan(24)
  })
})

describe('categories', () => {
  const colorsOf = (tokens: typeof dark) =>
    tokens.categories.map((_, index) => slotColor(tokens, 'category', index + 1) ?? ([0, 0, 0] as const))

  it.each([dark, light])('have a colour each in $name, apart from the canvas', (tokens) => {
    expect(tokens.categories).toHaveLength(categoryNames.length)
    for (const color of colorsOf(tokens)) expect(contrast(color, parseHex(tokens.canvas))).toBeGreaterThan(1.9)
    expect(cssColor(slotColor(tokens, 'category', 11) ?? [0, 0, 0])).toBe('#8e9196')
  })

  it.each(
    [dark, light].flatMap((tokens) => Object.entries(deficiencies).map(([name, matrix]) => [tokens.name, name, tokens, matrix] as const)),
  )('stay apart in %s under %s', (_, _name, tokens, matrix) => {
    const seen = colorsOf(tokens).map((color) => simulate(color, matrix))
    for (const [index, a] of seen.entries()) for (const b of seen.slice(index + 1)) expect(distance(a, b)).toBeGreaterThan(24)
  })
})

describe('cells', () => {
  it('paints bands at the theme’s strength, alternates them, and darkens separators', () => {
    const plain = cellColor(dark, 'stack', 1)
    expect(plain).toEqual(mix(parseHex(dark.canvas), slotColor(dark, 'stack', 1) ?? [0, 0, 0], dark.bandOpacity))
    expect(cellColor(dark, 'stack', 1 | 64)).not.toEqual(plain)
    expect(distance(cellColor(dark, 'stack', 1 | 128) ?? [0, 0, 0], parseHex(dark.canvas))).toBeLessThan(
      distance(plain ?? [0, 0, 0], parseHex(dark.canvas)),
    )
  })

  it('is transparent where nothing is', () => {
    const palette = cellPalette(light, 'stack')
    expect([...palette.subarray(0, 4)]).toEqual([0, 0, 0, 0])
    expect([...palette.subarray(128 * 4, 128 * 4 + 4)]).toEqual([0, 0, 0, 0])
    expect(palette[7]).toBe(255)
  })

  it('lets emphasised slots stand as they are and the others step back to the canvas', () => {
    const only = new Set([2])
    expect(cellColor(light, 'stack', 2 | 64, only)).toEqual(cellColor(light, 'stack', 2 | 64))
    const canvas = parseHex(light.canvas)
    const [dimmed, plain] = [cellColor(light, 'stack', 1, only), cellColor(light, 'stack', 1)].map((color) =>
      distance(color ?? canvas, canvas),
    )
    expect(dimmed).toBeLessThan((plain ?? 0) / 4)
    expect([...cellPalette(light, 'stack', only).subarray(0, 4)]).toEqual([0, 0, 0, 0])
  })

  it('chooses the ink that reads better on a band', () => {
    expect(inkOn([240, 228, 66])).toBe('dark')
    expect(inkOn([0, 60, 120])).toBe('light')
  })
})
