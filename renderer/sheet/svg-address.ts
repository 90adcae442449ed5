// A picture in a page: its own SVG as a data address, so that nothing is fetched and nothing in it can run.

const chunkBytes = 0x8000

/** The address of an SVG's text. */
export function svgAddress(svg: string): string {
  const utf8 = new TextEncoder().encode(svg)
  let text = ''
  for (let at = 0; at < utf8.length; at += chunkBytes) text += String.fromCharCode(...utf8.subarray(at, at + chunkBytes))
  return `data:image/svg+xml;base64,${btoa(text)}`
}
