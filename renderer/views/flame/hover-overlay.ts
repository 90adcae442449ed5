// Outline and read-out of the node under the resting pointer.
import type { CaptureSummary } from '../../../preload/contract/capture.ts'
import { partsDiffer } from '../../data/parts-differ.ts'
import { counted, formatBytes, formatCount, formatShare } from '../../i18n/format.ts'
import { PointerOverlay } from '../../panels/pointer-overlay.ts'
import type { ReadOutRow } from '../../panels/read-out.ts'
import { inputOf } from './assemble.ts'
import { bareReason } from './bare.ts'
import type { FlameBox, SmallBox } from './boxes.ts'
import { flameData } from './flame-data.ts'
import { isSigned } from './flame-state.ts'
import { frameOf, hitFlame } from './model.ts'
import type { FlameInput } from './model-input.ts'
import { isUpper, sourceAt } from './nodes.ts'
import { flameText as t } from './texts.ts'
import { categoryText, formatChange, formatWeight, isOfBytes, nodeTitle, placeText, weightText, weightTitle } from './words.ts'

/** Facts of a node, in the order of the drawer. What a frame holds itself is told only where the frames that it calls lie below it. */
export function nodeRows(input: FlameInput, place: number): ReadOutRow[] {
  const { nodes, measured } = input
  const { tree } = nodes
  const category = measured.valueType ? undefined : categoryText(nodes, place)
  return [
    { label: weightTitle(measured, t), value: weightText(nodes, place, measured, t), strong: true },
    ...(isSigned(measured.weight) ? changeRows(input, place) : shareRows(input, place)),
    ...(measured.valueType ? [] : [{ label: t('fact.count'), value: formatCount(tree.count[place] ?? 0) }]),
    ...(measured.valueType || isOfBytes(measured) ? [] : [{ label: t('fact.bytes'), value: formatBytes(tree.bytes[place] ?? 0) }]),
    ...(category === undefined ? [] : [{ label: t('fact.category'), value: category }]),
  ]
}

const hidesSelf = ({ direction, nodes }: FlameInput, place: number): boolean => direction === 'callers' || isUpper(nodes, place)

/** Both moments, and what the node itself grew by. */
function changeRows(input: FlameInput, place: number): ReadOutRow[] {
  const { measured } = input
  const { tree } = input.nodes
  const [before, after] = measured.weight === 'diff' ? (['fact.before', 'fact.after'] as const) : (['fact.less', 'fact.more'] as const)
  const self = (tree.self[place] ?? 0) - (tree.baseSelf[place] ?? 0)
  return [
    { label: t(before), value: formatWeight(tree.baseTotal[place] ?? 0, measured, t) },
    { label: t(after), value: formatWeight(tree.total[place] ?? 0, measured, t) },
    ...(hidesSelf(input, place) ? [] : [{ label: t('fact.self'), value: formatChange(self, measured) }]),
  ]
}

function shareRows(input: FlameInput, place: number): ReadOutRow[] {
  const { measured, root } = input
  const { tree } = input.nodes
  const total = tree.total[place] ?? 0
  const parent = tree.parent[place] ?? -1
  return [
    ...(hidesSelf(input, place) ? [] : [{ label: t('fact.self'), value: formatWeight(tree.self[place] ?? 0, measured, t) }]),
    { label: t('fact.ofShown'), value: formatShare(total, tree.total[root] ?? 0) },
    ...(parent < 0
      ? []
      : [
          {
            label: t(isUpper(input.nodes, place) || input.isRising ? 'fact.ofBelow' : 'fact.ofParent'),
            value: formatShare(total, tree.total[parent] ?? 0),
          },
        ]),
  ]
}

/** The same with the file first, for the read-out. */
function readOutRows(input: FlameInput, place: number): ReadOutRow[] {
  const file = placeText(sourceAt(input.nodes, place))
  const bare = input.nodes.tree.bare[place] ?? 0
  return [
    ...(file === '' ? [] : [{ label: t('fact.place'), value: file }]),
    ...nodeRows(input, place),
    ...(bare > 0 ? [{ label: t('bare.label'), value: bareReason(bare, input.kind, t) }] : []),
  ]
}

function smallRows({ measured, nodes }: FlameInput, { width, hasRest, parent }: SmallBox): ReadOutRow[] {
  const rows = [{ label: t('fact.together'), value: formatWeight(width, measured, t), strong: true }]
  return hasRest ? [...rows, { label: t('fact.leftOut'), value: formatWeight(nodes.restWidth[parent] ?? 0, measured, t) }] : rows
}

export class HoverOverlay {
  readonly #capture: CaptureSummary
  readonly #overlay: PointerOverlay
  readonly #outline: HTMLElement

  constructor(capture: CaptureSummary, host: HTMLElement) {
    this.#capture = capture
    this.#overlay = new PointerOverlay(host, {
      follow: (moved) =>
        flameData(capture.captureId).subscribe((data, old) => partsDiffer(data, old, ['hover', 'answer', 'layout']) && moved()),
      update: () => this.#update(),
    })
    this.#outline = this.#overlay.add('flame-outline')
  }

  destroy(): void {
    this.#overlay.destroy()
  }

  #update(): void {
    const { hover } = flameData(this.#capture.captureId).getState()
    const input = inputOf(this.#capture)
    const box = hover && input && hitFlame(input, hover.xPx, hover.yPx)
    if (!box) return
    const frame = frameOf(input, box)
    this.#overlay.showInside(this.#outline, frame, input.layout.rows)
    const words = { title: titleOf(input, box), rows: box.kind === 'small' ? smallRows(input, box) : readOutRows(input, box.place) }
    this.#overlay.say(words, input.layout.rows, { xPx: hover.xPx, yPx: frame.yPx + frame.heightPx })
  }
}

const titleOf = ({ nodes, kind }: FlameInput, box: FlameBox): string =>
  box.kind === 'small' ? t('smallTitle', counted(box.places.length)) : nodeTitle(nodes, box.place, kind, t)
