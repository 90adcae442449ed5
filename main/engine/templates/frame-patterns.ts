// Patterns over "filename:name" of frames, as the rules of categories have them (resources/categories/README.md).

/** True where the text ends as the pattern says: `*` stands for any run of characters, `/` also for `\`. */
export function endsLike(pattern: string): (text: string) => boolean {
  const [last = '', ...before] = pattern.split('*').reverse().map(slashed)
  // Each piece is looked for from the end on, so that nothing is tried twice.
  return (text) => {
    const of = slashed(text)
    if (!of.endsWith(last)) return false
    let end = of.length - last.length
    return before.every((piece) => {
      const at = piece === '' ? end : of.slice(0, end).lastIndexOf(piece)
      end = at
      return at >= 0
    })
  }
}

const slashed = (text: string): string => text.replaceAll('\\', '/')
