// Which whole events lie in a range, for window and command line alike.

/** Whole events [x0, x1) inside a range of the event axis. */
export function wholeEvents(
  eventCount: number,
  range: { readonly x0: number; readonly x1: number },
): { readonly x0: number; readonly x1: number } {
  const inside = (x: number): number => Math.min(Math.max(Math.ceil(x), 0), eventCount)
  const x0 = inside(range.x0)
  return { x0, x1: Math.max(x0, inside(range.x1)) }
}
