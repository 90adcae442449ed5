// Display list → SVG text: curves, axes and text stay vectors; rasters are embedded as PNG images.

import { monoFont, uiFont } from '../theme/fonts.ts'
import { cssColor } from '../theme/palette.ts'
import type { DisplayList, Frame, Hatch, Item, Raster, StepPath, TextItem } from './display-list.ts'
import { middleAboveBaseline } from './display-list.ts'
import { hatchLines } from './geometry.ts'

export interface SvgOptions {
  readonly widthPx: number
  readonly heightPx: number
  readonly background: string
  readonly title: string
  readonly description: string
}

/** A complete SVG document. `rasters`: PNG data URLs. Numbers are rounded to 1/100 px, so equal input gives equal text. */
export function toSvg(list: DisplayList, rasters: ReadonlyMap<Raster, string>, options: SvgOptions): string {
  const clips = list.map((layer, index) => `<clipPath id="clip${index}">${rect(layer.clip, '')}</clipPath>`)
  const groups = list.map((layer, index) => {
    const items = layer.items.map((item) => itemText(item, layer.clip, rasters)).join('\n')
    return `<g clip-path="url(#clip${index})">\n${items}\n</g>`
  })
  const { widthPx, heightPx } = options
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${widthPx} ${heightPx}" font-family='${uiFont}'>`,
    `<title>${escapeXml(options.title)}</title>`,
    `<desc>${escapeXml(options.description)}</desc>`,
    `<defs>${clips.join('')}</defs>`,
    `<rect width="${widthPx}" height="${heightPx}" fill="${options.background}"/>`,
    ...groups,
    '</svg>',
    '',
  ].join('\n')
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const isForbidden = (code: number): boolean =>
  (code < 0x20 && code !== 9 && code !== 10 && code !== 13) || code === 0xfffe || code === 0xffff

/** Text safe as XML content and attribute value; control characters that XML forbids are dropped. */
export function escapeXml(text: string): string {
  const allowed = [...text].filter((character) => !isForbidden(character.codePointAt(0) ?? 0))
  return allowed.map((character) => named[character] ?? character).join('')
}

const number = (value: number): string => String(Math.round(value * 100) / 100)

function rect(frame: Frame, attributes: string): string {
  return `<rect x="${number(frame.xPx)}" y="${number(frame.yPx)}" width="${number(frame.widthPx)}" height="${number(frame.heightPx)}"${attributes}/>`
}

const opacity = (name: string, alpha: number): string => (alpha === 1 ? '' : ` ${name}="${number(alpha)}"`)

function itemText(item: Item, clip: Frame, rasters: ReadonlyMap<Raster, string>): string {
  if (item.kind === 'box') return rect(item, ` fill="${cssColor(item.color)}"${opacity('fill-opacity', item.alpha)}`)
  if (item.kind === 'path') return pathText(item)
  if (item.kind === 'triangle')
    return `<polygon points="${item.points.map(number).join(' ')}" fill="${cssColor(item.color)}"${opacity('fill-opacity', item.alpha)}/>`
  if (item.kind === 'disc')
    return `<circle cx="${number(item.xPx)}" cy="${number(item.yPx)}" r="${number(item.radiusPx)}" fill="${cssColor(item.color)}"/>`
  if (item.kind === 'hatch') return hatchText(item, clip)
  if (item.kind === 'text') return textText(item)
  const url = rasters.get(item) ?? ''
  const place = `x="${number(item.xPx)}" y="${number(item.yPx)}" width="${number(item.widthPx)}" height="${number(item.heightPx)}"`
  return `<image ${place} preserveAspectRatio="none" style="image-rendering:pixelated" xlink:href="${url}"/>`
}

function pathText(path: StepPath): string {
  const parts: string[] = []
  let [lastX, lastY] = [Number.NaN, Number.NaN]
  for (let i = 0; i + 1 < path.points.length; i += 2) {
    const [x, y] = [path.points[i] ?? Number.NaN, path.points[i + 1] ?? Number.NaN]
    if (!Number.isNaN(x + y)) {
      if (Number.isNaN(lastX + lastY)) parts.push(`M${number(x)} ${number(y)}`)
      else if (x === lastX) parts.push(`V${number(y)}`)
      else parts.push(y === lastY ? `H${number(x)}` : `L${number(x)} ${number(y)}`)
    }
    lastX = x
    lastY = y
  }
  const dash = path.dashPx ? ` stroke-dasharray="${path.dashPx.join(' ')}"` : ''
  const cap = path.dashPx || path.butt ? '' : ' stroke-linecap="square"'
  return `<path d="${parts.join('')}" fill="none" stroke="${cssColor(path.color)}" stroke-width="${number(path.widthPx)}"${cap}${dash}${opacity('stroke-opacity', path.alpha)}/>`
}

function hatchText(hatch: Hatch, clip: Frame): string {
  const lines = hatchLines(hatch, clip).map(([x0, y0, x1, y1]) => `M${number(x0)} ${number(y0)}L${number(x1)} ${number(y1)}`)
  return `<path d="${lines.join('')}" fill="none" stroke="${cssColor(hatch.color)}"/>`
}

function textText(item: TextItem): string {
  const anchor = item.align === 'left' ? 'start' : item.align === 'right' ? 'end' : 'middle'
  const spans = item.spans.map((span) => {
    const weight = span.strong ? ' font-weight="600"' : ''
    const font = span.mono ? ` font-family='${monoFont}'` : ''
    const size = span.sizePx === undefined ? '' : ` font-size="${span.sizePx}"`
    return `<tspan${font}${weight}${size} fill="${cssColor(span.color ?? item.color)}">${escapeXml(span.text)}</tspan>`
  })
  const halo = item.halo ? ` stroke="${cssColor(item.halo)}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"` : ''
  // dominant-baseline is not understood everywhere.
  const yPx = item.yPx + item.sizePx * middleAboveBaseline
  return `<text x="${number(item.xPx)}" y="${number(yPx)}" font-size="${item.sizePx}" text-anchor="${anchor}" xml:space="preserve"${halo}>${spans.join('')}</text>`
}
