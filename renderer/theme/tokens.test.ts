// Contrast by the formulas of WCAG 2; colour distance in CIE Lab under simulated colour-vision deficiency.
import { describe, expect, it } from 'vitest'
import { dark, light, type Tokens } from './tokens.ts'

type Rgb = readonly [number, number, number]

const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as unknown as Rgb
const luminance = (hex: string) => {
  const [r, g, b] = rgb(hex)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** 1 … 21. */
function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const surfaces = ['canvas', 'panel', 'chrome', 'raised'] as const satisfies readonly (keyof Tokens)[]
const texts = ['t1', 't2', 't3', 'good', 'bad'] as const satisfies readonly (keyof Tokens)[]
const marks = ['mark', 'curve', 'curve2'] as const satisfies readonly (keyof Tokens)[]

describe.each([dark, light])('$name theme', (tokens) => {
  it.each(surfaces.flatMap((surface) => texts.map((text) => [text, surface] as const)))('%s on %s is readable', (text, surface) => {
    expect(contrast(tokens[text], tokens[surface])).toBeGreaterThanOrEqual(4.5)
  })

  it.each(marks.flatMap((mark) => (['canvas', 'panel'] as const).map((surface) => [mark, surface] as const)))(
    '%s on %s is visible',
    (mark, surface) => {
      expect(contrast(tokens[mark], tokens[surface])).toBeGreaterThanOrEqual(3)
    },
  )

  it('gives the selection an edge that shows on every fill', () => {
    expect(contrast(tokens.selection, tokens.selectionEdge)).toBeGreaterThanOrEqual(7)
  })
})

// Matrices of Machado et al. (2009) for complete deficiency, on linear RGB.
const deficiencies = {
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const

function simulate([r, g, b]: Rgb, matrix: readonly number[]): Rgb {
  const row = (at: number) => Math.min(1, Math.max(0, (matrix[at] ?? 0) * r + (matrix[at + 1] ?? 0) * g + (matrix[at + 2] ?? 0) * b))
  return [row(0), row(3), row(6)]
}

function lab([r, g, b]: Rgb): Rgb {
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : (t * 24389) / 27 / 116 + 16 / 116)
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047)
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b)
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const distance = (a: Rgb, b: Rgb) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

describe.each(Object.entries(deficiencies))('with %s', (_, matrix) => {
  it.each([dark, light])('good and bad stay apart in the $name theme', (tokens) => {
    const seen = (hex: string) => lab(simulate(rgb(hex), matrix))
    expect(distance(seen(tokens.good), seen(tokens.bad))).toBeGreaterThan(10)
  })
})
