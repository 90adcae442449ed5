import { describe, expect, it } from 'vitest'
import type { CaptureKind } from '../../../preload/contract/capture.ts'
import type { HotSpot, HotSpotTemplate } from '../../../preload/contract/queries.ts'
import type { TextItem } from '../../scene/display-list.ts'
import { slotColor } from '../../theme/palette.ts'
import { dark, light } from '../../theme/tokens.ts'
import { bareTitle } from './bare.ts'
import { boxesOf, type FlameBox, risingBoxes, rowsOf, shownBoxes } from './boxes.ts'
import { autoTemplate, noTemplate, spotMarks, spotNumbers, templateOf } from './hot-spots.ts'
import { layoutFlame } from './layout.ts'
import { flameLegend, moduleWeights } from './legend.ts'
import { buildFlame, fillOf, frameOf, hitFlame } from './model.ts'
import type { FlameInput } from './model-input.ts'
import { moduleOf, slotOfModule } from './modules.ts'
import { isUpper, nodesOf, pathBetween, placesOfStack, withCallers } from './nodes.ts'
import { frameMatches } from './search.ts'
import { functionCells, functionRows } from './table-rows.ts'
import { sample, type TestNode, treeOf } from './test-answers.ts'
import { flameText } from './texts.ts'
import { categoryText } from './words.ts'

function inputOf(root: TestNode, weight: FlameInput['measured']['weight'] = 'cursor'): FlameInput {
  const nodes = nodesOf(treeOf(root))
  const layout = layoutFlame(1024, 300)
  const place = { device: 0, fromEvent: 5, toEvent: 5, from: 5, end: 6, isSelected: false, isDump: false, valueType: undefined }
  return {
    nodes,
    root: 0,
    boxes: boxesOf(nodes, 0, layout.rows.widthPx),
    rowCount: 4,
    isRising: false,
    weighed: { ...place, weight, unit: 'bytes', measure: 'alive' },
    direction: 'callees',
    measured: { weight, unit: 'bytes', hasTimes: true, valueType: undefined },
    colorBy: 'module',
    isCurrent: true,
    layout,
    rowPx: 20,
    scrollPx: 0,
    selected: undefined,
    marked: new Set(),
    hits: undefined,
    spots: undefined,
    kind: 'torch_snapshot',
    tokens: light,
    measure: (text, sizePx) => text.length * sizePx * 0.6,
    t: flameText,
  }
}

const bareName = (slot: number, kind: CaptureKind) => bareTitle(slot, kind, flameText)

const labelsOf = (input: FlameInput): string[] =>
  buildFlame(input).flatMap(({ items }) =>
    items.filter((item): item is TextItem => item.kind === 'text').map(({ spans }) => spans.map(({ text }) => text).join('')),
  )
const named = (input: FlameInput, name: string): FlameBox | undefined =>
  input.boxes.find((box) => box.kind === 'node' && input.nodes.tree.frames[input.nodes.tree.frame[box.place] ?? -1]?.name === name)

describe('colours by category', () => {
  const plain = inputOf(sample)
  const tree = {
    ...plain.nodes.tree,
    category: plain.nodes.tree.category.map((_, place) => (place < 3 ? 4 : 1)),
    categoryBytes: plain.nodes.tree.bytes.map((bytes, place) => (place === 2 ? bytes : bytes / 2)),
    categories: [375, 0, 0, 625, 0, 0, 0, 0, 0, 0],
  }
  const input: FlameInput = { ...plain, colorBy: 'category', nodes: { ...plain.nodes, tree } }
  const fill = (name: string, from = input) => fillOf(from, named(from, name) as FlameBox)

  it('paint own and library code alike, what has no stack too, and leave the root of all plain', () => {
    expect(fill('main')).toEqual(slotColor(light, 'category', 4))
    expect(fill('forward')).toEqual(slotColor(light, 'category', 4))
    expect(fill('backward')).toEqual(slotColor(light, 'category', 1))
    const root = input.boxes.find((box) => box.kind === 'node' && box.place === 0) as FlameBox
    expect(fillOf(input, root)).toEqual(fillOf(plain, root))
    expect(fill('main', { ...input, measured: { ...input.measured, weight: 'growth' } })).not.toEqual(slotColor(light, 'category', 4))
  })

  it('are told in words with their share, and in the legend with all that they hold', () => {
    expect([1, 2].map((place) => categoryText(input.nodes, place))).toEqual(['Activation · 50.0\u00a0%', 'Activation'])
    const legend = flameLegend(input, light, flameText)
    expect(legend.kind === 'swatches' && legend.swatches.map(({ title, bytes }) => [title, bytes])).toEqual([
      ['Parameter', 375],
      ['Activation', 625],
    ])
  })
})

describe('widths of the flame graph', () => {
  it('add up: children, what is merged and its own share are as wide as the parent', () => {
    const { nodes, boxes } = inputOf(sample)
    const perPx = (nodes.width[0] ?? 0) / 1000
    for (const box of boxes) {
      if (box.kind === 'small') continue
      const below = boxes.filter((other) =>
        other.kind === 'small' ? other.parent === box.place : nodes.tree.parent[other.place] === box.place,
      )
      const sum = below.reduce((all, { widthPx }) => all + widthPx, (nodes.selfWidth[box.place] ?? 0) / perPx)
      expect(sum, `place ${box.place}`).toBeCloseTo(box.widthPx, 9)
      for (const { xPx, widthPx, row } of below) {
        expect(row).toBe(box.row + 1)
        expect(xPx).toBeGreaterThanOrEqual(box.xPx)
        expect(xPx + widthPx).toBeLessThanOrEqual(box.xPx + box.widthPx + 1e-9)
      }
    }
  })

  it('merge nodes under three pixels, and count with them what the answer left out', () => {
    const { nodes, boxes } = inputOf(sample)
    const small = boxes.find((box) => box.kind === 'small')
    expect(small).toMatchObject({ kind: 'small', row: 2, width: 10, hasRest: true })
    expect(small?.kind === 'small' && small.places.map((place) => nodes.tree.frames[nodes.tree.frame[place] ?? -1]?.name)).toEqual([
      'tiny',
      'tinier',
    ])
  })

  it('give a compared node room for the larger of both moments, so that what has gone is seen', () => {
    const nodes = nodesOf(
      treeOf({
        name: '',
        self: 0,
        children: [
          { name: 'grew', self: 300, base: 100 },
          { name: 'went', self: 0, base: 200 },
        ],
      }),
    )
    expect([...nodes.width]).toEqual([500, 300, 200])
  })

  it('draw nothing where nothing is held', () => expect(boxesOf(nodesOf(treeOf({ name: '', self: 0 })), 0, 500)).toEqual([]))

  it('take what rounding leaves of huge numbers for no rest', () => {
    const tree = treeOf({ name: '', self: 0, children: [{ name: 'a', self: 3e18 }] })
    tree.total[0] = 3e18 + 1024
    expect(nodesOf(tree).restWidth[0]).toBe(0)
  })
})

describe('the boxes about a pivot', () => {
  const callees = treeOf({
    name: '',
    self: 0,
    children: [{ name: 'pivot', self: 40, children: [{ name: 'called', self: 60 }] }],
  })
  const callers = treeOf({
    name: '',
    self: 0,
    children: [{ name: 'pivot', self: 0, children: [{ name: 'inner', self: 0, children: [{ name: 'outer', self: 100 }] }] }],
  })
  const nodes = withCallers(callees, callers)

  it('stand with the outermost caller on top, the pivot once, and what it calls below', () => {
    const boxes = shownBoxes(nodes, 0, 500)
    const nameOf = (box: FlameBox) => (box.kind === 'node' ? nodes.tree.frames[nodes.tree.frame[box.place] ?? -1]?.name : undefined)
    expect(boxes.map((box) => [box.row, nameOf(box), box.widthPx]).sort()).toEqual([
      [0, 'outer', 500],
      [1, 'inner', 500],
      [2, 'pivot', 500],
      [3, 'called', 300],
    ])
  })

  it('give every node a number of its own', () => {
    expect(nodes.placeOf.size).toBe(nodes.tree.node.length)
    expect([...nodes.tree.node].map((node) => isUpper(nodes, nodes.placeOf.get(node) ?? -1))).toEqual([
      ...Array<boolean>(3).fill(false),
      ...Array<boolean>(4).fill(true),
    ])
  })
})

describe('the picture of the flame graph', () => {
  it('labels a node with name, weight and file as far as they have room, and cuts a name with dots', () => {
    const labels = labelsOf(inputOf(sample))
    expect(labels).toContain('main  750\u00a0B  train.py:7')
    expect(labels).toContainEqual(expect.stringMatching(/^No stack {2}250/))
    const narrow = inputOf({ name: '', self: 950, children: [{ name: 'a_function_with_a_long_name', self: 50 }] })
    expect(labelsOf(narrow)).toContainEqual(expect.stringMatching(/^a_f.*…$/))
  })

  it('says the change with its sign where two moments are compared', () => {
    const input = inputOf({ name: '', self: 0, children: [{ name: 'went', self: 100, base: 400 }] }, 'diff')
    expect(labelsOf(input).some((label) => label.startsWith('went  −300\u00a0B'))).toBe(true)
  })

  it('finds the box under the pointer on its row, also scrolled', () => {
    const input = inputOf(sample)
    expect(hitFlame(input, 20, 10)).toMatchObject({ kind: 'node', place: 0 })
    expect(hitFlame(input, 20, 50)).toBe(named(input, 'forward'))
    expect(hitFlame({ ...input, scrollPx: 40 }, 20, 10)).toBe(named(input, 'forward'))
    expect(hitFlame(input, 20, 290)).toBeUndefined()
  })

  it('lets step back what a search does not find, and outlines what it finds', () => {
    const input = inputOf(sample)
    const forward = named(input, 'forward')
    if (forward?.kind !== 'node') throw new Error('there is no forward')
    const searched = { ...input, hits: new Set([forward.place]) }
    expect(fillOf(searched, forward)).toEqual(fillOf(input, forward))
    const other = named(input, 'backward')
    if (!other) throw new Error('there is no backward')
    expect(fillOf(searched, other)).not.toEqual(fillOf(input, other))
    const outlines = (each: FlameInput) => buildFlame(each).flatMap(({ items }) => items.filter(({ kind }) => kind === 'path')).length
    expect(outlines(searched) - outlines(input)).toBe(1)
  })

  it('tells own code from library code by a bar and strong text, in both themes', () => {
    for (const tokens of [light, dark]) {
      const texts = buildFlame({ ...inputOf(sample), tokens }).flatMap(({ items }) => items.filter((item) => item.kind === 'text'))
      const isStrong = (name: string) => texts.find(({ spans }) => spans[0]?.text === name)?.spans[0]?.strong
      expect([isStrong('main'), isStrong('forward')]).toEqual([true, false])
    }
  })
})

describe('a flame, which rises from its root', () => {
  const icicle = inputOf(sample)
  const flame: FlameInput = { ...icicle, isRising: true, boxes: risingBoxes(icicle.boxes, 14), rowCount: 14 }

  it('has the root in the last row and each function above the one that calls it, as far from the left as in an icicle', () => {
    expect(rowsOf(flame.boxes)).toBe(14)
    for (const [index, box] of flame.boxes.entries()) {
      const hanging = icicle.boxes[index]
      expect({ ...box, row: 13 - box.row }).toEqual(hanging)
    }
  })

  it('leaves out the deepest rows where they have no room', () => {
    const rows = risingBoxes(icicle.boxes, 2).filter(({ row }) => row >= 0)
    expect(rows).toHaveLength(icicle.boxes.filter(({ row }) => row < 2).length)
    expect(rows[0]).toMatchObject({ row: 1, kind: 'node', place: 0 })
  })

  it('finds under the pointer what is drawn there', () => {
    for (const box of flame.boxes) {
      const { xPx, yPx, widthPx, heightPx } = frameOf(flame, box)
      expect(hitFlame(flame, xPx + widthPx / 2, yPx + heightPx / 2)).toBe(box)
    }
  })
})

describe('modules', () => {
  it('are the installed package, the standard library, the namespace, or the folder of own code', () => {
    const of = (filename: string, name = 'f') => moduleOf({ filename, name })
    expect(of('/env/lib/python3.12/site-packages/torch/nn/linear.py')).toBe('torch')
    expect(of('C:\\env\\Lib\\site-packages\\peft\\model.py')).toBe('peft')
    expect(of('/usr/lib/python3.12/threading.py')).toBe('python')
    expect(of('<frozen importlib._bootstrap>')).toBe('python')
    expect(of('transformers/models/llama.py')).toBe('transformers')
    expect(of('/home/user/finetune/cases.py')).toBe('finetune')
    expect(of('??', 'c10::cuda::alloc')).toBe('torch')
    expect([of('??', '_PyEval_Vector'), of('')]).toEqual(['', ''])
    expect(of('python_function', 'nn.Module: Linear_0')).toBe('nn.Module')
    expect(slotOfModule('torch')).not.toBe(slotOfModule('transformers'))
    expect(slotOfModule('finetune')).toBe(slotOfModule('finetune'))
  })

  it('hold together what all stacks hold', () => {
    const nodes = nodesOf(treeOf(sample))
    const sum = moduleWeights({ nodes, root: 0, direction: 'callees' }).reduce((all, { width }) => all + width, 0)
    expect(sum).toBe(743) // all but what has no stack and what was left out
  })
})

describe('paths and search', () => {
  it('follow the stack of an allocation through the tree, over frames that are hidden', () => {
    const nodes = nodesOf(treeOf(sample))
    const frame = (name: string, line = 7) => ({ name, filename: '/home/user/app/train.py', line })
    const stack = [frame('main'), frame('hidden'), frame('backward'), frame('main')]
    expect(placesOfStack(nodes, stack, 'function', 10)).toEqual([1, 3, 4])
    expect(placesOfStack(nodes, [frame('main', 8)], 'line', 10)).toEqual([])
    expect(placesOfStack(nodes, [], 'line', 10)).toEqual([7]) // what has no stack
    expect(placesOfStack(nodes, [], 'line', 2)).toEqual([]) // of another category
    expect(placesOfStack(nodes, [frame('main', 8)], 'function', 10)).toEqual([1])
  })

  it('lead from a node down to another, and nowhere from beside it', () => {
    const nodes = nodesOf(treeOf(sample))
    expect(pathBetween(nodes, 0, 4)).toEqual([1, 3, 4])
    expect(pathBetween(nodes, 2, 4)).toEqual([])
  })

  it('finds Latin letters in any case in file and function', () => {
    const frame = { filename: '/env/torch/nn/Linear.py', name: 'forward' }
    expect([frameMatches(frame, 'LINEAR'), frameMatches(frame, 'py:for'), frameMatches(frame, 'conv')]).toEqual([true, true, false])
  })
})

describe('what has no stack', () => {
  const split: TestNode = {
    name: '',
    self: 0,
    children: [
      { name: 'main', self: 400 },
      { name: '', self: 300, bare: 2 },
      { name: '', self: 200, bare: 4 },
      { name: '', self: 100, bare: 10 },
    ],
  }

  it('is named by what is known of it, and why it has none', () => {
    expect(labelsOf(inputOf(split)).map((label) => label.split('  ')[0])).toEqual([
      'All stacks',
      'main',
      'Gradient · backward, no Python stack',
      'Activation',
      'No stack',
    ])
    expect([2, 8, 4, 10].map((slot) => bareName(slot, 'chrome_trace'))).toEqual([
      'Gradient · no stack',
      'Autograd detail · no stack',
      'Activation · no stack',
      'no stack: held before the profile began, or made outside Python',
    ])
  })

  it('is a row a category of the table', () => {
    const rows = functionRows(nodesOf(treeOf(split)), 0)
    expect(rows.map(({ frame, bare, total }) => [frame?.name, bare, total])).toEqual([
      ['main', 0, 400],
      [undefined, 2, 300],
      [undefined, 4, 200],
      [undefined, 10, 100],
    ])
    const names = functionCells(rows, 1000, false, true).map(([name]) => name)
    expect(names).toEqual(['function', 'main', '(no stack) gradient', '(no stack) activation', '(no stack) unknown'])
  })
})

describe('hot spots', () => {
  const spot = (id: string, nodes: number[]): HotSpot => {
    const words = { en: id, 'zh-CN': id }
    return { id, label: words, explanation: words, value: 1, base: 0, count: 1, share: 0.1, nodes, within: {} }
  }
  const template = (id: string, applies: boolean, spots: HotSpot[] = []): HotSpotTemplate => {
    const words = { en: id, 'zh-CN': id }
    return { id, title: words, explanation: words, applies, spots }
  }

  it('are those of the first template that applies, unless another or none is chosen', () => {
    const all = [template('a', false), template('b', true), template('c', true)]
    expect([autoTemplate, 'a', noTemplate, 'gone'].map((chosen) => templateOf(all, chosen)?.id)).toEqual(['b', 'a', undefined, undefined])
    expect(templateOf([template('a', false)], autoTemplate)).toBeUndefined()
  })

  it('are marked by number where the label has room, by an edge where it has none, and what is not among the nodes is not', () => {
    const input = inputOf(sample)
    const nodeOf = (name: string) => {
      const box = named(input, name)
      return box?.kind === 'node' ? (input.nodes.tree.node[box.place] ?? -1) : -1
    }
    const marks = spotMarks(input.nodes, template('t', true, [spot('a', [nodeOf('forward'), 999]), spot('b', [nodeOf('forward')])]))
    expect([...marks.values()]).toEqual([[1, 2]])
    const added = (layout: FlameInput) => labelsOf(layout).filter((label) => label === '1 2').length
    expect([added(input), added({ ...input, spots: marks })]).toEqual([0, 1])
    const narrow = shownBoxes(input.nodes, 0, 60)
    const small = { ...input, boxes: narrow, spots: marks }
    const boxes = (of: FlameInput) => buildFlame(of).flatMap(({ items }) => items.filter(({ kind }) => kind === 'box')).length
    expect(added(small)).toBe(0)
    expect(boxes(small)).toBe(boxes({ ...small, spots: undefined }) + 1)
  })

  it('are numbered from one on among those that have a mark', () => {
    const shown = template('t', true, [spot('a', []), spot('b', [3]), spot('c', []), spot('d', [6])])
    expect(spotNumbers(shown)).toEqual([undefined, 1, undefined, 2])
    expect(spotNumbers(shown, ({ nodes }) => nodes.includes(6))).toEqual([undefined, undefined, undefined, 1])
  })
})

describe('a box of several calls', () => {
  it('names the line only where all of them are of one, else the file alone', () => {
    const tree = (line: number) => inputOf({ name: '', self: 0, children: [{ name: 'main', self: 9, line }] })
    expect(labelsOf(tree(7))).toContain('main  9\u00a0B  train.py:7')
    expect(labelsOf(tree(0))).toContain('main  9\u00a0B  train.py')
  })
})

describe('the legend of modules', () => {
  it('adds up to all, with what has no stack and what is too small to show', () => {
    const input = inputOf(sample)
    const legend = flameLegend(input, light, flameText)
    if (legend.kind !== 'swatches') throw new Error('no swatches')
    expect(legend.swatches.find(({ key }) => key === 'noStack')?.bytes).toBe(250)
    expect(legend.swatches.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)).toBe(input.nodes.width[0])
  })
})
