// The caching allocator once more, slowly: every pool is a list of stretches, every question goes through all of it. Says what a recorded
// program would have met under other settings.
import { type FailedBytes, type ProgramStep, programOf, segmentBytes } from './program.ts'
import { type Rules, rulesOf } from './rules.ts'
import type { RefSnapshot } from './snapshot.ts'
import type { PyDict } from './unpickle.ts'

const MiB = 1 << 20
const wholeRange = 2 ** 40

export interface SimulatedSettings {
  readonly expandable: boolean
  /** Bytes; −1 = unlimited. */
  readonly maxSplit: number
  /** Of roundup_power2_divisions: one for all size classes, or of each from 1 MiB to 32 GiB. */
  readonly divisions: number | readonly number[]
  readonly gcThreshold: number
  /** Bytes: the segment of requests below 10 MiB with its pages, absent: 20 MiB; and max_non_split_rounding, absent: as much. */
  readonly largeSegment?: number | undefined
  readonly waste?: number | undefined
  /** Bytes: a cap on the process. */
  readonly capacity: number
}

export interface SimulatedRun {
  reservedPeak: number
  allocatedPeak: number
  largestFree: number
  retries: number
  failingEvent: number | null
}

interface Piece {
  at: number
  size: number
  use: 'free' | 'held' | 'pending' | 'unmapped'
  /** Searches of its pool before it became free. */
  since: number
  owner: number
}

/** A segment, or the addresses of an expandable one. */
interface Stretch {
  readonly stream: bigint
  readonly pool: string
  readonly small: boolean
  readonly base: number
  readonly isRange: boolean
  pieces: Piece[]
}

interface Found {
  readonly stretch: Stretch
  readonly piece: Piece
}

const bySize = (a: Found, b: Found) => a.piece.size - b.piece.size || a.piece.at - b.piece.at
const classOf = (stretch: Pick<Stretch, 'pool' | 'small'>) => `${stretch.pool} ${stretch.small}`

class SlowAllocator {
  stretches: Stretch[] = []
  allocated = 0
  readonly run: SimulatedRun = { reservedPeak: 0, allocatedPeak: 0, largestFree: 0, retries: 0, failingEvent: null }
  readonly abandoned = new Set<string>()
  readonly #settings: SimulatedSettings
  readonly #rules: Rules
  readonly #searches = new Map<string, number>()
  #follows = true
  /** Stretches of addresses that the driver opened and did not close, low to high: [from, to). */
  #opened: [number, number][] = []
  #rangeCount = 0

  constructor(settings: SimulatedSettings) {
    this.#settings = settings
    const given = settings.divisions
    const of = (power: number): number => (typeof given === 'number' ? given : (given[power] ?? 0))
    const divisions = Object.fromEntries(Array.from({ length: 16 }, (_, power) => [String(2 ** power), of(power)]))
    this.#rules = rulesOf(
      { max_split_size: settings.maxSplit, roundup_power2_divisions: divisions } as PyDict,
      settings.waste ?? settings.largeSegment,
    )
  }

  get reserved(): number {
    return this.stretches.flatMap(({ pieces }) => pieces).reduce((sum, { size, use }) => sum + (use === 'unmapped' ? 0 : size), 0)
  }

  /** False when the allocator gives up. */
  alloc(step: { bytes: number; stream: bigint; pool: string; owner: number; segment: ProgramStep['segment'] }): boolean {
    const rounded = this.#rules.round(step.bytes)
    const request = { ...step, rounded, small: rounded <= MiB }
    const collects = this.#settings.gcThreshold > 0
    if (collects) this.#searches.set(classOf(request), this.#searchesOf(request) + 1)
    let place = this.#bestFit(request)
    const known = this.#follows ? step.segment : null
    let taken = 0
    const reserve = () => {
      const got = this.#reserve(request, known)
      if (got !== null && !got.stretch.isRange) taken = got.piece.size
      return got
    }
    if (place === null) {
      if (collects) this.#collect()
      place = reserve()
      if (place === null && this.#releaseOversize(request)) place = reserve()
      if (place === null && step.pool === '(0,0)') {
        this.emptyCache()
        this.run.retries += 1
        place = reserve()
      }
    }
    if (taken !== (known?.bytes ?? 0)) this.#follows = false
    if (place === null) return false
    this.#hold(place, rounded, step.owner)
    return true
  }

  #hold({ stretch, piece }: Found, rounded: number, owner: number): void {
    const splits = this.#rules.splits(piece.size, rounded, this.#settings.expandable)
    const size = splits ? rounded : piece.size
    const rest = { ...piece, at: piece.at + size, size: piece.size - size, since: this.#searchesOf(stretch) }
    stretch.pieces.splice(stretch.pieces.indexOf(piece), 1, { ...piece, size, use: 'held', owner }, ...(splits ? [rest] : []))
    this.allocated += size
    this.run.allocatedPeak = Math.max(this.run.allocatedPeak, this.allocated)
  }

  requestFree(owner: number): void {
    for (const { pieces } of this.stretches) {
      for (const piece of pieces) {
        if (piece.owner !== owner || piece.use !== 'held') continue
        piece.use = 'pending'
        this.allocated -= piece.size
      }
    }
  }

  completeFree(isMeant: (piece: Piece, stretch: Stretch) => boolean): void {
    for (const stretch of this.stretches) {
      for (const piece of [...stretch.pieces]) {
        if (piece.use === 'pending' && isMeant(piece, stretch)) this.#setFree(stretch, piece)
      }
    }
  }

  #setFree(stretch: Stretch, piece: Piece): void {
    piece.use = 'free'
    piece.since = this.#searchesOf(stretch)
    this.#join(stretch, piece)
  }

  /** Neighbours in the state of `piece` become part of it. */
  #join({ pieces }: Stretch, piece: Piece): void {
    const at = pieces.indexOf(piece)
    const [before, after] = [pieces[at - 1], pieces[at + 1]]
    if (after?.use === piece.use) {
      piece.size += after.size
      pieces.splice(at + 1, 1)
    }
    if (before?.use === piece.use) {
      piece.at = before.at
      piece.size += before.size
      pieces.splice(at - 1, 1)
    }
  }

  #pageOf = ({ small }: Pick<Stretch, 'small'>): number => (small ? 2 * MiB : (this.#settings.largeSegment ?? 20 * MiB))

  #searchesOf = (of: Pick<Stretch, 'pool' | 'small'>): number => this.#searches.get(classOf(of)) ?? 0

  #freeOf(request: Pick<Stretch, 'stream' | 'pool' | 'small'>): Found[] {
    return this.stretches
      .filter(({ stream, pool, small }) => stream === request.stream && pool === request.pool && small === request.small)
      .flatMap((stretch) => stretch.pieces.filter(({ use }) => use === 'free').map((piece) => ({ stretch, piece })))
      .sort(bySize)
  }

  #bestFit(request: Request): Found | null {
    const all = this.#freeOf(request).filter(({ piece }) => piece.size >= request.rounded)
    // Only the best fit may lie in memory that cannot grow any more.
    const fits = all[0]?.stretch.isRange === true && !this.#settings.expandable ? all.filter(({ stretch }) => !stretch.isRange) : all
    let at = 0
    const grown = ({ stretch: { pieces }, piece }: Found) => {
      const next = pieces[pieces.indexOf(piece) + 1]
      return piece.size + (next?.use === 'unmapped' ? next.size : 0)
    }
    for (; fits[at]?.stretch.isRange && fits[at + 1] !== undefined; at += 1) {
      if (grown(fits[at + 1] as Found) >= grown(fits[at] as Found)) break
    }
    const best = fits[at]
    return best === undefined || this.#rules.keeps(best.piece.size, request.rounded) ? null : best
  }

  #reserve(request: Request, known: ProgramStep['segment']): Found | null {
    const size = segmentBytes(request.rounded, this.#settings.largeSegment)
    if (this.reserved + size > this.#settings.capacity) return null
    const found = this.#settings.expandable ? this.#grow(request) : this.#segment(request, size, known)
    this.run.reservedPeak = Math.max(this.run.reservedPeak, this.reserved)
    return found
  }

  #segment(request: Request, size: number, known: ProgramStep['segment']): Found {
    const at = known?.bytes === size ? known.address : this.#address(size)
    this.#open(at, size)
    const piece: Piece = { at, size, use: 'free', since: 0, owner: -1 }
    const stretch: Stretch = { stream: request.stream, pool: request.pool, small: request.small, base: at, isRange: false, pieces: [piece] }
    this.stretches.push(stretch)
    return { stretch, piece }
  }

  /** What of the opened addresses no segment has. */
  #holes(): [number, number][] {
    const taken = this.stretches.filter(({ isRange }) => !isRange).map(({ base, pieces }) => [base, endOf(pieces)] as const)
    return this.#opened.flatMap(([from, to]) => {
      const inside = taken.filter(([start, end]) => start < to && end > from).sort((a, b) => a[0] - b[0])
      const ends = [from, ...inside.map(([, end]) => end)]
      return ends.map((start, at): [number, number] => [start, inside[at]?.[0] ?? to]).filter(([start, end]) => end > start)
    })
  }

  #address(size: number): number {
    const hole = this.#holes().find(([from, to]) => to - from >= size)
    if (hole) return hole[0]
    const lowest = this.#opened[0]?.[0] ?? 0x7f00_0000_0000
    return Math.floor(lowest / (32 * MiB)) * 32 * MiB - Math.ceil(size / (32 * MiB)) * 32 * MiB
  }

  /** Whole 32 MiB are opened, as far as nothing was there. */
  #open(at: number, size: number): void {
    const isInside = this.#opened.some(([from, to]) => from <= at && at < to)
    const next = Math.min(...this.#opened.map(([from]) => from).filter((from) => from > at), Number.POSITIVE_INFINITY)
    const to = isInside ? at + size : Math.max(at + size, Math.min(next, Math.ceil((at + size) / (32 * MiB)) * 32 * MiB))
    const all = [...this.#opened, [at, to] as [number, number]].sort((a, b) => a[0] - b[0])
    this.#opened = []
    for (const [from, end] of all) {
      const last = this.#opened.at(-1)
      if (last !== undefined && last[1] >= from) last[1] = Math.max(last[1], end)
      else this.#opened.push([from, end])
    }
  }

  /** Maps pages from the first place of a range on that has room. */
  #grow(request: Request): Found {
    const { stretch, at } = this.#room(request)
    const page = this.#pageOf(request)
    for (;;) {
      const index = stretch.pieces.findIndex((piece) => piece.at <= at && piece.at + piece.size > at)
      const piece = stretch.pieces[index] as Piece
      if (piece.use === 'free' && piece.size >= request.rounded) return { stretch, piece }
      const gap = (piece.use === 'free' ? stretch.pieces[index + 1] : piece) as Piece
      const missing = request.rounded - (piece.use === 'free' ? piece.size : 0)
      const size = Math.min(gap.size, Math.ceil(missing / page) * page)
      const mapped: Piece = { at: gap.at, size, use: 'free', since: this.#searchesOf(stretch), owner: -1 }
      const rest = { ...gap, at: gap.at + size, size: gap.size - size }
      stretch.pieces.splice(stretch.pieces.indexOf(gap), 1, mapped, ...(rest.size > 0 ? [rest] : []))
      this.#join(stretch, mapped)
    }
  }

  #room(request: Request): { stretch: Stretch; at: number } {
    const ranges = this.stretches.filter(
      ({ stream, pool, small, isRange }) => isRange && stream === request.stream && pool === request.pool && small === request.small,
    )
    for (const stretch of ranges.sort((a, b) => a.base - b.base)) {
      for (const [index, piece] of stretch.pieces.entries()) {
        if (piece.use !== 'unmapped') continue
        const first = stretch.pieces[index - 1]?.use === 'free' ? index - 1 : index
        const blocked = stretch.pieces.findIndex(({ use }, place) => place >= first && (use === 'held' || use === 'pending'))
        const usable = stretch.pieces.slice(first, blocked < 0 ? undefined : blocked)
        if (usable.reduce((sum, { size }) => sum + size, 0) >= request.rounded) return { stretch, at: (usable[0] as Piece).at }
      }
    }
    const page = this.#pageOf(request)
    const base = 2 ** 40 * (this.#rangeCount + 1)
    this.#rangeCount += 1
    const piece: Piece = { at: base, size: Math.floor(wholeRange / page) * page, use: 'unmapped', since: 0, owner: -1 }
    const stretch: Stretch = { stream: request.stream, pool: request.pool, small: request.small, base, isRange: true, pieces: [piece] }
    this.stretches.push(stretch)
    return { stretch, at: base }
  }

  #drop = (stretch: Stretch): void => {
    this.stretches.splice(this.stretches.indexOf(stretch), 1)
  }

  #wholeSegments(pool: string, small: boolean): Stretch[] {
    const isWhole = ({ isRange, pieces }: Stretch) => !isRange && pieces.length === 1 && pieces[0]?.use === 'free'
    return this.stretches.filter((stretch) => stretch.pool === pool && stretch.small === small && isWhole(stretch))
  }

  #collect(): void {
    const threshold = Math.floor(this.#settings.gcThreshold * this.#settings.capacity)
    const target = this.reserved - threshold
    if (target <= 0) return
    const ageOf = (stretch: Stretch) => this.#searchesOf(stretch) - (stretch.pieces[0] as Piece).since
    let freed = 0
    for (;;) {
      const left = this.#wholeSegments('(0,0)', false)
      const mean = left.reduce((sum, stretch) => sum + ageOf(stretch), 0) / left.length
      if (freed >= target || left.length === 0) return
      for (const stretch of left.filter((each) => ageOf(each) >= mean)) {
        freed += (stretch.pieces[0] as Piece).size
        this.#drop(stretch)
      }
    }
  }

  #releaseOversize(request: Request): boolean {
    const { maxSplit } = this.#settings
    if (maxSplit < 0) return false
    const wanted = Math.max(maxSplit, request.rounded)
    const oversize = this.#freeOf(request).filter(({ stretch, piece }) => !stretch.isRange && piece.size >= maxSplit)
    const enough = oversize.find(({ piece }) => piece.size >= wanted)
    if (enough !== undefined) {
      this.#drop(enough.stretch)
      return true
    }
    let freed = 0
    while (freed < wanted) {
      const largest = oversize.pop()
      if (largest === undefined) return false
      freed += largest.piece.size
      this.#drop(largest.stretch)
    }
    return true
  }

  emptyCache(): void {
    this.completeFree(() => true)
    for (const pool of ['(0,0)', ...this.abandoned]) this.emptyPool(pool)
  }

  emptyPool(pool: string): void {
    this.completeFree((_, stretch) => stretch.pool === pool)
    for (const small of [false, true]) for (const stretch of this.#wholeSegments(pool, small)) this.#drop(stretch)
    for (const stretch of this.stretches.filter((each) => each.isRange && each.pool === pool)) this.#unmap(stretch)
  }

  #unmap(stretch: Stretch): void {
    const page = this.#pageOf(stretch)
    for (const piece of stretch.pieces.filter(({ use }) => use === 'free')) {
      const from = stretch.base + Math.ceil((piece.at - stretch.base) / page) * page
      const to = stretch.base + Math.floor((piece.at + piece.size - stretch.base) / page) * page
      if (from >= to) continue
      const part = (at: number, end: number, use: Piece['use']): Piece => ({
        ...piece,
        at,
        size: end - at,
        use,
        since: this.#searchesOf(stretch),
      })
      const gap = part(from, to, 'unmapped')
      const parts = [part(piece.at, from, 'free'), gap, part(to, piece.at + piece.size, 'free')].filter(({ size }) => size > 0)
      stretch.pieces.splice(stretch.pieces.indexOf(piece), 1, ...parts)
      this.#join(stretch, gap)
    }
    if (stretch.pieces.length === 1 && stretch.pieces[0]?.use === 'unmapped') this.#drop(stretch)
  }
}

interface Request {
  readonly stream: bigint
  readonly pool: string
  readonly small: boolean
  readonly rounded: number
}

const endOf = (pieces: readonly Piece[]): number => {
  const last = pieces.at(-1) as Piece
  return last.at + last.size
}

/** Who holds what the recorded program failed to get. */
const avoided = -2

/** False when the run ends with this step. */
function take(allocator: SlowAllocator, step: ProgramStep): boolean {
  if (step.do === 'request') allocator.requestFree(step.owner)
  else if (step.do === 'complete') allocator.completeFree(({ owner }) => owner === step.owner)
  else if (step.do === 'abandon') allocator.abandoned.add(step.pool)
  else if (step.do === 'empty') allocator.emptyCache()
  else if (step.do === 'emptyPool') allocator.emptyPool(step.pool)
  else {
    allocator.requestFree(avoided)
    allocator.completeFree(({ owner }) => owner === avoided)
    const isServed = allocator.alloc({ ...step, owner: step.do === 'fail' ? avoided : step.owner })
    if (!isServed) allocator.run.failingEvent ??= step.event
    return isServed || step.do === 'fail'
  }
  return true
}

/** Runs the requests that a file recorded from the start on its first device. */
export function simulateRecording(file: RefSnapshot, settings: SimulatedSettings, failed: FailedBytes = 'likely'): SimulatedRun {
  const allocator = new SlowAllocator(settings)
  programOf(file, failed).every((step) => take(allocator, step))
  const free = allocator.stretches.flatMap(({ pieces }) => pieces).filter(({ use }) => use === 'free')
  allocator.run.largestFree = Math.max(0, ...free.map(({ size }) => size))
  return allocator.run
}
