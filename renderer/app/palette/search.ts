// Fuzzy search in titles of both languages.
import uFuzzy from '@leeoniya/ufuzzy'

const fuzzy = new uFuzzy({
  unicode: true,
  interSplit: "[^\\p{L}\\d']+",
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: "[\\p{L}\\d']",
})
const cjk = /\p{Script=Han}/u

/** The items that fit what was typed, best first; all of them in their order while nothing is typed. */
export function searchItems<T extends { readonly text: string }>(items: readonly T[], typed: string): readonly T[] {
  const needle = typed.trim()
  if (needle === '') return items
  const words = cjk.test(needle) ? [] : searchWords(items, needle) // Chinese has no spaces between words
  return words.length > 0 ? words : searchLetters(items, needle)
}

function searchWords<T extends { readonly text: string }>(items: readonly T[], needle: string): readonly T[] {
  const texts = items.map((item) => item.text)
  const [indexes, info, order] = fuzzy.search(texts, needle, 1)
  if (!indexes) return []
  const ranked = info && order ? order.map((position) => info.idx[position]) : indexes
  return ranked.flatMap((index) => {
    const item = index === undefined ? undefined : items[index]
    return item ? [item] : []
  })
}

/** Items that hold the letters in their order, the closest together first. */
function searchLetters<T extends { readonly text: string }>(items: readonly T[], needle: string): readonly T[] {
  const letters = needle.toLowerCase().replaceAll(/\s/g, '')
  const found = items.map((item) => ({ item, span: spanOf(letters, item.text.toLowerCase()) }))
  return found
    .filter((each) => each.span < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.span - b.span)
    .map((each) => each.item)
}

/** How far the letters spread in the text; infinite when one is missing. */
function spanOf(letters: string, text: string): number {
  let first = -1
  let from = 0
  for (const letter of letters) {
    const found = text.indexOf(letter, from)
    if (found < 0) return Number.POSITIVE_INFINITY
    if (first < 0) first = found
    from = found + letter.length
  }
  return from - first
}
