// Numbers that look random and are the same in every run.

/** Whole numbers in [0, below), below ≤ 2^32. */
export function randomIntegers(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below)
  }
}

/** `count` of the events −1 … eventCount − 1 in ascending order, the first and the last always among them. */
export function someEvents(seed: number, eventCount: number, count: number): number[] {
  const random = randomIntegers(seed)
  const chosen = Array.from({ length: count }, () => random(eventCount + 1) - 1)
  return [...new Set([-1, ...chosen, eventCount - 1])].sort((a, b) => a - b)
}
