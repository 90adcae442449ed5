// Sizes as users type them.
const units: Readonly<Record<string, number>> = { '': 1, b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 }

/** True for a number without a unit: it counts bytes. */
export const isBareNumber = (text: string): boolean => /^\s*\d[\d,_]*(?:\.\d+)?\s*$/.test(text)

/** Bytes of "400 MiB", "1.5GiB", "2g" or "4,194,304"; undefined when it is no size. Units are binary, as PyTorch's messages are. */
export function parseSize(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^\s*(\d[\d,_]*(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*$/i.exec(text) ?? []
  const bytes = Math.ceil(Number(digits.replace(/[,_]/g, '')) * (units[unit.toLowerCase()] ?? 1))
  return digits !== '' && bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined
}
