// What can go on where the caret stands. Pure.
import type { SqlRelation } from '../../../preload/contract/queries.ts'
import { functions, keywords } from './keywords.ts'

export interface Candidate {
  readonly kind: 'relation' | 'column' | 'keyword' | 'function'
  readonly name: string
  readonly insert: string
  readonly relation?: string // of a column
}

/** The word that ends at the caret, and the name before its dot. */
export interface Word {
  readonly from: number
  readonly text: string
  readonly qualifier: string | undefined
}

const mostCandidates = 60

/** Texts and comments, also those without an end. */
const notCode = /'(?:[^']|'')*(?:'|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

/** Undefined inside a text or a comment. */
export function wordAt(sql: string, caret: number): Word | undefined {
  for (const { 0: piece, index } of sql.matchAll(notCode)) {
    const closes = piece.startsWith("'") ? piece.length > 1 && piece.endsWith("'") : piece.startsWith('/*') && piece.endsWith('*/')
    if (caret > index && (caret < index + piece.length || (caret === index + piece.length && !closes))) return undefined
  }
  const before = /(?:(\w+)\s*\.\s*)?(\w*)$/.exec(sql.slice(0, caret))
  const text = before?.[2] ?? ''
  if (/^\d/.test(text)) return undefined
  return { from: caret - text.length, text, qualifier: before?.[1] }
}

/** Relations that the statement names, by their own name and by what they are called there. */
function namedIn(sql: string, relations: readonly SqlRelation[]): Map<string, SqlRelation> {
  const code = sql.replace(notCode, ' ')
  const byName = new Map(relations.map((relation) => [relation.name, relation]))
  const named = new Map<string, SqlRelation>()
  for (const [, name = '', alias] of code.matchAll(
    /\b(?:from|join|,)\s*(\w+)(?:\s*\([^()]*(?:\([^()]*\)[^()]*)*\))?(?:\s+(?:as\s+)?(\w+))?/gi,
  )) {
    const relation = byName.get(name.toLowerCase())
    if (!relation) continue
    named.set(relation.name, relation)
    if (alias !== undefined && !keywords.includes(alias.toUpperCase())) named.set(alias.toLowerCase(), relation)
  }
  return named
}

const columnsOf = (relation: SqlRelation): Candidate[] =>
  relation.columns.map(({ name }) => ({ kind: 'column', name, insert: name, relation: relation.name }))

const relationCandidate = ({ name, arguments: needs }: SqlRelation): Candidate => ({
  kind: 'relation',
  name,
  insert: needs.length > 0 ? `${name}(${needs.join(', ')})` : name,
})

/** What begins with the word: columns of what the statement names first, then relations, functions, keywords, other columns. */
export function candidatesFor(sql: string, word: Word, relations: readonly SqlRelation[]): readonly Candidate[] {
  const named = namedIn(sql, relations)
  const begins = ({ name }: Candidate) => name.toLowerCase().startsWith(word.text.toLowerCase())
  if (word.qualifier !== undefined) {
    const relation = named.get(word.qualifier.toLowerCase())
    return relation ? columnsOf(relation).filter(begins) : []
  }
  const near = [...new Set(named.values())]
  const isAfterFrom = /\b(?:from|join)\s+$/i.test(sql.slice(0, word.from))
  const ofRelations = relations.map(relationCandidate)
  const all: readonly Candidate[] = isAfterFrom
    ? ofRelations
    : [
        ...near.flatMap(columnsOf),
        ...ofRelations,
        ...functions.map((name): Candidate => ({ kind: 'function', name, insert: `${name}(` })),
        ...keywords.map((name): Candidate => ({ kind: 'keyword', name, insert: name })),
        ...(word.text === '' ? [] : relations.filter((relation) => !near.includes(relation)).flatMap(columnsOf)),
      ]
  const seen = new Set<string>()
  const found = all.filter((candidate) => begins(candidate) && !seen.has(candidate.name) && seen.add(candidate.name))
  return found.slice(0, mostCandidates)
}

/** True when there is nothing to complete: the word is the only candidate, or already one. */
export const isWhole = (word: Word, candidates: readonly Candidate[]): boolean =>
  candidates.some(({ name }) => name.toLowerCase() === word.text.toLowerCase())
