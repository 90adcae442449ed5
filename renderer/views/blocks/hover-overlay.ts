// Outline and read-out of the block under the resting pointer.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { categoryName } from '../../categories/words.ts'
import { partsDiffer } from '../../data/parts-differ.ts'
import { counted, formatAddress, formatAddressVersion, formatBytes, formatCount, formatTime, unknownValue } from '../../i18n/format.ts'
import { sizesText } from '../../panels/details-text.ts'
import { PointerOverlay } from '../../panels/pointer-overlay.ts'
import type { ReadOutRow } from '../../panels/read-out.ts'
import { poolTitle, stackTitle, streamTitle } from '../../plot/legend.ts'
import { inputOf } from './actions.ts'
import { blocksData, type FoundBlock, sameMoment } from './blocks-data.ts'
import { piecesOf } from './draw-marks.ts'
import { heldAt } from './model-input.ts'
import { blocksText as t } from './texts.ts'

/** Facts of a block in the order of every read-out: size, life, state, stream and pool, first own frame. */
export function blockRows({ block, details, event }: FoundBlock, timeNs: number | null | undefined): ReadOutRow[] {
  const rows: ReadOutRow[] = [
    {
      label: details ? t('card.size') : t('card.freeSize'),
      value: details ? sizesText(block) : formatBytes(block.sizeBytes),
      strong: true,
    },
  ]
  if (details) {
    const { allocEvent, allocTimeNs } = details
    const age = allocTimeNs !== null && timeNs !== null && timeNs !== undefined ? formatTime(Math.max(0, timeNs - allocTimeNs)) : undefined
    const events = allocEvent === null ? unknownValue : t('card.events', counted(event - allocEvent))
    const since = allocEvent === null ? t('card.beforeHistory') : t('card.event', { event: formatCount(allocEvent) })
    rows.push({ label: t('card.since'), value: allocEvent === null ? since : t('card.sinceFor', { since, age: age ?? events }) })
  }
  rows.push({ label: t('card.state'), value: t(`states.${block.state}`) })
  rows.push({ label: t('card.place'), value: `${formatAddress(block.segmentAddress)} + ${formatBytes(block.segmentOffset)}` })
  if (details) {
    rows.push({ label: t('card.stream'), value: `${streamTitle(details.stream)} · ${poolTitle(details.pool)}` })
    rows.push({ label: t('colorBy.category'), value: categoryName(details.category.category) })
    const own = details.frames.find(({ kind }) => kind === 'own')
    const file = own?.filename.split(/[/\\]/).pop() ?? ''
    rows.push({ label: t('card.ownFrame'), value: own ? `${own.name} ${file}:${own.line}` : stackTitle(details.title) })
  }
  return rows
}

/** What a block is called: the version of its address, or the address alone when it is free. */
const blockTitle = ({ block, details }: FoundBlock): string =>
  details ? formatAddressVersion(details.address, details.version) : formatAddress(block.address)

export class HoverOverlay {
  readonly #capture: CaptureSummary
  readonly #overlay: PointerOverlay
  readonly #outline: HTMLElement

  constructor(capture: CaptureSummary, host: HTMLElement) {
    this.#capture = capture
    this.#overlay = new PointerOverlay(host, {
      follow: (moved) =>
        blocksData(capture.captureId).subscribe((data, old) => partsDiffer(data, old, ['hover', 'hovered', 'picture']) && moved()),
      update: () => this.#update(),
    })
    this.#outline = this.#overlay.add('blocks-outline')
  }

  destroy(): void {
    this.#overlay.destroy()
  }

  #update(): void {
    const { hover, hovered, change } = blocksData(this.#capture.captureId).getState()
    const input = inputOf(this.#capture)
    if (!hover || !hovered || !input || !sameMoment(input.picture, hovered)) return
    const held = heldAt(input.picture, hovered.block.address, hovered.block.sizeBytes)
    const pieces = held ? piecesOf(input, held) : []
    const piece = pieces.find(({ yPx, heightPx }) => hover.yPx >= yPx && hover.yPx < yPx + heightPx) ?? pieces[0]
    const { plot } = input.layout
    if (piece) {
      const [left, right] = [Math.max(piece.x0, plot.xPx) - 2, Math.min(piece.x1, plot.xPx + plot.widthPx) + 2]
      this.#overlay.show(this.#outline, { xPx: left, yPx: piece.yPx - 2, widthPx: right - left, heightPx: piece.heightPx + 4 })
    }
    const rows = blockRows(hovered, sameMoment(change, hovered) ? change?.value.timeNs : undefined)
    const yPx = piece ? piece.yPx + piece.heightPx : hover.yPx
    this.#overlay.say({ title: blockTitle(hovered), rows }, plot, { xPx: hover.xPx, yPx })
  }
}
