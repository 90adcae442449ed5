// The one allocation that a text names: something to go to, not to filter by. Pure.

const findable = /^(#\d+|b?0x[0-9a-f]+(_\d+)?|b?[0-9a-f]+_\d+)$/
const grouped = /^b?0x[0-9a-f]{1,4}(?:_[0-9a-f]{4})+(?![0-9a-f])/

/** Addresses may be grouped by four digits, as details write them: 0x7f06_4c00_0000. What follows after one more _ counts their uses. */
const groupedAddress = (text: string): string => text.replace(grouped, (digits) => digits.replaceAll('_', ''))

/** Its address, b…_n (n-th use of an address) or #id, without grouping; undefined: the text names none. */
export function namedAllocation(text: string): string | undefined {
  const found = groupedAddress(text.trim().toLowerCase())
  return findable.test(found) ? found : undefined
}
