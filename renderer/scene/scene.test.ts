import { inflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import type { DisplayList, StepPath } from './display-list.ts'
import { hatchLines, QuadBuilder, walkDashes } from './geometry.ts'
import { encodePng } from './png-writer.ts'
import { rasterPixels } from './raster-image.ts'
import { escapeXml, toSvg } from './svg-painter.ts'

const clip = { xPx: 0, yPx: 0, widthPx: 100, heightPx: 50 }
const path: StepPath = { kind: 'path', points: [0, 10, 20, 10, 20, 30], color: [255, 0, 0], alpha: 1, widthPx: 1, dashPx: [8, 4] }

describe('quads', () => {
  it('cuts boxes to the clip and leaves out what is outside', () => {
    const builder = new QuadBuilder()
    builder.add({ kind: 'box', xPx: -10, yPx: 40, widthPx: 30, heightPx: 30, color: [10, 20, 30], alpha: 0.5 }, clip)
    builder.add({ kind: 'box', xPx: 200, yPx: 0, widthPx: 5, heightPx: 5, color: [1, 1, 1], alpha: 1 }, clip)
    expect([...builder.positions.subarray(0, builder.vertexCount * 2)]).toEqual([0, 40, 20, 40, 20, 50, 0, 50])
    expect([...builder.colors.subarray(0, 4)]).toEqual([5, 10, 15, 127])
  })

  it('grows past its first size', () => {
    const builder = new QuadBuilder()
    for (let i = 0; i < 3000; i++)
      builder.add({ kind: 'box', xPx: i % 90, yPx: 1, widthPx: 1, heightPx: 1, color: [0, 0, 0], alpha: 1 }, clip)
    expect([builder.vertexCount, builder.indexCount]).toEqual([12000, 18000])
    expect(builder.indices[builder.indexCount - 1]).toBe(11999)
  })

  it('carries dashes around corners and lifts the pen at NaN', () => {
    const drawn: string[] = []
    walkDashes(path.points, [8, 4], clip, (...ends) => drawn.push(ends.join(' ')))
    expect(drawn).toEqual(['0 10 8 10', '12 10 20 10', '20 14 20 22', '20 26 20 30'])
    walkDashes([0, 0, Number.NaN, Number.NaN, 5, 5, 9, 5], [8, 4], clip, (...ends) => drawn.push(ends.join(' ')))
    expect(drawn.at(-1)).toBe('5 5 9 5')
  })

  it('draws only the dashes in sight of a path of billions of pixels, where they would be anyway', () => {
    const dashesOf = (x0: number, x1: number) => {
      const drawn: number[] = []
      walkDashes([x0, 10, x1, 10], [3, 2], clip, (from, _y, to) => drawn.push(Math.round(from), Math.round(to)))
      return drawn
    }
    const near = dashesOf(-20, 200)
    expect(near.slice(0, 4)).toEqual([0, 3, 5, 8])
    expect(dashesOf(-1e10, 1e10)).toEqual(near)
    expect(dashesOf(1e10, -1e10).length).toBe(near.length)
  })

  it('fills corners of butt paths but stops at their free ends', () => {
    const rects = (butt: boolean) => {
      const builder = new QuadBuilder()
      builder.add({ kind: 'path', points: [10, 10, 20, 10, 20, 30], color: [0, 0, 0], alpha: 1, widthPx: 2, butt }, clip)
      return [0, 1].map((quad) => [
        ...builder.positions.subarray(quad * 8, quad * 8 + 2),
        ...builder.positions.subarray(quad * 8 + 4, quad * 8 + 6),
      ])
    }
    expect(rects(true)).toEqual([
      [10, 9, 21, 11],
      [19, 9, 21, 30],
    ])
    expect(rects(false)).toEqual([
      [9, 9, 21, 11],
      [19, 9, 21, 31],
    ])
  })

  it('keeps hatch lines inside', () => {
    const lines = hatchLines({ kind: 'hatch', xPx: 10, yPx: 5, widthPx: 20, heightPx: 90, color: [0, 0, 0] }, clip)
    expect(lines.length).toBeGreaterThan(4)
    for (const [x0, y0, x1, y1] of lines)
      expect([x0, x1].every((x) => x >= 10 && x <= 30) && [y0, y1].every((y) => y >= 5 && y <= 50)).toBe(true)
  })
})

it('turns column-major cells with row 0 at the bottom into row-major pixels from the top', () => {
  const palette = new Uint8Array(1024)
  palette.set([1, 1, 1, 255], 4)
  palette.set([2, 2, 2, 255], 8)
  const raster = {
    kind: 'raster',
    xPx: 0,
    yPx: 0,
    widthPx: 2,
    heightPx: 2,
    columns: 2,
    rows: 2,
    cells: new Uint8Array([1, 2, 0, 1]),
  } as const
  expect([...rasterPixels(raster, palette)].filter((_, index) => index % 4 === 0)).toEqual([2, 1, 1, 0])
})

describe('svg', () => {
  const list: DisplayList = [
    {
      clip,
      items: [
        path,
        {
          kind: 'text',
          xPx: 5,
          yPx: 5,
          spans: [{ text: 'a<b & "c"\u0007', strong: true, sizePx: 9 }],
          sizePx: 12,
          align: 'right',
          color: [0, 0, 0],
        },
      ],
    },
  ]

  it('writes strokes as paths and texts as text', () => {
    const svg = toSvg(list, new Map(), { widthPx: 100, heightPx: 50, background: '#fafafa', title: 'x', description: '' })
    expect(svg).toContain('<path d="M0 10H20V30" fill="none" stroke="#ff0000" stroke-width="1" stroke-dasharray="8 4"/>')
    expect(svg).toContain('a&lt;b &amp; &quot;c&quot;</tspan>')
    expect(svg).toContain('text-anchor="end"')
    expect(svg).toContain('font-size="9"')
  })

  it('writes addresses in the fixed-width font', () => {
    const text = {
      kind: 'text',
      xPx: 5,
      yPx: 5,
      spans: [{ text: '0x7f06', mono: true }],
      sizePx: 12,
      align: 'left',
      color: [0, 0, 0],
    } as const
    const svg = toSvg([{ clip, items: [text] }], new Map(), { widthPx: 9, heightPx: 9, background: '#fafafa', title: 'x', description: '' })
    expect(svg).toMatch(/<tspan font-family='[^']*monospace'[^>]*>0x7f06<\/tspan>/)
  })

  it('drops characters that XML forbids', () => {
    expect(escapeXml("'\u0000\u0001\tä")).toBe('&#39;\tä')
  })
})

it('writes a PNG in strips that others read, with size, density and text, the same bytes each time', async () => {
  const strip = (yPx: number, rows: number) =>
    new Uint8ClampedArray(Array.from({ length: rows * 3 * 4 }, (_, index) => (index % 4 === 3 ? 255 : (yPx * 12 + index) % 256)))
  const options = { widthPx: 3, heightPx: 5, pixelsPerMetre: 3780, texts: { Title: 'Überblick 显存' } }
  const first = await encodePng(options, 2, strip)
  expect(Buffer.compare(first, await encodePng(options, 2, strip))).toBe(0)
  const image = PNG.sync.read(Buffer.from(first))
  expect([image.width, image.height]).toEqual([3, 5])
  expect([...image.data]).toEqual([...strip(0, 5)])
  expect(Buffer.from(first).includes('Überblick 显存')).toBe(true)
  expect(inflateSync(Buffer.from(first).subarray(Buffer.from(first).indexOf('IDAT') + 4, -16)).length).toBe(5 * 10)
})
