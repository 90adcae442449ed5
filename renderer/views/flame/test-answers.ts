// Answers of the engine for the tests of this view.
import type { FlameTree } from '../../../preload/contract/queries.ts'

export interface TestNode {
  readonly name: string // '' = no frame
  readonly self: number
  readonly bare?: number // colour slot of the category of what has no frame
  readonly line?: number // that all its frames are of; 0 = several
  readonly base?: number // of its own, at the first moment
  readonly children?: readonly TestNode[]
  readonly filename?: string
  readonly kind?: 'own' | 'library' | 'noise'
  readonly leftOut?: number // of children that the answer does not hold
}

/** An answer with these nodes: each before its children, frames of one name and file being one. */
export function treeOf(root: TestNode): FlameTree {
  const rows: { readonly node: TestNode; readonly parent: number; readonly depth: number }[] = []
  const add = (node: TestNode, parent: number, depth: number): void => {
    const place = rows.push({ node, parent, depth }) - 1
    for (const child of node.children ?? []) add(child, place, depth + 1)
  }
  add(root, -1, 0)
  const frames: FlameTree['frames'] = []
  const frameOf = ({ name, filename = '/home/user/app/train.py', kind = 'own' }: TestNode): number => {
    if (name === '') return -1
    const known = frames.findIndex((frame) => frame.name === name && frame.filename === filename)
    return known >= 0 ? known : frames.push({ frameId: frames.length + 10, name, title: name, filename, line: 7, kind }) - 1
  }
  const sum = (node: TestNode, of: (each: TestNode) => number): number =>
    of(node) + (node.children ?? []).reduce((all, child) => all + sum(child, of), 0)
  const column = (of: (row: (typeof rows)[number]) => number) => Float64Array.from(rows, of)
  const total = column(({ node }) => sum(node, ({ self, leftOut = 0 }) => self + leftOut))
  return {
    parent: column(({ parent }) => parent),
    node: Float64Array.from(rows, (_, place) => place * 3),
    frame: column(({ node }) => frameOf(node)),
    line: column(({ node: { name, line = 7 } }) => (name === '' ? 0 : line)),
    bare: column(({ node: { name, bare = 10 }, depth }) => (name === '' && depth > 0 ? bare : 0)),
    depth: column(({ depth }) => depth),
    total,
    self: column(({ node }) => node.self),
    baseTotal: column(({ node }) => sum(node, ({ base = 0 }) => base)),
    baseSelf: column(({ node }) => node.base ?? 0),
    count: total.map((bytes) => bytes / 10),
    bytes: total,
    category: column(() => 10),
    categoryBytes: total,
    categories: [0, 0, 0, 0, 0, 0, 0, 0, 0, total[0] ?? 0],
    frames,
    leftOut: rows.filter(({ node }) => (node.leftOut ?? 0) > 0).length,
    hiddenFrames: 0,
  }
}

/** A thousand bytes in 1,000 pixels: a wide, a narrow and two tiny children, some bytes of its own and some that the answer left out. */
export const sample: TestNode = {
  name: '',
  self: 0,
  children: [
    {
      name: 'main',
      self: 90,
      children: [
        { name: 'forward', self: 500, filename: '/env/site-packages/torch/nn/linear.py', kind: 'library' },
        { name: 'backward', self: 100, children: [{ name: 'main', self: 50 }] },
        { name: 'tiny', self: 2 },
        { name: 'tinier', self: 1 },
      ],
      leftOut: 7,
    },
    { name: '', self: 250 },
  ],
}
