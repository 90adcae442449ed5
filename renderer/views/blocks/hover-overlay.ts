// Outline and read-out of the block under the resting pointer: plain elements, so that hovering draws nothing on the canvas.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { formatAddress, formatAddressVersion, formatBytes, formatCount, formatTime, unknownValue } from '../../i18n/format.ts'
import { ReadOut, type ReadOutRow } from '../../panels/read-out.ts'
import { poolTitle, stackTitle, streamTitle } from '../../plot/legend.ts'
import { inputOf } from './actions.ts'
import { blocksData, type FoundBlock, sameMoment } from './blocks-data.ts'
import { piecesOf } from './draw-marks.ts'
import { heldAt } from './model-input.ts'
import { blocksText as t } from './texts.ts'

/** Facts of a block in the order of every read-out: size, life, state, stream and pool, first own frame. */
export function blockRows({ block, details, event }: FoundBlock, timeNs: number | null | undefined): ReadOutRow[] {
  const size = formatBytes(block.sizeBytes)
  const rows: ReadOutRow[] = [
    {
      label: details ? t('card.size') : t('card.freeSize'),
      value: details && block.requestedBytes !== block.sizeBytes ? `${formatBytes(block.requestedBytes)} → ${size}` : size,
      strong: true,
    },
  ]
  if (details) {
    const { allocEvent, allocTimeNs } = details
    const age = allocTimeNs !== null && timeNs !== null && timeNs !== undefined ? formatTime(Math.max(0, timeNs - allocTimeNs)) : undefined
    const events = allocEvent === null ? unknownValue : t('card.events', { count: formatCount(event - allocEvent) })
    const since = allocEvent === null ? t('card.beforeHistory') : t('card.event', { event: formatCount(allocEvent) })
    rows.push({ label: t('card.since'), value: allocEvent === null ? since : t('card.sinceFor', { since, age: age ?? events }) })
  }
  rows.push({ label: t('card.state'), value: t(`states.${block.state}`) })
  rows.push({ label: t('card.place'), value: `${formatAddress(block.segmentAddress)} + ${formatBytes(block.segmentOffset)}` })
  if (details) {
    rows.push({ label: t('card.stream'), value: `${streamTitle(details.stream)} · ${poolTitle(details.pool)}` })
    const own = details.frames.find(({ kind }) => kind === 'own')
    const file = own?.filename.split(/[/\\]/).pop() ?? ''
    rows.push({ label: t('card.ownFrame'), value: own ? `${own.name} ${file}:${own.line}` : stackTitle(details.title) })
  }
  return rows
}

/** What a block is called: the version of its address, or the address alone when it is free. */
export const blockTitle = ({ block, details }: FoundBlock): string =>
  details ? formatAddressVersion(details.address, details.version) : formatAddress(block.address)

export class HoverOverlay {
  readonly #capture: CaptureSummary
  readonly #outline = document.createElement('div')
  readonly #readOut: ReadOut
  readonly #stop: () => void
  #frame = 0

  constructor(capture: CaptureSummary, host: HTMLElement) {
    this.#capture = capture
    this.#outline.className = 'blocks-outline'
    this.#outline.hidden = true
    host.append(this.#outline)
    this.#readOut = new ReadOut(host)
    this.#stop = blocksData(capture.captureId).subscribe((data, old) => {
      const isMoved = data.hover !== old.hover || data.hovered !== old.hovered || data.picture !== old.picture
      if (isMoved) this.#frame ||= requestAnimationFrame(() => this.#update())
    })
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame)
    this.#stop()
    this.#outline.remove()
    this.#readOut.element.remove()
  }

  #update(): void {
    this.#frame = 0
    const { hover, hovered, change } = blocksData(this.#capture.captureId).getState()
    const input = inputOf(this.#capture)
    const isShown = hover !== undefined && hovered !== undefined && input !== undefined && sameMoment(input.picture, hovered)
    this.#outline.hidden = !isShown
    this.#readOut.element.hidden = !isShown
    if (!isShown) return
    const held = heldAt(input.picture, hovered.block.address, hovered.block.sizeBytes)
    const pieces = held ? piecesOf(input, held) : []
    const piece = pieces.find(({ yPx, heightPx }) => hover.yPx >= yPx && hover.yPx < yPx + heightPx) ?? pieces[0]
    this.#outline.hidden = !piece
    if (piece) {
      const { plot } = input.layout
      const [left, right] = [Math.max(piece.x0, plot.xPx) - 2, Math.min(piece.x1, plot.xPx + plot.widthPx) + 2]
      this.#outline.style.transform = `translate(${left}px, ${piece.yPx - 2}px)`
      this.#outline.style.width = `${right - left}px`
      this.#outline.style.height = `${piece.heightPx + 4}px`
    }
    this.#readOut.fill(blockTitle(hovered), '', blockRows(hovered, sameMoment(change, hovered) ? change?.value.timeNs : undefined))
    this.#readOut.placeBeside(input.layout.plot, hover.xPx, piece ? piece.yPx + piece.heightPx : hover.yPx)
  }
}
