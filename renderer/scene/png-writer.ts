// A PNG written strip by strip, so that a picture may be larger than any texture or canvas. Same pixels, same bytes.
const signature = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const filterUp = 2

export interface PngOptions {
  readonly widthPx: number
  readonly heightPx: number
  readonly pixelsPerMetre: number
  readonly texts: Readonly<Record<string, string>> // Latin-1 keys, UTF-8 values (iTXt)
}

/** Encodes RGBA strips (opaque: alpha is dropped), given from top to bottom by `strip(y, rows)`. */
export async function encodePng(
  options: PngOptions,
  stripRows: number,
  strip: (yPx: number, rows: number) => Uint8ClampedArray,
): Promise<Uint8Array<ArrayBuffer>> {
  const { widthPx, heightPx } = options
  const deflate = new CompressionStream('deflate')
  const packed = new Response(deflate.readable).arrayBuffer()
  const writer = deflate.writable.getWriter()
  let above = new Uint8Array(widthPx * 3)
  for (let yPx = 0; yPx < heightPx; yPx += stripRows) {
    const rows = Math.min(stripRows, heightPx - yPx)
    const filtered = filterStrip(strip(yPx, rows), widthPx, rows, above)
    above = filtered.last
    await writer.write(filtered.bytes)
  }
  await writer.close()
  const chunks = [
    signature,
    chunk('IHDR', header(widthPx, heightPx)),
    chunk('pHYs', physical(options.pixelsPerMetre)),
    ...Object.entries(options.texts).map(([key, value]) => chunk('iTXt', new TextEncoder().encode(`${key}\0\0\0\0\0${value}`))),
    chunk('IDAT', new Uint8Array(await packed)),
    chunk('IEND', new Uint8Array(0)),
  ]
  return joined(chunks)
}

function filterStrip(rgba: Uint8ClampedArray, widthPx: number, rows: number, above: Uint8Array<ArrayBuffer>) {
  const stride = widthPx * 3
  const bytes = new Uint8Array(rows * (stride + 1))
  let previous = above
  for (let row = 0; row < rows; row++) {
    const current = new Uint8Array(stride)
    for (let i = 0, from = row * widthPx * 4; i < stride; i += 3, from += 4) {
      current[i] = rgba[from] ?? 0
      current[i + 1] = rgba[from + 1] ?? 0
      current[i + 2] = rgba[from + 2] ?? 0
    }
    const at = row * (stride + 1)
    bytes[at] = filterUp
    for (let i = 0; i < stride; i++) bytes[at + 1 + i] = (current[i] ?? 0) - (previous[i] ?? 0)
    previous = current
  }
  return { bytes, last: previous }
}

function header(widthPx: number, heightPx: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(13)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, widthPx)
  view.setUint32(4, heightPx)
  bytes.set([8, 2, 0, 0, 0], 8) // 8 bits, RGB, no interlace
  return bytes
}

function physical(pixelsPerMetre: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(9)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, Math.round(pixelsPerMetre))
  view.setUint32(4, Math.round(pixelsPerMetre))
  bytes[8] = 1
  return bytes
}

function chunk(type: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(body.length + 12)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, body.length)
  bytes.set(new TextEncoder().encode(type), 4)
  bytes.set(body, 8)
  view.setUint32(body.length + 8, crc32(bytes.subarray(4, body.length + 8)))
  return bytes
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
