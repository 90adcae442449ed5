import { describe, expect, it } from 'vitest'
import { contrast, parseHex } from '../../theme/palette.ts'
import { dark, light } from '../../theme/tokens.ts'
import { cellColor, groundPalette, heatPalette, pendingBit, reservedColor, valueAt, valueOfCell, withStripes } from './heat.ts'

describe.each([dark, light])('the palette ($name)', (tokens) => {
  const palette = heatPalette(tokens)
  const at = (table: Uint8Array, cell: number) => [...table.subarray(cell * 4, cell * 4 + 4)]

  it('leaves nothing as the canvas, shows what is reserved in grey, and gives each level a colour of its own', () => {
    expect(at(palette, 0)).toEqual([0, 0, 0, 0])
    expect(at(palette, 1)).toEqual([...reservedColor(tokens), 255])
    const levels = Array.from({ length: 62 }, (_, index) => at(palette, index + 2).join())
    expect(new Set(levels).size).toBe(62)
  })

  it('tells pending cells apart by stripes, not by hue alone', () => {
    const [ground, stripe] = [cellColor(tokens, pendingBit | 40), cellColor(tokens, pendingBit | 128 | 40)]
    expect(stripe).toEqual(parseHex(tokens.canvas))
    expect(contrast(ground ?? [0, 0, 0], stripe ?? [0, 0, 0])).toBeGreaterThan(1.5)
  })

  it('shows only what is reserved below single lifetimes', () => {
    const ground = groundPalette(tokens)
    expect(at(ground, 0)).toEqual([0, 0, 0, 0])
    for (const cell of [1, 2, 63, 64, 64 | 30]) expect(at(ground, cell)).toEqual([...reservedColor(tokens), 255])
  })
})

describe('stripes', () => {
  it('lie on diagonals of pending cells only', () => {
    const cells = new Uint8Array(64).map((_, at) => (at < 32 ? pendingBit | 9 : 9))
    const striped = withStripes(cells, 8)
    expect([...striped.subarray(32)]).toEqual([...cells.subarray(32)])
    const marked = [...striped.subarray(0, 32).entries()].filter(([, cell]) => cell & 128).map(([at]) => at)
    expect(marked.length).toBeGreaterThan(4)
    expect(marked.length).toBeLessThan(20)
    const diagonals = new Set(marked.map((at) => (Math.floor(at / 8) + 48 - (at % 8)) % 6))
    expect(diagonals).toEqual(new Set([0, 1]))
  })

  it('cost nothing where nothing is pending', () => {
    const cells = new Uint8Array([1, 2, 3, 4])
    expect(withStripes(cells, 4)).toBe(cells)
  })
})

describe('values', () => {
  it('are the inverse of the scale, so that the bar can be labelled', () => {
    expect(valueAt('linear', 0.5)).toBe(0.5)
    expect(valueAt('sqrt', 0.5)).toBe(0.25)
    expect(valueAt('log', 0.5)).toBeCloseTo(1e-3)
    for (const scale of ['linear', 'sqrt', 'log'] as const) expect(valueAt(scale, 1)).toBe(1)
  })

  it('grow with the level, and there is none where nothing is alive', () => {
    const values = Array.from({ length: 62 }, (_, index) => valueOfCell('log', index + 2) ?? 0)
    expect(values).toEqual([...values].sort((a, b) => a - b))
    expect(valueOfCell('linear', 0)).toBeUndefined()
    expect(valueOfCell('linear', pendingBit | 1)).toBeUndefined()
  })
})
