// The allocator's ranges and blocks, slow and plain: reserved ranges hold blocks in address order, free neighbours merge.

export type Held = 'free' | 'allocated' | 'pending'

export interface LayoutBlock {
  address: bigint
  size: number
  held: Held
  /** Place of its allocation in the replay's list, where the replay is told it; null when free. */
  allocation: number | null
  /** The true end may lie up to 1 MiB behind the one given: only the request is known. */
  endIsGuessed?: boolean
}

/** What memory was reserved for: it never changes while it is reserved. */
export interface Origin {
  readonly expandable: boolean
  readonly stream: bigint
  /** null: the file does not say. */
  readonly pool: string | null
  /** Of the pool for requests up to 1 MiB; null: the file does not say. */
  readonly small: boolean | null
}

export interface Range {
  address: bigint
  size: number
  origin: Origin
  blocks: LayoutBlock[]
}

const end = (piece: { address: bigint; size: number }) => piece.address + BigInt(piece.size)
const freeBlock = (address: bigint, size: number): LayoutBlock => ({ address, size, held: 'free', allocation: null })

/** Index of the last item that starts at or before `address`, −1 when there is none. */
function lastAtOrBefore(items: readonly { readonly address: bigint }[], address: bigint): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && item.address <= address) low = middle + 1
    else high = middle
  }
  return low - 1
}

export class Layout {
  readonly ranges: Range[] = []

  /** A new reserved range with one free block. An expandable one joins its mapped neighbours of the same segment. */
  reserve(address: bigint, size: number, origin: Origin): void {
    const at = lastAtOrBefore(this.ranges, address) + 1
    this.ranges.splice(at, 0, { address, size, origin, blocks: [freeBlock(address, size)] })
    if (!origin.expandable) return
    this.#join(at)
    if (at > 0) this.#join(at - 1)
  }

  /** Joins range `at` with the next one when both are parts of one expandable segment. */
  #join(at: number): void {
    const left = this.ranges[at]
    const right = this.ranges[at + 1]
    if (left === undefined || right === undefined || end(left) !== right.address || !isOneSegment(left.origin, right.origin)) return
    this.ranges.splice(at + 1, 1)
    const seam = left.blocks.length - 1
    left.size += right.size
    left.origin = { ...left.origin, pool: left.origin.pool ?? right.origin.pool, small: left.origin.small ?? right.origin.small }
    for (const block of right.blocks) left.blocks.push(block)
    mergeWithNext(left.blocks, seam)
  }

  /** Takes a stretch of free memory out; null when the layout has no free block over all of it, else what it was reserved for. */
  release(address: bigint, size: number): Origin | null {
    const at = lastAtOrBefore(this.ranges, address)
    const range = this.ranges[at]
    if (range === undefined) return null
    const index = lastAtOrBefore(range.blocks, address)
    const block = range.blocks[index]
    const until = address + BigInt(size)
    if (block === undefined || block.held !== 'free' || end(block) < until) return null
    const before = range.blocks.slice(0, index)
    const after = range.blocks.slice(index + 1)
    if (block.address < address) before.push(freeBlock(block.address, Number(address - block.address)))
    if (end(block) > until) after.unshift(freeBlock(until, Number(end(block) - until)))
    const kept = [before, after].filter((blocks) => blocks.length > 0).map((blocks) => rangeOf(blocks, range))
    this.ranges.splice(at, 1, ...kept)
    return range.origin
  }

  /** The block that starts at `address`, with its range. */
  find(address: bigint): { range: Range; index: number; block: LayoutBlock } | null {
    const range = this.ranges[lastAtOrBefore(this.ranges, address)]
    if (range === undefined) return null
    const index = lastAtOrBefore(range.blocks, address)
    const block = range.blocks[index]
    return block !== undefined && block.address === address ? { range, index, block } : null
  }

  /** Cuts an occupied block out of the free block over it, whatever the split rule says: for blocks known to be there. */
  place(address: bigint, size: number, held: Held, allocation: number | null = null): boolean {
    const range = this.ranges[lastAtOrBefore(this.ranges, address)]
    if (range === undefined) return false
    const index = lastAtOrBefore(range.blocks, address)
    const over = range.blocks[index]
    if (over === undefined || over.held !== 'free' || end(over) < address + BigInt(size)) return false
    const pieces: LayoutBlock[] = []
    if (over.address < address) pieces.push(freeBlock(over.address, Number(address - over.address)))
    pieces.push({ address, size, held, allocation })
    const rest = Number(end(over) - address) - size
    if (rest > 0) pieces.push(freeBlock(address + BigInt(size), rest))
    range.blocks.splice(index, 1, ...pieces)
    return true
  }

  /**
   * An allocation at `address` begins inside the free block behind one whose end is guessed: so that one ends here. Answers the
   * address of the block that grew, null when this is no such place.
   */
  settleEnd(address: bigint): bigint | null {
    const range = this.ranges[lastAtOrBefore(this.ranges, address)]
    const index = range === undefined ? -1 : lastAtOrBefore(range.blocks, address)
    const [before, over] = [range?.blocks[index - 1], range?.blocks[index]]
    if (before?.endIsGuessed !== true || over?.held !== 'free' || end(over) <= address) return null
    const more = Number(address - over.address)
    if (more > 1 << 20) return null
    before.size += more
    before.endIsGuessed = false
    over.address = address
    over.size -= more
    return before.address
  }

  /** Free bytes from `address` to the end of the free block over it, and whether that is in an expandable range. */
  freeFrom(address: bigint): { readonly size: number; readonly expandable: boolean } | null {
    const range = this.ranges[lastAtOrBefore(this.ranges, address)]
    const over = range?.blocks[lastAtOrBefore(range.blocks, address)]
    if (range === undefined || over === undefined || over.held !== 'free' || end(over) <= address) return null
    return { size: Number(end(over) - address), expandable: range.origin.expandable }
  }

  /** Marks the block at `address` free and merges it with free neighbours. */
  free(address: bigint): boolean {
    const found = this.find(address)
    if (found === null || found.block.held === 'free') return false
    found.block.held = 'free'
    found.block.allocation = null
    found.block.endIsGuessed = false
    mergeWithNext(found.range.blocks, found.index)
    if (found.index > 0) mergeWithNext(found.range.blocks, found.index - 1)
    return true
  }
}

/** What the file does not say contradicts nothing. */
function isOneSegment(left: Origin, right: Origin): boolean {
  const agree = (one: unknown, other: unknown) => one === null || other === null || one === other
  const both = left.expandable && right.expandable && left.stream === right.stream
  return both && agree(left.small, right.small) && agree(left.pool, right.pool)
}

function rangeOf(blocks: LayoutBlock[], like: Range): Range {
  const address = blocks[0]?.address ?? like.address
  return { ...like, address, size: blocks.reduce((sum, block) => sum + block.size, 0), blocks }
}

function mergeWithNext(blocks: LayoutBlock[], index: number): void {
  const left = blocks[index]
  const right = blocks[index + 1]
  if (left?.held !== 'free' || right?.held !== 'free') return
  left.size += right.size
  blocks.splice(index + 1, 1)
}
