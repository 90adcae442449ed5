// d3-flame-graph: a tree of names and inclusive values; `delta` says by how much a node grew.
import { frameText, type StackProfile } from './stack-profile.ts'

interface D3Node {
  readonly name: string
  value: number
  delta?: number
  readonly children: D3Node[]
}

export function d3FlameText({ name, samples, isDifference }: StackProfile): string {
  const root = nodeOf(name, isDifference)
  const known = new Map<D3Node, Map<string, D3Node>>()
  for (const { frames, value, base } of samples) {
    let node = root
    add(node, value, base)
    for (const frame of frames) {
      node = childOf(node, frameText(frame), known, isDifference)
      add(node, value, base)
    }
  }
  return JSON.stringify(root)
}

const nodeOf = (name: string, isDifference: boolean): D3Node => ({ name, value: 0, ...(isDifference ? { delta: 0 } : {}), children: [] })

function add(node: D3Node, value: number, base: number): void {
  node.value += value
  if (node.delta !== undefined) node.delta += value - base
}

function childOf(parent: D3Node, name: string, known: Map<D3Node, Map<string, D3Node>>, isDifference: boolean): D3Node {
  const children = known.get(parent) ?? new Map<string, D3Node>()
  known.set(parent, children)
  const found = children.get(name)
  if (found) return found
  const made = nodeOf(name, isDifference)
  children.set(name, made)
  parent.children.push(made)
  return made
}
